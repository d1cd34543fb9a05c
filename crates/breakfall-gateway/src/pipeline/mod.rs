//! A `tools/call`, from the message to the reply.
//!
//! ```text
//! receive → resolve → validate → permit → admit → attempt → reply → record
//! ```
//!
//! Each stage takes the proof of the stage before it, and only that stage can make it: a call that skips a stage does not
//! compile. A failure of any stage is a fault, and all faults become replies in the same way.
//!
//! A proof can be handed on,
//!
//! ```
//! use breakfall_gateway::pipeline::{Admitted, CallContext, Permitted, Pipeline, Valid};
//!
//! fn on(valid: Valid, permitted: Permitted, admitted: Admitted) -> (Valid, Permitted, Admitted) {
//!     (valid, permitted, admitted)
//! }
//!
//! async fn go(pipeline: &Pipeline, permitted: Permitted, context: &mut CallContext) {
//!     if let Ok(admitted) = pipeline.admit(permitted, context).await {
//!         let _ = pipeline.attempt(admitted, context).await;
//!     }
//! }
//! ```
//!
//! but a call that has not passed all stages does not reach a server,
//!
//! ```compile_fail,E0308
//! use breakfall_gateway::pipeline::{CallContext, Pipeline, Resolved};
//!
//! async fn go(pipeline: &Pipeline, resolved: Resolved, context: &mut CallContext) {
//!     let _ = pipeline.attempt(resolved, context).await;
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use breakfall_gateway::pipeline::{CallContext, Pipeline, Valid};
//!
//! async fn go(pipeline: &Pipeline, valid: Valid, context: &mut CallContext) {
//!     let _ = pipeline.admit(valid, context).await;
//! }
//! ```
//!
//! and only its stage makes a proof:
//!
//! ```compile_fail,E0451
//! use std::sync::Arc;
//! use breakfall_gateway::pipeline::{Call, Valid};
//!
//! fn forge(call: Arc<Call>) -> Valid {
//!     Valid { call, tool: None }
//! }
//! ```
//!
//! ```compile_fail,E0423
//! use breakfall_gateway::pipeline::{Permitted, Valid};
//!
//! fn forge(valid: Valid) -> Permitted {
//!     Permitted(valid)
//! }
//! ```
//!
//! ```compile_fail,E0451
//! use std::sync::Arc;
//! use breakfall_gateway::pipeline::{Admitted, Call};
//!
//! fn forge(call: Arc<Call>) -> Admitted {
//!     Admitted { call, tool: None, settlement: Default::default(), charge: None }
//! }
//! ```

mod admit;
mod attempt;
mod blame_arguments;
mod confirmation;
mod context;
mod correct;
mod elicit;
mod error;
mod exchange;
mod limits;
mod observe;
mod permit;
mod read;
mod receive;
mod record;
mod reply;
mod resolve;
mod retry;
mod validate;
mod wire_only;

use std::sync::Arc;
use std::task::{Context, Waker};

pub use admit::{Admitted, CallCost, CallEnd};
#[doc(hidden)]
pub use attempt::Answer;
#[doc(hidden)]
pub use context::CallContext;
#[doc(hidden)]
pub use error::{CallError, CallFailure};
pub use permit::Permitted;
pub use receive::Call;
use resolve::ListingTurn;
pub use resolve::Resolved;
pub use validate::Valid;

use crate::session::{Asker, Link, RequestHandler};
use crate::store::Store;
use crate::upstream::Upstream;
use breakfall_mcp::connection::{Ticket, isolate};
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::protocol::method;

/// Takes the calls of one client to one server.
#[derive(Debug)]
#[doc(hidden)]
pub struct Pipeline {
    link: Link,
    asker: Asker,
    listing: ListingTurn,
}

impl Pipeline {
    pub(crate) fn new(link: Link) -> Arc<Self> {
        Arc::new(Self {
            asker: Asker::new(link.clone()),
            listing: ListingTurn::default(),
            link,
        })
    }

    /// Starts a call.
    fn take(self: Arc<Self>, frame: Frame, ticket: Ticket) {
        if self.upstream().context.is_judged {
            start(async move { self.handle(frame, ticket).await });
        } else {
            start(async move { self.forward(frame, ticket).await });
        }
    }

    /// Runs a call, records it and answers its client.
    async fn handle(&self, frame: Frame, ticket: Ticket) {
        let mut context = self.context(Call::new(frame), ticket);
        let outcome = self.run_corrected(&mut context).await;
        let reply = self.reply(&mut context, outcome);
        let reply = self.record(&context, reply);
        reply.send(context);
    }

    /// The stages of a call, in order.
    async fn run(&self, context: &mut CallContext) -> Result<Answer, CallError> {
        let call = Self::receive(context)?;
        let resolved = self.resolve(call, context).await?;
        let valid = self.validate(resolved, context)?;
        let permitted = self.permit(valid, context).await?;
        let admitted = self.admit(permitted, context).await?;
        self.attempt(admitted, context).await
    }

    fn context(&self, call: Call, ticket: Ticket) -> CallContext {
        let principal = self.link.principal().cloned();
        CallContext::new(call, ticket, principal, self.upstream())
    }

    /// The store of audit entries and reports; `None` if nothing is stored.
    pub fn store(&self) -> Option<&Arc<dyn Store>> {
        self.upstream().context.recorder.store()
    }

    fn upstream(&self) -> &Upstream {
        self.link.upstream()
    }
}

impl RequestHandler for Pipeline {
    fn accept(self: Arc<Self>, frame: Frame, ticket: Ticket) {
        if frame.method() == method::TOOLS_CALL {
            return self.take(frame, ticket);
        }
        self.pass_on(frame, ticket);
    }
}

/// Starts a request: polls it once, and makes it a task if it waits. Requests leave in the order in which they came as long
/// as none of them waits for anything before.
fn start(request: impl Future<Output = ()> + Send + 'static) {
    let mut request = Box::pin(request);
    // The caller may have more messages to handle.
    isolate(move || {
        let mut inline = Context::from_waker(Waker::noop());
        if request.as_mut().poll(&mut inline).is_pending() {
            drop(tokio::spawn(request));
        }
    });
}

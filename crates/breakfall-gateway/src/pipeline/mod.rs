//! The life of a call of a tool, from the message to the reply.
//!
//! Each stage takes what the one before it made, and nobody else can make that: a stage that is left out does not
//! compile. A failure anywhere is a fault like any other, and becomes a reply like any other.
//!
//! What has passed a stage can be handed on,
//!
//! ```
//! use breakfall_gateway::pipeline::{Admitted, Life, Permitted, Pipeline, Valid};
//!
//! fn on(valid: Valid, permitted: Permitted, admitted: Admitted) -> (Valid, Permitted, Admitted) {
//!     (valid, permitted, admitted)
//! }
//!
//! async fn go(pipeline: &Pipeline, permitted: Permitted, life: &mut Life) {
//!     if let Ok(admitted) = pipeline.admit(permitted, life).await {
//!         let _ = pipeline.attempt(admitted, life).await;
//!     }
//! }
//! ```
//!
//! but nobody asks a server for what has not been through all of them,
//!
//! ```compile_fail,E0308
//! use breakfall_gateway::pipeline::{Life, Pipeline, Resolved};
//!
//! async fn go(pipeline: &Pipeline, resolved: Resolved, life: &mut Life) {
//!     let _ = pipeline.attempt(resolved, life).await;
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use breakfall_gateway::pipeline::{Life, Pipeline, Valid};
//!
//! async fn go(pipeline: &Pipeline, valid: Valid, life: &mut Life) {
//!     let _ = pipeline.admit(valid, life).await;
//! }
//! ```
//!
//! and nobody makes up what a stage gives:
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
//!     Admitted { call, tool: None, _place: None }
//! }
//! ```

mod ask;
mod attempt;
mod gate;
mod life;
mod limit;
mod means;
mod overhear;
mod plain;
mod read;
mod receive;
mod record;
mod reply;
mod resolve;
mod suspect;
mod validate;

use std::sync::Arc;

pub(crate) use ask::KEY as ASK;
#[doc(hidden)]
pub use attempt::Answer;
pub use gate::Permitted;
#[doc(hidden)]
pub use life::{Failed, Life, Stop};
pub use limit::Admitted;
pub use means::Means;
pub use receive::{Call, Raw};
pub use resolve::Resolved;
use resolve::Turn;
pub use validate::Valid;

use crate::session::{Asker, Link, RequestHandler};
use crate::upstream::Upstream;
use breakfall_mcp::connection::Ticket;
use breakfall_mcp::jsonrpc::Frame;

/// Takes calls to one server for one client.
#[derive(Debug)]
#[doc(hidden)]
pub struct Pipeline {
    link: Link,
    asker: Asker,
    turn: Turn,
}

impl Pipeline {
    pub(crate) fn new(link: Link) -> Arc<Self> {
        Arc::new(Self {
            asker: Asker::new(link.clone()),
            turn: Turn::default(),
            link,
        })
    }

    /// Takes a call, which is answered sooner or later.
    pub(crate) fn take(self: &Arc<Self>, frame: Frame, ticket: Ticket) {
        if self.upstream().means.is_judged {
            let me = Arc::clone(self);
            drop(tokio::spawn(async move {
                me.handle(Raw::new(frame), ticket).await
            }));
        } else {
            self.pass(frame, ticket);
        }
    }

    /// The whole of it: a call comes to an end of some kind, its caller is told, and it is recorded.
    async fn handle(&self, raw: Raw, ticket: Ticket) {
        let mut life = Life::new(ticket, self.upstream());
        let result = self.settle(raw, &mut life).await;
        let reply = self.reply(&mut life, result);
        let reply = self.record(&life, reply);
        reply.say(life);
    }

    /// What the server answers, or why it does not.
    async fn run(&self, raw: Raw, life: &mut Life) -> Result<Answer, Stop> {
        let call = self.receive(raw, life)?;
        let resolved = self.resolve(call, life).await?;
        let valid = validate::check(resolved, self.takes_format(life.tool()), life)?;
        let permitted = gate::permit(valid)?;
        let admitted = self.admit(permitted, life).await?;
        self.attempt(admitted, life).await
    }

    fn upstream(&self) -> &Upstream {
        self.link.upstream()
    }
}

impl RequestHandler for Pipeline {
    fn accept(self: Arc<Self>, frame: Frame, ticket: Ticket) {
        if frame.method() == "tools/call" {
            return self.take(frame, ticket);
        }
        self.pass_on(frame, ticket);
    }
}

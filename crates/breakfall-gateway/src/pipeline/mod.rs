//! The life of a call of a tool, from the message to the reply.
//!
//! Each stage takes what the one before it made, and nobody else can make that: a stage that is left out does not
//! compile. A failure anywhere is a fault like any other, and becomes a reply like any other.

mod attempt;
mod begin;
mod gate;
mod life;
mod limit;
mod receive;
mod reply;
mod resolve;
mod validate;

use std::sync::Arc;

use attempt::Answer;
pub use gate::Permitted;
use life::{Life, Stop};
pub use limit::Admitted;
pub use receive::{Call, Raw};
pub use resolve::Resolved;
pub use validate::Valid;

use crate::envelope::Frame;
use crate::peer::Ticket;
use crate::relay::Link;

/// Takes calls to one server for one client.
#[derive(Debug)]
pub(crate) struct Pipeline {
    link: Link,
}

impl Pipeline {
    pub(crate) fn new(link: Link) -> Arc<Self> {
        Arc::new(Self { link })
    }

    /// Takes a call, which is answered sooner or later.
    pub(crate) fn take(self: &Arc<Self>, frame: Frame, ticket: Ticket) {
        let me = Arc::clone(self);
        begin::begin(async move { me.handle(Raw::new(frame), ticket).await });
    }

    /// The whole of it.
    async fn handle(&self, raw: Raw, ticket: Ticket) {
        let mut life = Life::new(ticket);
        let end = self.run(raw, &mut life).await;
        self.reply(life, end);
    }

    async fn run(&self, raw: Raw, life: &mut Life) -> Result<Answer, Stop> {
        let call = receive::read(raw, life)?;
        let resolved = self.resolve(call, life).await?;
        let valid = validate::check(resolved, life)?;
        let permitted = gate::permit(valid)?;
        let admitted = limit::admit(permitted, life).await?;
        self.attempt(admitted, life).await
    }
}

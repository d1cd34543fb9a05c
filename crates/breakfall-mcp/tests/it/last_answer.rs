//! A connection is idle, and may be closed, only when the last answer has left.

use std::pin::pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Waker};

use breakfall::Fault;
use breakfall_mcp::connection::{
    Inbound, Listener, LostRequest, OutgoingMessage, Peer, PeerRole, RelatedRequest, SendError,
    Ticket, Transport,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};

/// Answers each request at once.
struct Refusing;

impl Listener for Refusing {
    fn request(&self, _: Frame, ticket: Ticket, _: RelatedRequest) {
        ticket.fail(&Fault::unavailable("shop"), None);
    }

    fn notification(&self, _: Frame, _: &Peer, _: RelatedRequest) {}

    fn lost(&self, lost: LostRequest) {
        lost.ticket.fail(&Fault::unavailable("shop"), None);
    }
}

/// Notes for each message whether the connection was idle when it was sent.
#[derive(Debug)]
struct IdleProbe {
    inbound: Weak<Inbound>,
    seen: Arc<Mutex<Vec<bool>>>,
}

impl Transport for IdleProbe {
    fn carry(&self, _: OutgoingMessage) -> Result<(), SendError> {
        let inbound = self.inbound.upgrade().ok_or(SendError::Over)?;
        let idle = pin!(inbound.peer().idle());
        let is_idle = idle
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_ready();
        self.seen.lock().expect("no panic with it").push(is_idle);
        Ok(())
    }

    fn close(&self) {}
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_has_not_left_keeps_its_connection_busy() {
    let seen = Arc::<Mutex<Vec<bool>>>::default();
    let transport = |inbound: &Weak<Inbound>| -> Arc<dyn Transport> {
        Arc::new(IdleProbe {
            inbound: Weak::clone(inbound),
            seen: Arc::clone(&seen),
        })
    };
    let limits = FrameLimits::REQUEST;
    let inbound = Inbound::new(PeerRole::Client, limits, Arc::new(Refusing), transport);
    let request = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    inbound.receive(request.to_vec(), None);
    assert_eq!(*seen.lock().expect("no panic with it"), [false]);
    inbound.peer().idle().await;
}

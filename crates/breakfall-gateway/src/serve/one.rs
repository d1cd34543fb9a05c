//! One server behind a path, its names untouched.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use crate::envelope::Limits;
use crate::era::Gate;
use crate::front::{Behind, Door, Principal, Seat};
use crate::peer::{Carrier, Ear, Parcel, Side, Unsent};
use crate::relay::Link;
use crate::upstream::Upstream;

/// Gives each session a server of its own, and each principal one for whatever needs no session.
#[derive(Debug)]
pub(crate) struct One {
    upstream: Arc<Upstream>,
    limits: Limits,
    /// What requests without a session share, while somebody uses it.
    common: Mutex<HashMap<Principal, Shared>>,
}

/// A seat that goes when nobody uses it any more.
type Shared = (Weak<Ear>, Weak<Kept>);

impl One {
    pub(crate) fn new(upstream: Arc<Upstream>, limits: Limits) -> Self {
        Self {
            upstream,
            limits,
            common: Mutex::default(),
        }
    }

    fn seat(&self, carrier: Arc<dyn Carrier>) -> (Arc<Ear>, Arc<Kept>) {
        let link = Link::new(Arc::clone(&self.upstream));
        let gate = Gate::new(&link);
        let lens = Arc::clone(&gate) as Arc<_>;
        let ear = Ear::new(Side::Client, self.limits, gate, |_| carrier);
        // It ends by itself once it is told to.
        drop(tokio::spawn(link.clone().keep(ear.peer().clone(), Some(lens))));
        (ear, Arc::new(Kept(link)))
    }
}

impl Door for One {
    fn session(&self, _: &Principal, carrier: Arc<dyn Carrier>) -> Seat {
        let (ear, kept) = self.seat(carrier);
        Seat::new(ear, kept)
    }

    fn common(&self, principal: &Principal) -> Seat {
        let mut common = self
            .common
            .lock()
            .expect("nobody panics while holding this lock");
        let (ear, kept) = common.entry(principal.clone()).or_default();
        if let (Some(ear), Some(kept)) = (ear.upgrade(), kept.upgrade()) {
            return Seat::new(ear, kept);
        }
        let seat = self.seat(Arc::new(Nobody));
        (*ear, *kept) = (Arc::downgrade(&seat.0), Arc::downgrade(&seat.1));
        Seat::new(seat.0, seat.1)
    }
}

/// A server that is kept as long as this.
#[derive(Debug)]
struct Kept(Link);

impl Behind for Kept {}

impl Drop for Kept {
    fn drop(&mut self) {
        self.0.halt();
    }
}

/// What belongs to no request of clients without a session is for nobody.
#[derive(Debug)]
struct Nobody;

impl Carrier for Nobody {
    fn carry(&self, _: Parcel) -> Result<(), Unsent> {
        Err(Unsent::Over)
    }

    fn close(&self) {}

    fn is_heard(&self) -> bool {
        false
    }
}

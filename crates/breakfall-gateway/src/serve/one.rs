//! One server behind a path, its names untouched.

use std::sync::Arc;

use super::endpoint::{Opened, Opens};
use crate::bridge::Gate;
use crate::session::Link;
use crate::upstream::Upstream;
use breakfall_mcp::access::Principal;

/// Gives everybody who comes in a server of their own.
#[derive(Debug)]
pub(crate) struct One(Arc<Upstream>);

impl One {
    pub(crate) fn new(upstream: Arc<Upstream>) -> Self {
        Self(upstream)
    }
}

impl Opens for One {
    fn open(&self, principal: &Principal) -> Opened {
        let link = Link::new(Arc::clone(&self.0), principal.clone());
        let gate = Gate::new(&link);
        Opened {
            listener: Arc::clone(&gate) as Arc<_>,
            links: vec![(link, Some(gate))],
        }
    }
}

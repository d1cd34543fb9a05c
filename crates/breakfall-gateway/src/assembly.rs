//! Puts a session together: what a message of a client passes, in order.
//!
//! ```text
//!  one server      EraBridge ─► ClientSide ─► Pipeline ─► Link
//!  many servers    Aggregate ─► for each: EraBridge ─► ClientSide ─► Pipeline ─► Link
//! ```
//!
//! The bridge comes before the pipeline, so that calls are judged in the era of the server. The aggregate comes before
//! the bridge, so that each server has an era of its own.

use std::sync::Arc;

use crate::aggregate::{All, Many};
use crate::bridge::Gate;
use crate::session::{Link, SessionRoute};
use crate::upstream::Upstream;
use breakfall_mcp::access::Principal;

/// One server, its names unchanged. The session ends with it.
pub fn single(upstream: impl Into<Arc<Upstream>>) -> SessionRoute {
    single_for(upstream.into(), &Principal::Anonymous)
}

/// Many servers as one. The session goes on without those that fail.
pub fn joined(all: Arc<All>) -> SessionRoute {
    joined_for(all, &Principal::Anonymous)
}

pub(crate) fn single_for(upstream: Arc<Upstream>, principal: &Principal) -> SessionRoute {
    let link = Link::new(upstream, principal.clone());
    let gate = Gate::new(&link);
    SessionRoute {
        listener: Arc::clone(&gate) as Arc<_>,
        links: vec![(link, Some(gate))],
        is_single: true,
    }
}

pub(crate) fn joined_for(all: Arc<All>, principal: &Principal) -> SessionRoute {
    let many = Many::new(all, principal);
    SessionRoute {
        links: many.links(),
        listener: Arc::new(many),
        is_single: false,
    }
}

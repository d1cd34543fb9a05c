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

use crate::aggregate::{Aggregate, ServerGroup};
use crate::bridge::EraBridge;
use crate::session::{Link, SessionRoute};
use crate::upstream::Upstream;
use breakfall_mcp::access::Principal;

/// One server, its names unchanged. The session ends with it.
pub fn single(upstream: impl Into<Arc<Upstream>>) -> SessionRoute {
    single_for(upstream.into(), &Principal::Anonymous)
}

/// Many servers as one. The session goes on without those that fail.
pub fn joined(all: Arc<ServerGroup>) -> SessionRoute {
    joined_for(all, &Principal::Anonymous)
}

pub(crate) fn single_for(upstream: Arc<Upstream>, principal: &Principal) -> SessionRoute {
    let link = Link::new(upstream, principal.clone());
    let era_bridge = EraBridge::new(&link);
    SessionRoute {
        listener: Arc::clone(&era_bridge) as Arc<_>,
        links: vec![(link, Some(era_bridge))],
        is_single: true,
    }
}

pub(crate) fn joined_for(all: Arc<ServerGroup>, principal: &Principal) -> SessionRoute {
    let many = Aggregate::new(all, principal);
    SessionRoute {
        links: many.links(),
        listener: Arc::new(many),
        is_single: false,
    }
}

//! One server behind a path, its names untouched.

use std::sync::Arc;

use super::endpoint::Opens;
use crate::assembly;
use crate::session::SessionRoute;
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
    fn open(&self, principal: &Principal) -> SessionRoute {
        assembly::single_for(Arc::clone(&self.0), principal)
    }
}

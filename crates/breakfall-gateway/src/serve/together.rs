//! All servers behind one path.

use std::sync::Arc;

use super::endpoint::Opens;
use crate::aggregate::All;
use crate::assembly;
use crate::session::SessionRoute;
use breakfall_mcp::access::Principal;

/// Gives everybody who comes in servers of their own, as one.
#[derive(Debug)]
pub(super) struct Together(Arc<All>);

impl Together {
    pub(super) fn new(all: All) -> Self {
        Self(Arc::new(all))
    }
}

impl Opens for Together {
    fn open(&self, principal: &Principal) -> SessionRoute {
        assembly::joined_for(Arc::clone(&self.0), principal)
    }
}

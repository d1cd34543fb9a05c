//! Whether there is room for a call now.

use std::sync::Arc;

use super::life::{Life, Stop};
use super::{Call, Permitted, Pipeline};
use crate::resilience::bulkhead::Place;
use crate::tools::Tool;

/// A call that may be passed on, and the room it takes.
#[derive(Debug)]
pub struct Admitted {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
    _place: Option<Place>,
}

impl Pipeline {
    /// Waits for room, if there is to be any.
    ///
    /// # Errors
    /// When there is none in time, or its caller takes it back.
    pub async fn admit(&self, permitted: Permitted, life: &mut Life) -> Result<Admitted, Stop> {
        let (call, tool) = permitted.into_inner().into_parts();
        let (upstream, places, left) = (self.upstream(), life.care.places, life.left());
        let entered = upstream.enter(call.tool(), places, left);
        let place = life.unless_called_off(entered).await?;
        let place = place.map_err(|full| full.fault(&upstream.name))?;
        Ok(Admitted {
            call,
            tool,
            _place: place,
        })
    }
}

impl Admitted {
    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    pub(super) fn tool(&self) -> Option<&Tool> {
        self.tool.as_deref()
    }
}

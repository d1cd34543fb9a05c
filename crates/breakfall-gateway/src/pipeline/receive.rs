//! A message becomes a call: what is asked of which tool.

use breakfall::Fault;

use super::{Life, Stop};
use crate::envelope::{Frame, Params, named_twice};
use crate::peer::Asked;

/// A request for a tool, as it came.
#[derive(Debug)]
pub struct Raw(Frame);

/// A call that can be read.
#[derive(Debug)]
pub struct Call {
    frame: Frame,
    params: Params,
}

impl Raw {
    pub(super) fn new(frame: Frame) -> Self {
        Self(frame)
    }
}

/// Reads a call.
///
/// # Errors
/// When it names no tool, or something twice: nobody can say which of them the server would take.
pub(super) fn read(raw: Raw, life: &mut Life) -> Result<Call, Stop> {
    let Raw(frame) = raw;
    if let Some(twice) = frame.body().and_then(named_twice) {
        let fault = Fault::invalid(format!("'{twice}' stands in the same object twice"))
            .detail("param_name", &*twice)
            .remediation(
                "Send each name once, with the value that is meant; the tool was not called.",
            );
        return Err(Stop::malformed(fault));
    }
    let params = Params::of(&frame);
    life.asked = Asked::of(&frame, &params);
    Ok(Call { frame, params })
}

impl Call {
    pub(super) fn into_parts(self) -> (Frame, Params) {
        (self.frame, self.params)
    }
}

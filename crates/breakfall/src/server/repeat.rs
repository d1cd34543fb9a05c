//! Whether a failed call may be repeated: by the annotations of the tool, not by the code of the failure alone.

use rmcp::model::Tool;

use crate::fault::{Fault, Public};

/// Whether calling a tool twice does no more than calling it once. A tool without annotations may have any effect, as
/// the protocol defines their defaults. One that says it only reads, and that it destroys, contradicts itself.
pub(super) fn is_repeatable(tool: &Tool) -> bool {
    tool.annotations.as_ref().is_some_and(|hints| {
        let reads = hints.read_only_hint == Some(true) && hints.destructive_hint != Some(true);
        reads || hints.idempotent_hint == Some(true)
    })
}

/// A failure that a handler reported without saying whether to call again. The row of its code advises a repetition
/// although the failure can have happened in the middle of the work.
pub(super) fn reported(fault: Fault, is_repeatable: bool) -> Fault {
    if is_repeatable || states_retry(fault.public()) || !fault.public().is_open() {
        fault
    } else {
        fault.maybe_executed()
    }
}

fn states_retry(public: &Public) -> bool {
    public.retry.is_some() || public.wait.is_some() || public.details.get("executed").is_some()
}

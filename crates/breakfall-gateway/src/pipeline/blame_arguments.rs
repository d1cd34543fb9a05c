//! Names the arguments to blame where a server refuses a call without saying which: those that break its schema.

use breakfall::{Category, Fault};

use super::{Admitted, CallFailure};
use crate::config::{Mode, Modes};
use crate::tools::validate;

/// Adds the arguments that were let through and break the schema, and values that would fit.
pub(super) fn in_failure(mut failed: Box<CallFailure>, admitted: &Admitted) -> Box<CallFailure> {
    let public = failed.failure.fault.public();
    let is_open = public.violations().is_empty() && public.corrective_params().is_none();
    let is_refused = failed.original.is_some() && public.category() == Category::Validation;
    let (true, Some(tool)) = (is_refused && is_open, admitted.tool()) else {
        return failed;
    };
    let all = Modes::all(Mode::Reject);
    if let Err(unfit) = validate::check(tool, admitted.call().arguments(), &all) {
        failed.map_fault(|fault| with(fault, &unfit));
    }
    failed
}

/// A fault with the violations of another one.
fn with(fault: Fault, unfit: &Fault) -> Fault {
    let unfit = unfit.public();
    let violations = unfit.violations().iter().cloned();
    let mut fault = violations.fold(fault, Fault::violation);
    if let Some(params) = unfit.corrective_params() {
        fault = fault.corrective_params(params.clone());
    }
    let name = unfit.details().text("param_name");
    if let (Some(name), None) = (name, fault.public().details().get("param_name")) {
        fault = fault.detail("param_name", name);
    }
    let fields = unfit.violations().iter().take(MAX_NAMED);
    let fields = fields.map(|one| cut(&one.field())).collect::<Vec<_>>();
    let remedy = unfit.remediation();
    fault.remediation(format!(
        "What does not fit the schema of the tool: '{}'. {remedy}",
        fields.join("', '")
    ))
}

/// The beginning of a name, enough to recognise it.
fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(100)].to_owned()
}

const MAX_NAMED: usize = 5;

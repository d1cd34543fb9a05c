//! A server refuses arguments without saying which, and some of them did not fit its schema: those it is.

use breakfall::{Category, Fault};

use super::Admitted;
use super::life::Failed;
use crate::config::{ValidationMode, ValidationModes};
use crate::tools::validate;

/// Names what was let through and did not fit, and what would.
pub(super) fn named(mut failed: Box<Failed>, admitted: &Admitted) -> Box<Failed> {
    let public = failed.failure.fault.public();
    let is_open = public.violations().is_empty() && public.corrective_params().is_none();
    let is_refused = failed.original.is_some() && public.category() == Category::Validation;
    let (true, Some(tool)) = (is_refused && is_open, admitted.tool()) else {
        return failed;
    };
    let all = ValidationModes::all(ValidationMode::Reject);
    if let Err(unfit) = validate::check(tool, admitted.call().arguments(), &all) {
        failed.change(|fault| with(fault, &unfit));
    }
    failed
}

/// A failure with what another one knows of the arguments.
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
    let fields = unfit.violations().iter().take(MOST);
    let fields = fields.map(|one| cut(&one.field())).collect::<Vec<_>>();
    let remedy = unfit.remediation();
    fault.remediation(format!(
        "What does not fit the schema of the tool: '{}'. {remedy}",
        fields.join("', '")
    ))
}

/// Enough to be recognised.
fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(100)].to_owned()
}

/// How many are named in words.
const MOST: usize = 5;

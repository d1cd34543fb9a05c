//! Arguments against what a tool says of them: let through, changed, or refused, by what is wrong.
//!
//! What is valid costs little more than reading it. Where something is changed, everything else keeps its bytes: numbers
//! no value can hold, the order of members, the way they are spelt.

use breakfall::catalog::warning;
use breakfall::validate::{Finding, Findings, Kind, Repair};
use breakfall::{Fault, Warning};
use serde_json::{Value, json};

use super::edit::{Change, Changes};
use super::lossy_json;
use super::notice::unchecked;
use super::tool::Tool;
use crate::config::{ValidationMode, ValidationModes, ValidationRule};

/// A call that may go on.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// The arguments in place of those that were sent, if any were changed.
    pub edited: Option<String>,
    /// What the caller is told if the call succeeds.
    pub warnings: Vec<Warning>,
}

/// Checks the arguments of a call, as they are written. No arguments, and `null` for them, are an empty object.
///
/// ```
/// use breakfall_gateway::config::{ValidationMode, ValidationModes, ValidationRule};
/// use breakfall_gateway::tools::{SchemaCache, Tool, validate};
///
/// let item = r#"{"name": "find", "inputSchema": {"properties": {"limit": {"type": "integer"}}}}"#;
/// let tool = Tool::read(item, &SchemaCache::new("shop")).expect("it has a name");
/// let sent = r#"{"limit": "50", "price": 1e400}"#;
///
/// let checked = validate::check(&tool, Some(sent), &ValidationModes::default())?;
/// assert_eq!((checked.edited, checked.warnings.len()), (None, 2));
///
/// let modes = ValidationModes::default().with(ValidationRule::Coercible, ValidationMode::Coerce);
/// let checked = validate::check(&tool, Some(sent), &modes)?;
/// assert_eq!(checked.edited.as_deref(), Some(r#"{"limit": 50, "price": 1e400}"#));
///
/// let fault = validate::check(&tool, Some(sent), &ValidationModes::all(ValidationMode::Reject)).unwrap_err();
/// assert_eq!(fault.code().name(), "VALIDATION_INVALID_TYPE");
/// # Ok::<(), breakfall::Fault>(())
/// ```
///
/// # Errors
/// A fault of the caller that tells every broken rule for which the mode is `ValidationMode::Reject`.
pub fn check(
    tool: &Tool,
    arguments: Option<&str>,
    modes: &ValidationModes,
) -> Result<Checked, Fault> {
    let Some(declared) = tool.input().filter(|_| modes.look_at_arguments()) else {
        return Ok(Checked::default());
    };
    let schema = match declared.compiled(tool.name()) {
        Ok(schema) => schema,
        Err(unusable) => return Ok(Checked::unchecked(tool, &unusable.to_string())),
    };
    let text = arguments
        .filter(|text| text.trim() != "null")
        .unwrap_or("{}");
    let Some(value) = lossy_json::value(text) else {
        return Ok(Checked::unchecked(tool, TOO_LARGE));
    };
    let findings = schema.check(&value);
    if findings.is_empty() {
        return Ok(Checked::default());
    }
    if findings.is_unjudged() {
        return Ok(Checked::unchecked(tool, TOO_LONG));
    }
    decided(tool, text, &value, findings, modes)
}

fn decided(
    tool: &Tool,
    text: &str,
    value: &Value,
    findings: Findings<'_>,
    modes: &ValidationModes,
) -> Result<Checked, Fault> {
    let decisions = decisions(&findings, modes);
    if decisions.contains(&ValidationMode::Reject) {
        let mut decisions = decisions.iter();
        let refused = findings.keep(|_| decisions.next() == Some(&ValidationMode::Reject));
        return refused
            .into_fault(tool.name())
            .map_or_else(|| Ok(Checked::default()), Err);
    }
    let mut changes = Changes::default();
    let mut told = Told::default();
    for (finding, mode) in findings.iter().zip(decisions) {
        match mode {
            ValidationMode::Strip => changes.add(finding.pointer(), Change::Remove),
            ValidationMode::Coerce => {
                if let Some(change) = coercion(&finding, value) {
                    changes.add(finding.pointer(), change);
                    told.repaired(&finding);
                    continue;
                }
            }
            ValidationMode::Warn => {}
            ValidationMode::Off | ValidationMode::Reject => continue,
        }
        told.tell(&finding);
    }
    let edited = Some(changes).filter(|changes| !changes.is_empty());
    Ok(Checked {
        edited: edited.and_then(|changes| changes.make(text)),
        warnings: told.warnings(),
    })
}

/// What happens because of each finding.
fn decisions(findings: &Findings<'_>, modes: &ValidationModes) -> Vec<ValidationMode> {
    let coercible = findings.iter().filter(Finding::is_coercible);
    let coercible: Vec<&str> = coercible.map(|finding| finding.pointer()).collect();
    let rule = |finding: &Finding<'_>| match finding.kind() {
        // Whatever else is wrong with "5" is right with 5, or it would not stand for it.
        kind if kind != Kind::Missing && coercible.contains(&finding.pointer()) => {
            ValidationRule::Coercible
        }
        Kind::Missing => ValidationRule::Missing,
        Kind::Type => ValidationRule::Type,
        Kind::Unknown => ValidationRule::Unknown,
        Kind::Enum => ValidationRule::Enum,
        Kind::Range => ValidationRule::Range,
        Kind::Size => ValidationRule::Size,
        Kind::Pattern => ValidationRule::Pattern,
        Kind::Format => ValidationRule::Format,
        Kind::Other => ValidationRule::Other,
    };
    let all = findings.iter();
    all.map(|finding| modes.of(rule(&finding))).collect()
}

/// How to write what a value stands for. What the caller wrote in a text is taken as it is written: a value would round
/// its numbers.
fn coercion(finding: &Finding<'_>, arguments: &Value) -> Option<Change> {
    // To leave out what may be nothing is to say something else.
    let repair = finding.repair().filter(|_| !finding.is_nullable())?;
    let Repair::Replace(meant) = repair else {
        return (*repair == Repair::Remove).then_some(Change::Remove);
    };
    let sent = arguments.pointer(finding.pointer())?;
    if let Value::String(text) = sent
        && (meant.is_f64() || meant.is_array() || meant.is_object())
        && serde_json::from_str::<Value>(text).is_ok_and(|read| read == *meant)
    {
        return Some(Change::Replace(text.trim().to_owned()));
    }
    if meant
        .as_array()
        .is_some_and(|items| *items == [sent.clone()])
    {
        return Some(Change::Wrap);
    }
    Some(Change::Replace(meant.to_string()))
}

impl Checked {
    fn unchecked(tool: &Tool, reason: &str) -> Self {
        Self {
            edited: None,
            warnings: vec![unchecked(tool.name(), reason)],
        }
    }
}

/// What there is to tell, gathered by what it is about.
#[derive(Default)]
struct Told {
    unknown: Vec<String>,
    valid: Option<Value>,
    repaired: Vec<String>,
    repairs: Vec<Value>,
    unfit: Vec<String>,
    violations: Vec<Value>,
}

impl Told {
    /// A value that is written as what it stands for. A second rule it breaks is the same change.
    fn repaired(&mut self, finding: &Finding<'_>) {
        let violation = finding.violation();
        let field = violation.field();
        if self.repaired.len() >= MOST_TOLD || self.repaired.contains(&field) {
            return;
        }
        let to = match finding.repair() {
            Some(Repair::Replace(meant)) => type_of(meant),
            _ => "nothing",
        };
        let repair = json!({"param_name": field, "to": to});
        self.repairs.push(repair);
        self.repaired.push(field);
    }

    /// Anything else.
    fn tell(&mut self, finding: &Finding<'_>) {
        let list = if finding.kind() == Kind::Unknown {
            &mut self.unknown
        } else {
            &mut self.unfit
        };
        if list.len() >= MOST_TOLD {
            return;
        }
        let violation = finding.violation();
        let field = match violation.field() {
            whole if whole.is_empty() => "arguments".to_owned(),
            field => field,
        };
        let violation = violation.to_value();
        if finding.kind() == Kind::Unknown {
            let valid = violation.get("expected").cloned();
            self.valid = self.valid.take().or(valid);
        } else {
            self.violations.push(violation);
        }
        if !list.contains(&field) {
            list.push(field);
        }
    }

    fn warnings(self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if !self.repaired.is_empty() {
            let warning = Warning::new(warning::ARGUMENTS_REPAIRED);
            let warning = warning.context("params", self.repaired);
            warnings.push(warning.context("repairs", self.repairs));
        }
        if !self.unknown.is_empty() {
            let warning = Warning::new(warning::UNKNOWN_PARAM_IGNORED);
            let warning = warning.context("unknown_params", self.unknown);
            warnings.push(match self.valid {
                Some(valid) => warning.context("valid_params", valid),
                None => warning,
            });
        }
        if !self.unfit.is_empty() {
            let warning = Warning::new(warning::ARGUMENTS_MISMATCH);
            let warning = warning.context("params", self.unfit);
            warnings.push(warning.context("violations", self.violations));
        }
        warnings
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Why arguments are not checked though their schema is fine.
const TOO_LARGE: &str = "they are too large for that";
const TOO_LONG: &str = "by this schema, that would take too long or go too deep";

/// Of one kind. Nobody reads more.
const MOST_TOLD: usize = 16;

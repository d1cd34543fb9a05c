//! Validates arguments against the input schema of a tool: they pass, are edited, or the call is refused, by the kind
//! of violation.
//!
//! Validating costs little more than parsing. In edited arguments everything else keeps its bytes: numbers out of
//! range, the order of members, their escapes.

use breakfall::catalog::warning;
use breakfall::validate::{Finding, Findings, Kind, Repair};
use breakfall::{Fault, Warning};
use serde_json::{Value, json};

use super::edit::{JsonEdits, ValueEdit};
use super::lossy_json;
use super::notice::unchecked;
use super::tool::Tool;
use crate::config::{ValidationMode, ValidationModes, ValidationRule};

/// A call that may proceed.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct CheckedArguments {
    /// The edited arguments, if any were edited.
    pub edited: Option<String>,
    /// The warnings for a caller whose call succeeds.
    pub warnings: Vec<Warning>,
}

/// Validates the arguments of a call. Absent or `null` arguments are an empty object.
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
/// A fault of the caller with every violation whose mode is [`ValidationMode::Reject`].
pub fn check(
    tool: &Tool,
    arguments: Option<&str>,
    modes: &ValidationModes,
) -> Result<CheckedArguments, Fault> {
    let Some(declared) = tool.input().filter(|_| modes.look_at_arguments()) else {
        return Ok(CheckedArguments::default());
    };
    let schema = match declared.compiled(tool.name()) {
        Ok(schema) => schema,
        Err(unusable) => return Ok(CheckedArguments::unchecked(tool, &unusable.to_string())),
    };
    let text = arguments
        .filter(|text| text.trim() != "null")
        .unwrap_or("{}");
    let Some(value) = lossy_json::value(text) else {
        return Ok(CheckedArguments::unchecked(tool, TOO_LARGE));
    };
    let findings = schema.check(&value);
    if findings.is_empty() {
        return Ok(CheckedArguments::default());
    }
    if findings.is_unjudged() {
        return Ok(CheckedArguments::unchecked(tool, TOO_LONG));
    }
    decided(tool, text, &value, findings, modes)
}

fn decided(
    tool: &Tool,
    text: &str,
    value: &Value,
    findings: Findings<'_>,
    modes: &ValidationModes,
) -> Result<CheckedArguments, Fault> {
    let decisions = decisions(&findings, modes);
    if decisions.contains(&ValidationMode::Reject) {
        let mut decisions = decisions.iter();
        let refused = findings.keep(|_| decisions.next() == Some(&ValidationMode::Reject));
        return refused
            .into_fault(tool.name())
            .map_or_else(|| Ok(CheckedArguments::default()), Err);
    }
    let mut changes = JsonEdits::default();
    let mut told = ViolationSummary::default();
    for (finding, mode) in findings.iter().zip(decisions) {
        match mode {
            ValidationMode::Strip => changes.add(finding.pointer(), ValueEdit::Remove),
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
    Ok(CheckedArguments {
        edited: edited.and_then(|changes| changes.make(text)),
        warnings: told.warnings(),
    })
}

/// The decision for each violation.
fn decisions(findings: &Findings<'_>, modes: &ValidationModes) -> Vec<ValidationMode> {
    let coercible = findings.iter().filter(Finding::is_coercible);
    let coercible: Vec<&str> = coercible.map(|finding| finding.pointer()).collect();
    let rule = |finding: &Finding<'_>| match finding.kind() {
        // The coerced value fits the schema, so other violations of the same value are moot.
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

/// The edit that coerces a value. A value in a string is taken as it is written, since parsing it would round numbers.
fn coercion(finding: &Finding<'_>, arguments: &Value) -> Option<ValueEdit> {
    // Dropping a nullable member would change its meaning.
    let repair = finding.repair().filter(|_| !finding.is_nullable())?;
    let Repair::Replace(meant) = repair else {
        return (*repair == Repair::Remove).then_some(ValueEdit::Remove);
    };
    let sent = arguments.pointer(finding.pointer())?;
    if let Value::String(text) = sent
        && (meant.is_f64() || meant.is_array() || meant.is_object())
        && serde_json::from_str::<Value>(text).is_ok_and(|read| read == *meant)
    {
        return Some(ValueEdit::Replace(text.trim().to_owned()));
    }
    if meant
        .as_array()
        .is_some_and(|items| *items == [sent.clone()])
    {
        return Some(ValueEdit::Wrap);
    }
    Some(ValueEdit::Replace(meant.to_string()))
}

impl CheckedArguments {
    fn unchecked(tool: &Tool, reason: &str) -> Self {
        Self {
            edited: None,
            warnings: vec![unchecked(tool.name(), reason)],
        }
    }
}

/// Violations for the caller, grouped by what the caller is told.
#[derive(Default)]
struct ViolationSummary {
    unknown: Vec<String>,
    valid: Option<Value>,
    repaired: Vec<String>,
    repairs: Vec<Value>,
    unfit: Vec<String>,
    violations: Vec<Value>,
}

impl ViolationSummary {
    /// Adds a coerced value. A second violation of the same value is the same edit.
    fn repaired(&mut self, finding: &Finding<'_>) {
        let violation = finding.violation();
        let field = violation.field();
        if self.repaired.len() >= MAX_LISTED_VIOLATIONS || self.repaired.contains(&field) {
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

    /// Adds any other violation.
    fn tell(&mut self, finding: &Finding<'_>) {
        let list = if finding.kind() == Kind::Unknown {
            &mut self.unknown
        } else {
            &mut self.unfit
        };
        if list.len() >= MAX_LISTED_VIOLATIONS {
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

/// The reason why arguments are not validated although their schema is valid.
const TOO_LARGE: &str = "they are too large for that";
const TOO_LONG: &str = "by this schema, that would take too long or go too deep";

/// The number of violations of one kind in a message.
const MAX_LISTED_VIOLATIONS: usize = 16;

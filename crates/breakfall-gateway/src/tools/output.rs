//! Validates results against the output schemas of their tools.

use breakfall::catalog::{codes, warning};
use breakfall::code::Retry;
use breakfall::validate::{Finding, Findings};
use breakfall::{Fault, Violation, Warning};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::lossy_json;
use super::tool::Tool;
use crate::config::ValidationMode;

/// A result that breaks the output schema.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "the two things to do about it")]
pub enum OutputMismatch {
    /// The result is passed on, with a warning.
    Told(Warning),
    /// The caller gets this fault instead.
    Refused(Fault),
}

/// Validates the result of a call. A failure, a request for input and a started task are not validated, since none of
/// them is a result yet; neither are results of a tool without an output schema.
///
/// ```
/// use breakfall_gateway::config::ValidationMode;
/// use breakfall_gateway::tools::{SchemaCache, Tool, output};
///
/// let item = r#"{"name": "count", "outputSchema": {"properties": {"n": {"type": "integer"}}}}"#;
/// let tool = Tool::read(item, &SchemaCache::new("shop")).expect("it has a name");
/// let check = |result| output::check(&tool, result, ValidationMode::Warn);
/// assert!(check(r#"{"content": [], "structuredContent": {"n": 5}}"#).is_none());
/// assert!(check(r#"{"content": [], "isError": true}"#).is_none());
/// assert!(check(r#"{"content": [], "structuredContent": {"n": "many"}}"#).is_some());
/// assert!(check(r#"{"content": []}"#).is_some());
/// ```
pub fn check(tool: &Tool, result: &str, mode: ValidationMode) -> Option<OutputMismatch> {
    let declared = tool.output().filter(|_| mode != ValidationMode::Off)?;
    let content = Content::of(result)?;
    // An invalid schema is logged; the caller cannot fix it.
    let schema = declared.compiled(tool.name()).ok()?;
    let Some(content) = content.0 else {
        let missing = Violation::at("/structuredContent").keyword("required");
        let missing = missing.message("is missing, and the tool has an output schema");
        return Some(mismatch(tool, vec![missing], mode));
    };
    let value = lossy_json::value(content)?;
    let findings = schema.check(&value).keep(|finding| !finding.is_nullable());
    if findings.is_empty() || findings.is_unjudged() {
        return None;
    }
    Some(mismatch(tool, violations(&findings), mode))
}

/// Whether a result, successful or not, has `structuredContent` that breaks the output schema of its tool.
///
/// ```
/// use breakfall_gateway::tools::{SchemaCache, Tool, output};
///
/// let item = r#"{"name": "count", "outputSchema": {"properties": {"n": {"type": "integer"}}}}"#;
/// let tool = Tool::read(item, &SchemaCache::new("shop")).expect("it has a name");
/// assert!(output::is_misfit(&tool, r#"{"isError": true, "structuredContent": {"n": "many"}}"#));
/// assert!(!output::is_misfit(&tool, r#"{"isError": true, "structuredContent": {"why": "late"}}"#));
/// assert!(!output::is_misfit(&tool, r#"{"isError": true}"#));
/// ```
pub fn is_misfit(tool: &Tool, result: &str) -> bool {
    let content = lossy_json::members::<Members<'_>>(result).and_then(|result| result.content);
    let content = content.map(RawValue::get).filter(|raw| *raw != "null");
    let schema = || tool.output()?.compiled(tool.name()).ok();
    let Some((value, schema)) = content.and_then(lossy_json::value).zip(schema()) else {
        return false;
    };
    let findings = schema.check(&value).keep(|finding| !finding.is_nullable());
    !findings.is_empty() && !findings.is_unjudged()
}

/// The structured content of a result.
struct Content<'a>(Option<&'a str>);

impl<'a> Content<'a> {
    fn of(result: &'a str) -> Option<Self> {
        let result: Members<'a> = lossy_json::members(result)?;
        let is = |raw: Option<&RawValue>, word: &str| raw.is_some_and(|raw| raw.get() == word);
        let is_whole = result.kind.is_none() || is(result.kind, "\"complete\"");
        let is_result = is_whole && result.task.is_none() && !is(result.is_error, "true");
        is_result.then(|| Self(result.content.map(RawValue::get)))
    }
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow, default, rename = "resultType")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default)]
    task: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "isError")]
    is_error: Option<&'a RawValue>,
    // `null` is a value here: the schema may require it.
    #[serde(
        borrow,
        default,
        rename = "structuredContent",
        deserialize_with = "some"
    )]
    content: Option<&'a RawValue>,
}

fn some<'a, D: serde::Deserializer<'a>>(from: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

fn violations(findings: &Findings<'_>) -> Vec<Violation> {
    let findings = findings.iter().take(MAX_LISTED_VIOLATIONS);
    findings
        .map(|finding: Finding<'_>| finding.violation())
        .collect()
}

fn mismatch(tool: &Tool, violations: Vec<Violation>, mode: ValidationMode) -> OutputMismatch {
    if mode == ValidationMode::Reject {
        return OutputMismatch::Refused(refused(tool, violations));
    }
    let violations: Vec<Value> = violations.iter().map(Violation::to_value).collect();
    let warning = Warning::new(warning::OUTPUT_MISMATCH).context("operation", tool.name());
    OutputMismatch::Told(warning.context("violations", violations))
}

/// The call was executed, and repeating it would execute it twice.
fn refused(tool: &Tool, violations: Vec<Violation>) -> Fault {
    let name = tool.name();
    let fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM)
        .message("The result does not fit the output schema of the tool")
        .in_operation(name)
        .detail("executed", "yes")
        .retry(Retry::Never)
        .remediation("The tool was called and may have done its work. Look at what it did before you call it again, or use another tool.");
    violations.into_iter().fold(fault, Fault::violation)
}

/// The number of violations in a message.
const MAX_LISTED_VIOLATIONS: usize = 16;

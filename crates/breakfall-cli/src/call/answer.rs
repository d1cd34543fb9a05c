//! The answer of the server → a report.

use breakfall::classify::Classifier;
use breakfall::read::{Channel, Reading, read_by};
use breakfall::wire::Options;
use breakfall::{Category, Elicitation, Fault, Outcome, Public, Verdict};
use breakfall_gateway::classify::{ExecutionEvidence, value_of};
use breakfall_gateway::config::HintTrust;
use breakfall_gateway::resilience::retry;
use breakfall_mcp::jsonrpc::{Frame, Kind};
use breakfall_mcp::protocol::error_code;
use serde_json::Value;

use super::plan::{CallPlan, PlannedAction};
use super::session::UnansweredQuestion;
use super::{CallAnswer, blocks, failure, next_command};
use crate::args::CallArgs;
use crate::exit::CommandExit;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote};

/// The report of an answer. `unanswered` are the questions of the server that had no answer.
pub(super) fn report(
    answer: &CallAnswer,
    unanswered: &[UnansweredQuestion],
    args: &CallArgs,
    plan: &CallPlan,
) -> CommandReport {
    let frame = &answer.frame;
    let mut report = outcome_report(answer, |public: &Public| {
        let arguments = public.corrective_params();
        let is_validation = public.category() == Category::Validation;
        let arguments = arguments.or(answer.correction.as_ref().filter(|_| is_validation))?;
        match &plan.action {
            PlannedAction::Call { tool, .. } => {
                Some(next_command::call(args, plan, tool, arguments))
            }
            PlannedAction::List => None,
        }
    });
    if args.json {
        report.body = ReportBody::ForeignJson(raw_json(frame));
    }
    if !unanswered.is_empty() {
        report.error = Some(declined(unanswered, report.error));
    }
    report
}

/// The error of an answer to `tools/list` that is not a list of tools.
pub(super) fn no_list(frame: &Frame) -> CommandError {
    let body = frame.body().unwrap_or_default();
    CommandError::new(
        CommandExit::Failed,
        "the answer of the server is not a list of tools",
    )
    .fact("said", failure::shortened(body))
}

/// The report of the outcome. `corrected` makes a command line with arguments that fit.
fn outcome_report(
    answer: &CallAnswer,
    corrected: impl Fn(&Public) -> Option<String>,
) -> CommandReport {
    let frame = &answer.frame;
    let message = value_of(frame.text());
    let body = message.get("error").or_else(|| message.get("result"));
    let body = &body.cloned().unwrap_or_default();
    let raw = frame.body().unwrap_or_default();
    if let Some(error) = question(body) {
        return failed(error);
    }
    let classifier = Classifier::new().unmask(true);
    let reading = read_by(message, &Options::new(), &classifier);
    let number = body["code"].as_i64();
    let evidence = ExecutionEvidence::of_reading(&reading, number);
    let Reading {
        outcome,
        dialect,
        channel,
        ..
    } = reading;
    let mut report = CommandReport::new(ReportBody::Foreign(String::new()));
    match outcome {
        // The server calls it a success: the report only adds a warning.
        Outcome::Fault(fault) if channel == Channel::Payload && !is_denied(fault.public()) => {
            report.body = ReportBody::Foreign(blocks::text(body, raw));
            let code = fault.code();
            let text = format!("the server calls this a success, but it reads like {code}");
            report.notes.push(ReportNote::new("warning", text));
        }
        Outcome::Fault(fault) => {
            let fault = advised(fault, evidence, answer.may_repeat);
            // A known dialect has no text beyond what is shown.
            let said = dialect.is_none().then(|| server_text(body));
            let error = failure::error(fault.public(), said.as_deref());
            report.error = Some(match corrected(fault.public()) {
                Some(line) => error.hint(format!("arguments that would do: {line}")),
                None => error,
            });
        }
        Outcome::NeedsInput(question) => report.error = Some(asks(&question)),
        Outcome::Batch(batch) => {
            report.body = ReportBody::Foreign(blocks::text(body, raw));
            if batch.verdict() != Verdict::Complete {
                let message = batch
                    .sentence()
                    .unwrap_or_else(|| "not all is done".to_owned());
                report.error = Some(CommandError::new(CommandExit::Failed, message));
            }
        }
        Outcome::Success(success) => {
            let text = blocks::text(body, raw);
            if text.is_empty() {
                report
                    .notes
                    .push(ReportNote::new("note", "the result is empty"));
            }
            report.body = ReportBody::Foreign(text);
            let warnings = success.warnings().iter();
            let notes = warnings.map(|warning| ReportNote::new("warning", warning.text()));
            report.notes.extend(notes);
        }
    }
    report
}

/// The fault with the retry answer that `run` would give. The session, which does not know the tool, advises to look first.
fn advised(fault: Fault, evidence: ExecutionEvidence, may_repeat: bool) -> Fault {
    let is_repeatable = retry::is_repeatable(None, may_repeat, HintTrust::Believe);
    let fault = if is_repeatable && failure::is_own(fault.public()) {
        let retry = fault.code().entry().retry;
        fault.retry(retry).remediation("")
    } else {
        fault
    };
    let category = fault.public().category();
    retry::answer(evidence, category, is_repeatable).tell(fault)
}

/// Whether the server itself says `"success": false`, outside the place for it.
fn is_denied(public: &Public) -> bool {
    let rule = public.provenance().map(|provenance| &*provenance.rule);
    rule.is_some_and(|rule| rule.contains("disguise.json-denial"))
}

/// The text of a failure: of an error, or of a result.
fn server_text(body: &Value) -> String {
    match body["message"].as_str() {
        Some(message) => message.to_owned(),
        None => blocks::words(body),
    }
}

fn asks(question: &Elicitation) -> CommandError {
    let error = needs_input("the tool needs to know something first");
    let error = error.fact("asks", question.message());
    if question.fields().is_empty() {
        return error;
    }
    error.fact("fields", question.fields().join(", "))
}

/// A question in the answer itself: input before the call continues, or a page to visit.
fn question(body: &Value) -> Option<CommandError> {
    let error = needs_input("the tool needs to know something first");
    if body["resultType"] == "input_required" {
        let requests = body["inputRequests"].as_object().into_iter().flatten();
        return Some(requests.fold(error, |error, (_, request)| {
            let message = request["params"]["message"].as_str();
            let method = request["method"].as_str();
            error.fact("asks", message.or(method).unwrap_or("something"))
        }));
    }
    if body["code"] == error_code::URL_ELICITATION_REQUIRED {
        let pages = body["data"]["elicitations"]
            .as_array()
            .into_iter()
            .flatten();
        return Some(pages.fold(error, |error, page| {
            let text = |key: &str| page[key].as_str().unwrap_or_default();
            error.fact(
                "asks",
                format!("{} {}", text("message"), text("url")).trim(),
            )
        }));
    }
    None
}

/// The server asked during the call and continued without an answer: its result is only a fact of the error.
fn declined(unanswered: &[UnansweredQuestion], result: Option<CommandError>) -> CommandError {
    let mut error = needs_input("the server asked something, and there was no answer for it");
    for UnansweredQuestion { message, fields } in unanswered {
        error = error.fact("asks", message);
        if !fields.is_empty() {
            error = error.fact("fields", fields.join(", "));
        }
    }
    if let Some(other) = result {
        error = error.fact("then", other.message);
    }
    error.hint("give one with --answer '{\"field\":\"value\"}'")
}

/// A report without output.
fn failed(error: CommandError) -> CommandReport {
    CommandReport {
        error: Some(error),
        ..CommandReport::new(ReportBody::Foreign(String::new()))
    }
}

fn needs_input(message: &str) -> CommandError {
    CommandError::new(CommandExit::NeedsInput, message)
}

/// The result as it came, or the error inside an object, so that it cannot be read as a result.
fn raw_json(frame: &Frame) -> String {
    let raw = frame.body().unwrap_or_default();
    match frame.kind() {
        Kind::Error => format!("{{\"error\":{raw}}}\n"),
        Kind::Result | Kind::Request | Kind::Notification => format!("{raw}\n"),
    }
}

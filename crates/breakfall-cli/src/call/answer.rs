//! The answer of the server → what came of the call.

use breakfall::classify::Classifier;
use breakfall::read::{Channel, Reading, read_by};
use breakfall::wire::Options;
use breakfall::{Category, Elicitation, Outcome, Public, Verdict};
use breakfall_gateway::classify::{leaves_open, uncertain, value_of};
use breakfall_mcp::jsonrpc::{Frame, Kind};
use serde_json::Value;

use super::plan::{Plan, What};
use super::session::Question;
use super::{Answer, again, blocks, failure};
use crate::args::Call;
use crate::exit::Exit;
use crate::report::{Body, Note, Problem, Report};

/// What to print, and how to exit. `asked` is what the server wanted to know and was not told.
pub(super) fn report(answer: &Answer, asked: &[Question], args: &Call, plan: &Plan) -> Report {
    let frame = &answer.frame;
    let mut report = told(value_of(frame.text()), frame, |public: &Public| {
        let arguments = public.corrective_params();
        let is_ours_to_say = public.category() == Category::Validation;
        let arguments = arguments.or(answer.would_do.as_ref().filter(|_| is_ours_to_say))?;
        match &plan.what {
            What::Call { tool, .. } => Some(again::call(args, plan, tool, arguments)),
            What::List => None,
        }
    });
    if args.json {
        report.body = Body::Foreign(whole(frame));
    }
    if !asked.is_empty() {
        report.problem = Some(declined(asked, report.problem));
    }
    report
}

/// A server was asked for its tools and answered something else.
pub(super) fn no_list(frame: &Frame) -> Problem {
    let said = frame.body().unwrap_or_default();
    let problem = Problem::input("what the server answered is no list of tools");
    Problem {
        exit: Exit::Failed,
        ..problem.fact("said", failure::shortened(said))
    }
}

/// What the outcome is, in words and by its exit code. `again` makes a command line of arguments that would do.
fn told(message: Value, frame: &Frame, again: impl Fn(&Public) -> Option<String>) -> Report {
    let body = message.get("error").or_else(|| message.get("result"));
    let body = &body.cloned().unwrap_or_default();
    let raw = frame.body().unwrap_or_default();
    if let Some(problem) = question(body) {
        return failed(problem);
    }
    let classifier = Classifier::new().unmask(true);
    let reading = read_by(message, &Options::new(), &classifier);
    let leaves_open = leaves_open(&reading);
    let Reading {
        outcome,
        dialect,
        channel,
        ..
    } = reading;
    let mut report = Report::new(Body::Foreign(String::new()));
    match outcome {
        // The server says that all is well, and it is not for us to say otherwise, only to doubt it.
        Outcome::Fault(fault) if channel == Channel::Payload && !is_denied(fault.public()) => {
            report.body = Body::Foreign(blocks::text(body, raw));
            let text = format!(
                "the server calls this a success, but it reads like {}",
                fault.code()
            );
            report.notes.push(Note::new("warning", text));
        }
        Outcome::Fault(fault) => {
            // Whoever repeats the call, a script among them, may do something twice.
            let fault = if leaves_open { uncertain(fault) } else { fault };
            // A format of ours says nothing that is not shown anyway.
            let said = dialect.is_none().then(|| said(body));
            let problem = failure::problem(fault.public(), said.as_deref());
            report.problem = Some(match again(fault.public()) {
                Some(line) => problem.hint(format!("arguments that would do: {line}")),
                None => problem,
            });
        }
        Outcome::NeedsInput(question) => report.problem = Some(asks(&question)),
        Outcome::Batch(batch) => {
            report.body = Body::Foreign(blocks::text(body, raw));
            if batch.verdict() != Verdict::Complete {
                let what = batch
                    .sentence()
                    .unwrap_or_else(|| "not all is done".to_owned());
                report.problem = Some(Problem {
                    exit: Exit::Failed,
                    ..Problem::input(what)
                });
            }
        }
        Outcome::Success(success) => {
            let text = blocks::text(body, raw);
            if text.is_empty() {
                report.notes.push(Note::new("note", "the result is empty"));
            }
            report.body = Body::Foreign(text);
            let warnings = success.warnings().iter();
            let notes = warnings.map(|warning| Note::new("warning", warning.text()));
            report.notes.extend(notes);
        }
    }
    report
}

/// Whether the server itself says `"success": false`, and only not in the place for it.
fn is_denied(public: &Public) -> bool {
    let rule = public.provenance().map(|provenance| &*provenance.rule);
    rule.is_some_and(|rule| rule.contains("disguise.json-denial"))
}

/// The words of a failure: those of an error, or of a result.
fn said(body: &Value) -> String {
    match body["message"].as_str() {
        Some(message) => message.to_owned(),
        None => blocks::words(body),
    }
}

fn asks(question: &Elicitation) -> Problem {
    let problem = needs_input("the tool needs to know something first");
    let problem = problem.fact("asks", question.message());
    if question.fields().is_empty() {
        return problem;
    }
    problem.fact("fields", question.fields().join(", "))
}

/// The two ways of the protocol to say that a person is needed: input before the call goes on, and a page to visit.
fn question(body: &Value) -> Option<Problem> {
    let problem = needs_input("the tool needs to know something first");
    if body["resultType"] == "input_required" {
        let requests = body["inputRequests"].as_object().into_iter().flatten();
        return Some(requests.fold(problem, |problem, (_, request)| {
            let message = request["params"]["message"].as_str();
            let method = request["method"].as_str();
            problem.fact("asks", message.or(method).unwrap_or("something"))
        }));
    }
    if body["code"] == URL_ELICITATION {
        let pages = body["data"]["elicitations"]
            .as_array()
            .into_iter()
            .flatten();
        return Some(pages.fold(problem, |problem, page| {
            let text = |key: &str| page[key].as_str().unwrap_or_default();
            problem.fact(
                "asks",
                format!("{} {}", text("message"), text("url")).trim(),
            )
        }));
    }
    None
}

/// The server asked while it worked, and went on without an answer. What came of that is of no use to anybody.
fn declined(asked: &[Question], came_of_it: Option<Problem>) -> Problem {
    let mut problem = needs_input("the server asked something, and there was no answer for it");
    for Question { message, fields } in asked {
        problem = problem.fact("asks", message);
        if !fields.is_empty() {
            problem = problem.fact("fields", fields.join(", "));
        }
    }
    if let Some(other) = came_of_it {
        problem = problem.fact("then", other.what);
    }
    problem.hint("give one with --answer '{\"field\":\"value\"}'")
}

/// There is nothing to show but a problem.
fn failed(problem: Problem) -> Report {
    Report {
        problem: Some(problem),
        ..Report::new(Body::Foreign(String::new()))
    }
}

fn needs_input(what: &str) -> Problem {
    Problem {
        exit: Exit::NeedsInput,
        ..Problem::input(what)
    }
}

/// The result as it came, or the error in an object of its own, so that nobody takes it for a result.
fn whole(frame: &Frame) -> String {
    let raw = frame.body().unwrap_or_default();
    match frame.kind() {
        Kind::Error => format!("{{\"error\":{raw}}}\n"),
        Kind::Result | Kind::Request | Kind::Notification => format!("{raw}\n"),
    }
}

const URL_ELICITATION: i64 = -32042;

//! Rewrites requests of clients for the server they name: prefixes of names and addresses are removed.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::outward::{ServerView, json, parse, related_task, text};
use super::uris;
use breakfall_mcp::jsonrpc::{Edit, Frame, may_contain, may_contain_any};
use breakfall_mcp::protocol::method;

/// The name in a request, which decides which server gets it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SubjectName<'a> {
    /// A tool.
    Tool(Cow<'a, str>),
    /// A prompt.
    Prompt(Cow<'a, str>),
    /// A resource, or a template of some.
    Resource(Cow<'a, str>),
    /// A task.
    Task(Cow<'a, str>),
    /// Absent, or not a string.
    Nothing,
}

/// The name in a request, and its position.
#[derive(Debug)]
pub(crate) struct NamedSubject<'a> {
    pub(crate) named: SubjectName<'a>,
    pub(crate) at: Option<Range<usize>>,
}

/// A request state that was not sealed here, or for another server or client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BrokenSealError;

/// The subject of a request; `None` for methods without one.
pub(crate) fn subject(frame: &Frame) -> Option<NamedSubject<'_>> {
    let find = |wanted: for<'a> fn(&SubjectParams<'a>) -> Option<&'a RawValue>| {
        let params: SubjectParams<'_> = frame.body().and_then(parse)?;
        wanted(&params)
    };
    let method = frame.method();
    Some(match &*method {
        method::TOOLS_CALL => named(frame, find(|params| params.name), SubjectName::Tool),
        method::PROMPTS_GET => named(frame, find(|params| params.name), SubjectName::Prompt),
        method::RESOURCES_READ | method::RESOURCES_SUBSCRIBE | method::RESOURCES_UNSUBSCRIBE => {
            named(frame, find(|params| params.uri), SubjectName::Resource)
        }
        method::TASKS_GET | method::TASKS_RESULT | method::TASKS_CANCEL | method::TASKS_UPDATE => {
            named(frame, find(|params| params.task), SubjectName::Task)
        }
        method::COMPLETION_COMPLETE => {
            let reference = find(|params| params.reference);
            let reference = reference.and_then(|raw| parse::<CompletionReference<'_>>(raw.get()));
            match reference {
                Some(CompletionReference { uri: Some(uri), .. }) => {
                    named(frame, Some(uri), SubjectName::Resource)
                }
                Some(CompletionReference { name, .. }) => named(frame, name, SubjectName::Prompt),
                None => named(frame, None, SubjectName::Prompt),
            }
        }
        _ => return None,
    })
}

fn named<'a>(
    frame: &'a Frame,
    raw: Option<&'a RawValue>,
    kind: fn(Cow<'a, str>) -> SubjectName<'a>,
) -> NamedSubject<'a> {
    NamedSubject {
        named: raw.and_then(text).map_or(SubjectName::Nothing, kind),
        at: raw.map(|raw| frame.place_of(raw.get())),
    }
}

/// The edits that make a request fit for its server; the subject at `at` becomes `own`.
///
/// # Errors
/// When the request state was sealed for another server or another client.
pub(crate) fn request(
    view: ServerView<'_>,
    frame: &Frame,
    at: Option<Range<usize>>,
    own: &str,
) -> Result<Vec<Edit>, BrokenSealError> {
    let body = frame.body().unwrap_or_default();
    let mut edits = Vec::new();
    edits.extend(at.map(|at| (at, json(own))));
    let is_ours = uris::has_any(body);
    if !(is_ours || may_contain_any(body.as_bytes(), &["\"requestState\"", "related-task"])) {
        return Ok(edits);
    }
    // Parameters that cannot be parsed may hold a state, so they are refused.
    let params = parse::<SubjectParams<'_>>(body).ok_or(BrokenSealError)?;
    if let Some(state) = params.state {
        let sealed = text(state).ok_or(BrokenSealError)?;
        let opened = view
            .seal
            .open(view.state(), &sealed)
            .ok_or(BrokenSealError)?;
        edits.push((frame.place_of(state.get()), json(opened)));
    }
    edits.extend(related(view, frame, params.meta));
    if let Some(arguments) = params.arguments.filter(|_| is_ours) {
        own_addresses(view, frame, arguments, &mut edits);
    }
    Ok(edits)
}

/// Rewrites a notification or an answer of a client for a server.
pub(crate) fn told(view: ServerView<'_>, frame: Frame) -> Frame {
    let body = frame.body().unwrap_or_default();
    if !may_contain(body.as_bytes(), "related-task") {
        return frame;
    }
    let meta = parse::<SubjectParams<'_>>(body).and_then(|params| params.meta);
    let edits: Vec<Edit> = related(view, &frame, meta).into_iter().collect();
    frame.edited(edits)
}

/// The task a message belongs to.
fn related(view: ServerView<'_>, frame: &Frame, meta: Option<&RawValue>) -> Option<Edit> {
    let raw = related_task(meta)?.id?;
    let id = text(raw)?;
    let (at, own) = view.names.split(&id)?;
    (at == view.at).then(|| (frame.place_of(raw.get()), json(own)))
}

/// Arguments may repeat an address of an earlier answer, which the server knows without the prefix.
fn own_addresses(view: ServerView<'_>, frame: &Frame, arguments: &RawValue, edits: &mut Vec<Edit>) {
    let front = format!("\"{}", uris::front(view.names, view.at));
    let start = frame.place_of(arguments.get()).start;
    for at in memmem::find_iter(arguments.get().as_bytes(), front.as_bytes()) {
        // After a backslash the address is inside of a string that holds JSON, which stays as it is.
        if !arguments.get()[..at].ends_with('\\') {
            let at = start + at + 1;
            edits.push((at..at + front.len() - 1, String::new()));
        }
    }
}

#[derive(Deserialize)]
struct SubjectParams<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "ref")]
    reference: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    task: Option<&'a RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "requestState")]
    state: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CompletionReference<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
}

//! Rewrites messages of one server for clients of many: names, addresses and ids get the server's prefix. Texts and
//! structured content are not searched, and anything unexpected stays as it is.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::seal::{Seal, SealPurpose};
use super::{UpstreamNames, uris};
pub(super) use breakfall_mcp::jsonrpc::object as parse;
use breakfall_mcp::jsonrpc::{Edit, Frame, Kind, may_contain_any};
use breakfall_mcp::protocol::meta::UPSTREAM;
use breakfall_mcp::protocol::method;

/// What is needed to rewrite the messages of one server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerView<'a> {
    pub(crate) names: &'a UpstreamNames,
    pub(crate) at: usize,
    pub(crate) seal: &'a Seal,
    pub(crate) principal: &'a str,
}

/// Rewrites an answer. `is_plain` if the client asked for a resource by the server's own address, which then stays.
/// Most answers have nothing to rewrite, and are not parsed to find out.
pub(crate) fn answer(view: ServerView<'_>, frame: Frame, is_plain: bool) -> Frame {
    let body = frame.body().unwrap_or_default();
    if !may_contain_any(body.as_bytes(), &MARKS) {
        return frame;
    }
    let mut edits = AnswerEdits::new(view, &frame);
    edits.keeps_uris = is_plain;
    match frame.kind() {
        Kind::Error => edits.error(body),
        Kind::Result | Kind::Request | Kind::Notification => edits.result(body, INSIDE),
    }
    let edits = edits.list;
    frame.edited(edits)
}

/// Rewrites a notification or a request of the server.
pub(crate) fn told(view: ServerView<'_>, frame: Frame) -> Frame {
    let body = frame.body().unwrap_or_default();
    let mut edits = AnswerEdits::new(view, &frame);
    match &*frame.method() {
        method::RESOURCES_UPDATED => edits.updated(body),
        method::TASKS_STATUS | method::TASKS_CHANGED => edits.result(body, INSIDE),
        method::ELICITATION_COMPLETE | method::ELICITATION_CREATE => edits.elicitation(body),
        method::SAMPLING_CREATE => edits.sampling(body),
        method::MESSAGE => edits.message(body),
        _ => {}
    }
    let edits = edits.list;
    frame.edited(edits)
}

struct AnswerEdits<'a> {
    view: ServerView<'a>,
    frame: &'a Frame,
    keeps_uris: bool,
    list: Vec<Edit>,
}

impl<'a> AnswerEdits<'a> {
    fn new(view: ServerView<'a>, frame: &'a Frame) -> Self {
        Self {
            view,
            frame,
            keeps_uris: false,
            list: Vec::new(),
        }
    }

    /// The result of a call, a prompt, a resource or a task. `inside` is how many nested results are rewritten.
    fn result(&mut self, body: &'a str, inside: u8) {
        let Some(all) = parse::<ResultBody<'a>>(body) else {
            return;
        };
        self.blocks(all.content, inside);
        for message in items(all.messages) {
            if let Some(MessageBody { content }) = parse(message.get()) {
                self.blocks(content, inside);
            }
        }
        for resource in items(all.contents) {
            if let Some(ResourceBody { uri }) = parse(resource.get()) {
                self.uri(uri);
            }
        }
        self.state(all.state);
        self.tagged(all.task_id);
        if let Some(TaskBody { id }) = all.task.and_then(|task| parse(task.get())) {
            self.tagged(id);
        }
        self.related(all.meta);
        if let Some(result) = all.result.filter(|_| inside > 0) {
            self.result(result.get(), inside - 1);
        }
    }

    /// One block of content, or a list of them.
    fn blocks(&mut self, content: Option<&'a RawValue>, inside: u8) {
        let Some(content) = content else { return };
        if content.get().starts_with('{') {
            return self.block(content, inside);
        }
        for block in items(Some(content)) {
            self.block(block, inside);
        }
    }

    fn block(&mut self, block: &'a RawValue, inside: u8) {
        let Some(block) = parse::<BlockBody<'a>>(block.get()) else {
            return;
        };
        let is_web = |raw: &RawValue| text(raw).is_some_and(|uri| uris::is_web(&uri));
        if !block.uri.is_some_and(is_web) {
            self.uri(block.uri);
        }
        if let Some(ResourceBody { uri }) = block.resource.and_then(|raw| parse(raw.get())) {
            self.uri(uri);
        }
        if inside > 0 {
            self.blocks(block.content, inside - 1);
        }
    }

    fn error(&mut self, body: &'a str) {
        let data = parse::<ErrorBody<'a>>(body).and_then(|error| error.data);
        let Some(data) = data.and_then(|data| parse::<ErrorData<'a>>(data.get())) else {
            return;
        };
        self.uri(data.uri);
        for elicitation in items(data.elicitations) {
            if let Some(ElicitationBody { id, .. }) = parse(elicitation.get()) {
                self.tagged(id);
            }
        }
    }

    fn updated(&mut self, body: &'a str) {
        if let Some(ResourceBody { uri }) = parse(body) {
            self.uri(uri);
        }
    }

    fn elicitation(&mut self, body: &'a str) {
        if let Some(ElicitationBody { id, meta }) = parse(body) {
            self.tagged(id);
            self.related(meta);
        }
    }

    fn sampling(&mut self, body: &'a str) {
        let Some(all) = parse::<ResultBody<'a>>(body) else {
            return;
        };
        for message in items(all.messages) {
            if let Some(MessageBody { content }) = parse(message.get()) {
                self.blocks(content, INSIDE);
            }
        }
        self.related(all.meta);
    }

    /// The server is named in `_meta`; the log message itself stays as it is.
    fn message(&mut self, body: &'a str) {
        let Some(MetaBody { meta }) = parse(body) else {
            return;
        };
        let (outer, inner) = match meta.filter(|meta| meta.get().starts_with('{')) {
            Some(meta) => (meta.get(), format!(r#""{UPSTREAM}":"#)),
            None => (body, format!(r#""_meta":{{"{UPSTREAM}":"#)),
        };
        let name = json(self.view.names.upstream(self.view.at));
        let end = if meta.is_some() { "" } else { "}" };
        let comma = if outer[1..].trim_ascii_start().starts_with('}') {
            ""
        } else {
            ","
        };
        let at = self.frame.place_of(outer).start + 1;
        self.list
            .push((at..at, format!("{inner}{name}{end}{comma}")));
    }

    fn uri(&mut self, raw: Option<&'a RawValue>) {
        if !self.keeps_uris
            && let Some((raw, uri)) = raw.and_then(|raw| Some((raw, text(raw)?)))
        {
            let front = uris::front(self.view.names, self.view.at);
            self.set(raw, &(front + &uri));
        }
    }

    fn tagged(&mut self, raw: Option<&'a RawValue>) {
        if let Some((raw, id)) = raw.and_then(|raw| Some((raw, text(raw)?))) {
            let tagged = self.view.names.tag(self.view.at, &id);
            self.set(raw, &tagged);
        }
    }

    fn state(&mut self, raw: Option<&'a RawValue>) {
        if let Some((raw, state)) = raw.and_then(|raw| Some((raw, text(raw)?))) {
            let sealed = self.view.seal.close(self.view.state(), &state);
            self.set(raw, &sealed);
        }
    }

    /// The task a message belongs to.
    fn related(&mut self, meta: Option<&'a RawValue>) {
        if let Some(TaskBody { id }) = related_task(meta) {
            self.tagged(id);
        }
    }

    fn set(&mut self, raw: &RawValue, to: &str) {
        self.list.push((self.frame.place_of(raw.get()), json(to)));
    }
}

impl<'a> ServerView<'a> {
    /// What the state of a request is sealed for.
    pub(crate) fn state(self) -> SealPurpose<'a> {
        SealPurpose {
            what: "requestState",
            upstream: self.names.upstream(self.at),
            principal: self.principal,
        }
    }
}

pub(super) fn related_task(meta: Option<&RawValue>) -> Option<TaskBody<'_>> {
    let RelatedTaskMeta { task } = parse(meta?.get())?;
    parse(task?.get())
}

pub(super) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str(raw.get())
        .ok()
        .map(|BorrowedText(text)| text)
}

pub(super) fn items(list: Option<&RawValue>) -> Vec<&RawValue> {
    list.and_then(|list| serde_json::from_str(list.get()).ok())
        .unwrap_or_default()
}

pub(super) fn json(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// A string, borrowed if it has no escapes.
#[derive(Deserialize)]
struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct ResultBody<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    messages: Option<&'a RawValue>,
    #[serde(borrow, default)]
    contents: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "requestState")]
    state: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    task_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    task: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct MessageBody<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct BlockBody<'a> {
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    resource: Option<&'a RawValue>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ResourceBody<'a> {
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct TaskBody<'a> {
    #[serde(borrow, default, rename = "taskId")]
    pub(super) id: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ElicitationBody<'a> {
    #[serde(borrow, default, rename = "elicitationId")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ErrorBody<'a> {
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ErrorData<'a> {
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    elicitations: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct MetaBody<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RelatedTaskMeta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/related-task")]
    task: Option<&'a RawValue>,
}

/// An answer without any of these has nothing to rewrite.
const MARKS: [&str; 4] = [
    "\"uri\"",
    "\"requestState\"",
    "\"taskId\"",
    "\"elicitationId\"",
];
/// How deep results and blocks may be nested: a task holds the result of a call, which holds blocks.
const INSIDE: u8 = 2;

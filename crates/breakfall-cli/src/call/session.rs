//! Our end of the connection: one request at a time, and an ear for whatever else the server says.

use breakfall_gateway::classify::value_of;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, Kind};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};

use super::{Done, handshake, tools};
use crate::out;
use crate::report::Note;

/// The `_meta` of a request.
pub(super) type Meta = Map<String, Value>;

pub(super) struct Session {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    is_quiet: bool,
    /// The server speaks the protocol of 2026-07-28, in which every request says who asks.
    is_modern: bool,
    /// The last request, if it may be cancelled.
    cancellable: Option<u64>,
    last: u64,
    /// What to answer when the server wants to know something.
    answer: Option<Box<RawValue>>,
    /// What it wanted to know, and was not told.
    asked: Vec<Question>,
}

/// What a server wanted to know.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) message: String,
    /// The names in the answer, each with what it has to be.
    pub(super) fields: Vec<String>,
}

#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: &'a P,
}

impl Session {
    pub(super) fn new(stream: DuplexStream, answer: Option<Box<RawValue>>, is_quiet: bool) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self {
            reader: BufReader::new(reader),
            writer,
            is_quiet,
            is_modern: false,
            cancellable: None,
            last: 0,
            answer,
            asked: Vec::new(),
        }
    }

    /// From now on every request says who asks.
    pub(super) fn modern(&mut self) {
        self.is_modern = true;
    }

    pub(super) fn meta(&self) -> Meta {
        if self.is_modern {
            handshake::meta()
        } else {
            Meta::new()
        }
    }

    /// [`Self::meta`], asking for progress as well.
    pub(super) fn meta_with_progress(&self) -> Meta {
        let mut meta = self.meta();
        meta.insert("progressToken".to_owned(), "call".into());
        meta
    }

    /// Asks, and listens until there is the answer. The relay answers if the server does not.
    pub(super) async fn ask(
        &mut self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<Frame, Done> {
        self.last += 1;
        let id = self.last;
        // The handshake must not be cancelled.
        self.cancellable = (method != "initialize").then_some(id);
        let request = Request {
            jsonrpc: "2.0",
            id,
            method,
            params,
        };
        let line = serde_json::to_string(&request).expect("what we ask is JSON");
        self.write(line).await?;
        let answer = self.listen(&Id::number(id)).await?;
        self.cancellable = None;
        Ok(answer)
    }

    /// Tells.
    pub(super) async fn tell(&mut self, method: &str, params: &Value) -> Result<(), Done> {
        let note = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.write(note.to_string()).await
    }

    /// Takes back what was asked last; false if that cannot be.
    pub(super) async fn cancel(&mut self) -> bool {
        let Some(id) = self.cancellable.take() else {
            return false;
        };
        let params = json!({"requestId": id, "reason": "interrupted by the user"});
        self.tell("notifications/cancelled", &params).await.is_ok()
    }

    /// Hangs up, and gives what the server wanted to know and was not told.
    pub(super) fn close(self) -> Vec<Question> {
        self.asked
    }

    async fn write(&mut self, mut line: String) -> Result<(), Done> {
        line.push('\n');
        let written = self.writer.write_all(line.as_bytes()).await;
        written.map_err(|_| Done::Gone)
    }

    async fn listen(&mut self, id: &Id) -> Result<Frame, Done> {
        loop {
            let mut line = Vec::new();
            let read = self.reader.read_until(b'\n', &mut line).await;
            if line.pop() != Some(b'\n') || read.is_err() {
                return Err(Done::Gone);
            }
            let Ok(frame) = Frame::parse(line, &FrameLimits::RESPONSE) else {
                continue;
            };
            match (frame.kind(), frame.id()) {
                (Kind::Result | Kind::Error, Some(other)) if other == id => return Ok(frame),
                // An error nobody can tell the request of: there is only ours.
                (Kind::Error, None) => return Ok(frame),
                (Kind::Result | Kind::Error, _) | (Kind::Request, None) => {}
                (Kind::Notification, _) => self.told(&frame),
                // It would send our answer back as well, and that would be the answer to our request.
                (Kind::Request, _) if frame.method() == "initialize" => return Err(Done::Echo),
                (Kind::Request, Some(id)) => {
                    let answer = self.answer(&frame, id);
                    self.write(answer).await?;
                }
            }
        }
    }

    fn told(&self, frame: &Frame) {
        if self.is_quiet {
            return;
        }
        let params = frame.body().map(value_of).unwrap_or_default();
        match &*frame.method() {
            "notifications/progress" => out::tell(&Note::new("progress", progress(&params))),
            "notifications/message" => out::tell(&Note::new("log", logged(&params))),
            _ => {}
        }
    }

    /// The server asks. Where there is no answer, each question has its own way to say so.
    fn answer(&mut self, frame: &Frame, id: &Id) -> String {
        let result = match &*frame.method() {
            "ping" => "{}".to_owned(),
            "elicitation/create" => self.elicited(frame),
            method => {
                let message = format!("breakfall call has no {method}");
                let error = json!({"code": -32601, "message": message});
                return format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#);
            }
        };
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
    }

    fn elicited(&mut self, frame: &Frame) -> String {
        let params = frame.body().map(value_of).unwrap_or_default();
        match &self.answer {
            // Nobody visits a page here.
            Some(content) if params["mode"] != "url" => {
                format!(r#"{{"action":"accept","content":{content}}}"#)
            }
            Some(_) | None => {
                let message = params["message"].as_str().unwrap_or("something");
                let fields = tools::rows(&params["requestedSchema"]).into_iter();
                self.asked.push(Question {
                    message: message.to_owned(),
                    fields: fields
                        .map(|[name, kind, _]| format!("{name} ({kind})"))
                        .collect(),
                });
                r#"{"action":"decline"}"#.to_owned()
            }
        }
    }
}

/// `3/10 copying`.
fn progress(params: &Value) -> String {
    let mut text = params["progress"].to_string();
    if let Some(total) = params["total"].as_number() {
        text = format!("{text}/{total}");
    }
    match params["message"].as_str() {
        Some(message) => format!("{text} {message}"),
        None => text,
    }
}

/// `warning: the disk is nearly full (storage)`.
fn logged(params: &Value) -> String {
    let level = params["level"].as_str().unwrap_or("info");
    let data = &params["data"];
    let text = match data.as_str().or_else(|| data["message"].as_str()) {
        Some(text) => text.to_owned(),
        None => data.to_string(),
    };
    match params["logger"].as_str() {
        Some(logger) => format!("{level}: {text} ({logger})"),
        None => format!("{level}: {text}"),
    }
}

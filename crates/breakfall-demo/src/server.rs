//! The server as a state machine: it takes a line and the time, and produces lines.

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::delayed::DelayedJobs;
use crate::elicitation::{FormAnswers, OpenQuestions};
use crate::message::{ShopOutbox, ShopRpcError, failure};
use crate::request::{ClientEra, ShopRequest};
use crate::shop::{ShopEvent, ShopState};
use crate::subscriptions::Subscriptions;
use crate::tools::{self, ProtocolBreach, ShopCall, ShopOutcome};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, Kind};
use breakfall_mcp::lines::Line;
use breakfall_mcp::protocol::method;

/// One connection and the shop behind it.
#[derive(Debug, Default)]
pub(crate) struct ShopServer {
    pub(crate) shop: ShopState,
    /// What `initialize` agreed on.
    pub(crate) session: Option<ClientEra>,
    pub(crate) watch: Subscriptions,
    running: DelayedJobs,
    asks: OpenQuestions,
    out: ShopOutbox,
    over: bool,
}

impl ShopServer {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Takes a line.
    pub(crate) fn receive(&mut self, line: Line, now: Instant) {
        let bytes = match line {
            Line::Whole(bytes) => bytes,
            Line::Start(_) | Line::More(_) | Line::Unfinished(_) => return,
            Line::End(_) => return self.complain(&ShopRpcError::invalid_request()),
        };
        match Frame::parse(bytes, &FrameLimits::REQUEST) {
            Ok(frame) => self.take_in(&frame, now),
            Err(refusal) => {
                let error = match refusal.rpc.number() {
                    -32700 => ShopRpcError::parse_error(),
                    _ => ShopRpcError::invalid_request(),
                };
                match &refusal.id {
                    Some(id) => self.out.error(id, &error),
                    None => self.complain(&error),
                }
            }
        }
    }

    /// Does what is due.
    pub(crate) fn tick(&mut self, now: Instant) {
        self.running.tick(now, &mut self.out);
    }

    /// When the next thing is due.
    pub(crate) fn wake(&self) -> Option<Instant> {
        self.running.wake()
    }

    /// The other side has closed the connection.
    pub(crate) fn close(&mut self) {
        self.watch.close(&mut self.out);
        self.over = true;
    }

    /// What there is to write.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.out.take()
    }

    /// Whether this was all.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    fn complain(&mut self, error: &ShopRpcError) {
        // The older versions are read by libraries that follow JSON-RPC here, the newest one has no id at all.
        self.out.complaint(self.session.is_some(), error);
    }

    fn take_in(&mut self, frame: &Frame, now: Instant) {
        match (frame.kind(), frame.id()) {
            (Kind::Request, Some(id)) => self.request(frame, id, now),
            (Kind::Result | Kind::Error, Some(id)) => self.answered(frame, id, now),
            (Kind::Notification, _) if frame.method() == method::CANCELLED => {
                self.cancelled(frame);
            }
            // Nothing else a client tells us about itself matters to a shop.
            (Kind::Notification | Kind::Request | Kind::Result | Kind::Error, _) => {}
        }
    }

    fn request(&mut self, frame: &Frame, id: &Id, now: Instant) {
        let read = ShopRequest::read(frame, id.clone(), self.session.as_ref());
        let answer = read.and_then(|request| self.handle(&request, now));
        self.reply(id, answer);
    }

    fn handle(
        &mut self,
        request: &ShopRequest,
        now: Instant,
    ) -> Result<Option<Value>, ShopRpcError> {
        if request.method == method::TOOLS_CALL {
            let given = request.params.get("inputResponses").cloned();
            let state = request.params.get("requestState").cloned();
            return self.call(request, &FormAnswers::new(given, state), now);
        }
        if request.method == method::SUBSCRIPTIONS_LISTEN && request.era.is_modern() {
            let Self {
                watch, shop, out, ..
            } = self;
            return watch.listen(request, shop, out).map(|()| None);
        }
        self.method(request).map(Some)
    }

    fn reply(&mut self, id: &Id, answer: Result<Option<Value>, ShopRpcError>) {
        match answer {
            Ok(Some(result)) => self.out.result(id, &result),
            Ok(None) => {}
            Err(error) => self.out.error(id, &error),
        }
    }

    fn call(
        &mut self,
        request: &ShopRequest,
        answers: &FormAnswers,
        now: Instant,
    ) -> Result<Option<Value>, ShopRpcError> {
        let name = request.text("name")?;
        let unknown = || ShopRpcError::invalid_params(format!("Unknown tool: {name}"));
        let tool = tools::find(name, &self.shop).ok_or_else(unknown)?;
        let arguments = match request.params.get("arguments") {
            None => Value::Object(Map::new()),
            Some(given @ Value::Object(_)) => given.clone(),
            Some(_) => {
                let message = "params.arguments must be an object";
                return Err(ShopRpcError::invalid_params(message));
            }
        };
        if let Err(words) = tools::check(tool, &arguments) {
            return Ok(Some(request.era.dress(failure(words))));
        }
        let call = ShopCall {
            arguments: &arguments,
            answers,
            now,
        };
        let outcome = (tool.run)(&mut self.shop, &call);
        self.announce(&request.era);
        self.settle(request, outcome, now)
    }

    /// Turns what a tool came to into what is written.
    fn settle(
        &mut self,
        request: &ShopRequest,
        outcome: ShopOutcome,
        now: Instant,
    ) -> Result<Option<Value>, ShopRpcError> {
        Ok(match outcome {
            ShopOutcome::Answer(result) => Some(request.era.dress(result)),
            ShopOutcome::Refused(error) => return Err(error),
            ShopOutcome::Silence => None,
            ShopOutcome::Later(job) => match self.running.start(request, job, now) {
                Ok(()) => None,
                Err(full) => Some(request.era.dress(full)),
            },
            ShopOutcome::Ask(question) => self.asks.ask(request, &question, &mut self.out)?,
            ShopOutcome::Broken(how) => {
                self.misbehave(request, how);
                None
            }
        })
    }

    fn misbehave(&mut self, request: &ShopRequest, how: ProtocolBreach) {
        let (id, out) = (&request.id, &mut self.out);
        match how {
            ProtocolBreach::Crash { half_a_line } => {
                if half_a_line {
                    out.noise(b"{\"jsonrpc\":\"2.0\",\"id\":");
                }
                self.over = true;
            }
            ProtocolBreach::Noise(noise, result) => {
                out.noise(noise.as_bytes());
                out.result(id, &request.era.dress(result));
            }
            ProtocolBreach::WrongId(result) => {
                let wrong = Id::from_json("\"nobody-asked\"").expect("a string is an id");
                out.result(&wrong, &request.era.dress(result));
            }
            ProtocolBreach::Twice(first, second) => {
                out.result(id, &request.era.dress(first));
                out.result(id, &request.era.dress(second));
            }
        }
    }

    /// The client has answered a question of the shop.
    fn answered(&mut self, frame: &Frame, id: &Id, now: Instant) {
        let Some(asked) = self.asks.take(id) else {
            return;
        };
        let body = frame
            .body()
            .and_then(|body| serde_json::from_str(body).ok());
        let answer = match (frame.kind(), body) {
            (Kind::Result, Some(result)) => {
                let answers = asked.answers(&result);
                self.call(&asked.request, &answers, now)
            }
            (Kind::Result | Kind::Error | Kind::Request | Kind::Notification, _) => {
                let words = "The client could not ask the user; nothing was done.";
                Ok(Some(asked.request.era.dress(failure(words))))
            }
        };
        self.reply(&asked.request.id, answer);
    }

    fn cancelled(&mut self, frame: &Frame) {
        let params = frame
            .body()
            .and_then(|body| serde_json::from_str(body).ok());
        let Some(id) = params.and_then(|mut params: Map<String, Value>| params.remove("requestId"))
        else {
            return;
        };
        self.running.cancel(&id);
        self.watch.unlisten(&id);
        self.asks.cancel(&id, &mut self.out);
    }

    /// Tells the client what the last call changed, as far as it wants to know.
    fn announce(&mut self, era: &ClientEra) {
        for event in self.shop.take_events() {
            if let ShopEvent::Log(level, words) = &event {
                if era.level().is_some_and(|least| *level >= least) {
                    let params = json!({"level": level.as_str(), "logger": "shop", "data": words});
                    self.out.notification(method::MESSAGE, &params);
                }
                continue;
            }
            let legacy = self.session.is_some();
            self.watch.tell(&event, legacy, &mut self.out);
        }
    }
}

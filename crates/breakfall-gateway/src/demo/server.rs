//! The server as a state machine: a line and the time in, lines out.

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::ask::{Answers, Asks};
use super::lines::Line;
use super::message::{Outbox, Refused, failure, value_of};
use super::request::{Era, Request};
use super::running::Running;
use super::shop::{Event, Shop};
use super::tools::{self, Break, Call, Outcome};
use super::watch::Watch;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, Kind};

/// One connection and the shop behind it.
#[derive(Debug, Default)]
pub(super) struct Server {
    pub(super) shop: Shop,
    /// What `initialize` agreed on.
    pub(super) session: Option<Era>,
    pub(super) watch: Watch,
    running: Running,
    asks: Asks,
    out: Outbox,
    over: bool,
}

impl Server {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Takes a line.
    pub(super) fn receive(&mut self, line: Line, now: Instant) {
        let Line::Whole(bytes) = line else {
            return self.complain(&Refused::invalid_request());
        };
        match Frame::parse(bytes, &FrameLimits::REQUEST) {
            Ok(frame) => self.take_in(&frame, now),
            Err(refusal) => {
                let error = match refusal.rpc.number() {
                    -32700 => Refused::parse_error(),
                    _ => Refused::invalid_request(),
                };
                match &refusal.id {
                    Some(id) => self.out.error(id, &error),
                    None => self.complain(&error),
                }
            }
        }
    }

    /// Does what is due.
    pub(super) fn tick(&mut self, now: Instant) {
        self.running.tick(now, &mut self.out);
    }

    /// When the next thing is due.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.running.wake()
    }

    /// The other side has closed the connection.
    pub(super) fn close(&mut self) {
        self.watch.close(&mut self.out);
        self.over = true;
    }

    /// What there is to write.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.out.take()
    }

    /// Whether this was all.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    fn complain(&mut self, error: &Refused) {
        // The older versions are read by libraries that follow JSON-RPC here, the newest one has no id at all.
        self.out.complaint(self.session.is_some(), error);
    }

    fn take_in(&mut self, frame: &Frame, now: Instant) {
        match (frame.kind(), frame.id()) {
            (Kind::Request, Some(id)) => self.request(frame, id, now),
            (Kind::Result | Kind::Error, Some(id)) => self.answered(frame, id, now),
            (Kind::Notification, _) if frame.method() == "notifications/cancelled" => {
                self.cancelled(frame);
            }
            // Nothing else a client tells us about itself matters to a shop.
            (Kind::Notification | Kind::Request | Kind::Result | Kind::Error, _) => {}
        }
    }

    fn request(&mut self, frame: &Frame, id: &Id, now: Instant) {
        let read = Request::read(frame, id.clone(), self.session.as_ref());
        let answer = read.and_then(|request| self.handle(&request, now));
        self.reply(id, answer);
    }

    fn handle(&mut self, request: &Request, now: Instant) -> Result<Option<Value>, Refused> {
        if request.method == "tools/call" {
            let given = request.params.get("inputResponses").cloned();
            let state = request.params.get("requestState").cloned();
            return self.call(request, &Answers::new(given, state), now);
        }
        if request.method == "subscriptions/listen" && request.era.is_modern() {
            let Self {
                watch, shop, out, ..
            } = self;
            return watch.listen(request, shop, out).map(|()| None);
        }
        self.method(request).map(Some)
    }

    fn reply(&mut self, id: &Id, answer: Result<Option<Value>, Refused>) {
        match answer {
            Ok(Some(result)) => self.out.result(id, &result),
            Ok(None) => {}
            Err(error) => self.out.error(id, &error),
        }
    }

    fn call(
        &mut self,
        request: &Request,
        answers: &Answers,
        now: Instant,
    ) -> Result<Option<Value>, Refused> {
        let name = request.text("name")?;
        let unknown = || Refused::invalid_params(format!("Unknown tool: {name}"));
        let tool = tools::find(name, &self.shop).ok_or_else(unknown)?;
        let arguments = match request.params.get("arguments") {
            None => Value::Object(Map::new()),
            Some(given @ Value::Object(_)) => given.clone(),
            Some(_) => {
                let message = "params.arguments must be an object";
                return Err(Refused::invalid_params(message));
            }
        };
        if let Err(words) = tools::check(tool, &arguments) {
            return Ok(Some(request.era.dress(failure(words))));
        }
        let call = Call {
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
        request: &Request,
        outcome: Outcome,
        now: Instant,
    ) -> Result<Option<Value>, Refused> {
        Ok(match outcome {
            Outcome::Answer(result) => Some(request.era.dress(result)),
            Outcome::Refused(error) => return Err(error),
            Outcome::Silence => None,
            Outcome::Later(job) => match self.running.start(request, job, now) {
                Ok(()) => None,
                Err(full) => Some(request.era.dress(full)),
            },
            Outcome::Ask(question) => self.asks.ask(request, &question, &mut self.out)?,
            Outcome::Broken(how) => {
                self.misbehave(request, how);
                None
            }
        })
    }

    fn misbehave(&mut self, request: &Request, how: Break) {
        let (id, out) = (&request.id, &mut self.out);
        match how {
            Break::Crash { half_a_line } => {
                if half_a_line {
                    out.noise(b"{\"jsonrpc\":\"2.0\",\"id\":");
                }
                self.over = true;
            }
            Break::Noise(noise, result) => {
                out.noise(noise.as_bytes());
                out.result(id, &request.era.dress(result));
            }
            Break::WrongId(result) => {
                let wrong = Id::from_json("\"nobody-asked\"").expect("a string is an id");
                out.result(&wrong, &request.era.dress(result));
            }
            Break::Twice(first, second) => {
                out.result(id, &request.era.dress(first));
                out.result(id, &request.era.dress(second));
            }
        }
    }

    /// The client has answered a question of ours.
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
    fn announce(&mut self, era: &Era) {
        for event in self.shop.take_events() {
            if let Event::Log(level, words) = &event {
                if era.level().is_some_and(|least| *level >= least) {
                    let params = json!({"level": level.as_str(), "logger": "shop", "data": words});
                    self.out.notification("notifications/message", &params);
                }
                continue;
            }
            let legacy = self.session.is_some();
            self.watch.tell(&event, legacy, &mut self.out);
        }
    }
}

/// Whether an id that came inside a message is this one.
pub(super) fn is(id: &Id, value: &Value) -> bool {
    value_of(id) == *value
}

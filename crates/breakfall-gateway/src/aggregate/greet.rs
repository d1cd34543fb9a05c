//! The handshake with many servers: each gets the client's, and the gateway answers for all of them.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::Aggregate;
use super::ask::{PendingPart, RequestOrigin, ServerReply};
use super::gather::{ListRetry, PartOutcome, PartReply, PartRequest, answer, read};
use super::list::ListMethod;
use super::merge::ServerPart;
use super::outward::{parse, text};
use breakfall_mcp::connection::Ticket;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};

impl Aggregate {
    /// Answers `initialize`, the handshake of a client with a session.
    pub(super) fn initialize(&self, frame: Frame, ticket: Ticket) {
        *self.0.initialized.lock() = None;
        let asking = RequestOrigin::of(&ticket);
        let questions = (0..self.0.members.len())
            .map(|at| self.greet(at, frame.clone(), &asking))
            .collect();
        self.hello(frame, ticket, &asking, questions, false);
    }

    /// Answers `server/discover`, the request of a client without a session.
    pub(super) fn discover(&self, frame: Frame, ticket: Ticket) {
        let asking = RequestOrigin::of(&ticket);
        let questions = (0..self.0.members.len()).map(|at| {
            let question = self.ask(at, frame.clone(), &asking);
            self.overheard(at, question, |_, _, _| {})
        });
        let questions = questions.collect();
        self.hello(frame, ticket, &asking, questions, true);
    }

    /// Sends the handshake to one server. Other requests to that server wait for its answer.
    pub(super) fn greet(&self, at: usize, frame: Frame, asking: &RequestOrigin) -> PendingPart {
        let member = self.member(at);
        member.greet();
        let (question, ticket) = asking.question();
        if let Some(ticket) = ticket {
            member.hello(frame.clone(), ticket);
        }
        self.overheard(at, question, move |many, at, said| {
            let again = said.is_err().then_some(frame);
            let initialized = many.0.initialized.lock().clone();
            many.member(at).greeted(again, initialized);
        })
    }

    /// Records the capabilities of a server before its answer is passed on.
    fn overheard(
        &self,
        at: usize,
        question: PendingPart,
        then: impl FnOnce(&Self, usize, &ServerReply) + Send + 'static,
    ) -> PendingPart {
        let (sender, answer) = oneshot::channel();
        let many = self.clone();
        drop(tokio::spawn(async move {
            let said = tokio::select! {
                said = question.answer => said,
                never = many.member(at).answer_late() => match never {},
            };
            let said = said.unwrap_or_else(|_| Err("it does not answer".into()));
            if said.is_ok() {
                many.set_late(at, false);
            }
            if let Ok(frame) = &said
                && frame.kind() == Kind::Result
                && let Some(capabilities) = capabilities(frame)
            {
                many.member(at).set_capabilities(capabilities);
            }
            then(&many, at, &said);
            // The receiver may have stopped waiting.
            let _ = sender.send(said);
        }));
        PendingPart {
            key: question.key,
            answer,
        }
    }

    fn hello(
        &self,
        frame: Frame,
        ticket: Ticket,
        asking: &RequestOrigin,
        questions: Vec<PendingPart>,
        is_modern: bool,
    ) {
        let asking = asking.alone();
        let parts = questions.into_iter().enumerate();
        let parts = parts.map(|(at, question)| PartRequest {
            at,
            question,
            wait: self.greeting(at),
        });
        let parts = parts.collect();
        let lists = lists(&frame, &asking, is_modern);
        let later = lists.clone();
        let finish = move |many: &Self, came: Vec<(usize, PartOutcome)>, ticket: Ticket| {
            let read: Vec<_> = came
                .into_iter()
                .map(|(at, came)| (at, read(came)))
                .collect();
            let parts = read
                .iter()
                .map(|(at, read)| (*at, many.greeted(*at, read, &lists)));
            let parts: Vec<_> = parts.collect();
            let requested = requested(&frame);
            answer(
                ticket,
                many.asker(is_modern).hello(&parts, requested.as_deref()),
            );
        };
        let late = move |many: &Self, at: usize, said: ServerReply| match said {
            Ok(_) => later.iter().for_each(|again| {
                many.member(at).found(again.list);
                many.announce(again);
            }),
            Err(_) => later.iter().for_each(|again| many.missed(at, again)),
        };
        self.gather(ticket, parts, !is_modern, finish, late);
    }

    /// The handshake result of one server. A server that failed is asked for its lists again later.
    fn greeted<'a>(
        &self,
        at: usize,
        read: &'a PartReply,
        lists: &[ListRetry],
    ) -> ServerPart<&'a str> {
        match read {
            PartReply::Result(frame) => ServerPart::Answer(frame.body().unwrap_or_default()),
            PartReply::Unknown => {
                ServerPart::Lost("it does not know how to be greeted".into(), Vec::new())
            }
            PartReply::Lost(why) => {
                for again in lists {
                    self.missed(at, again);
                }
                ServerPart::Lost(why.clone(), Vec::new())
            }
            PartReply::Late(why) => {
                self.set_late(at, true);
                for again in lists {
                    self.member(at).miss(again.list, again.frame.clone());
                }
                ServerPart::Lost(why.clone(), Vec::new())
            }
        }
    }
}

/// How to request the lists of a server that missed the handshake, once it is back.
fn lists(hello: &Frame, asking: &RequestOrigin, is_modern: bool) -> Vec<ListRetry> {
    // Only modern clients repeat their capabilities in each request.
    let params = hello.body().filter(|_| is_modern).unwrap_or("{}");
    let lists = [
        ListMethod::Tools,
        ListMethod::Prompts,
        ListMethod::Resources,
    ]
    .into_iter();
    let asked = lists.filter_map(|list| {
        let method = list.method();
        let text = format!(r#"{{"jsonrpc":"2.0","id":0,"method":"{method}","params":{params}}}"#);
        let frame = Frame::parse(text.into_bytes(), &FrameLimits::RESPONSE).ok()?;
        Some(ListRetry {
            list,
            frame,
            asking: asking.clone(),
            is_modern,
            page: 0,
        })
    });
    asked.collect()
}

/// The protocol version a client requests.
fn requested(hello: &Frame) -> Option<String> {
    #[derive(Deserialize)]
    struct HandshakeParams<'a> {
        #[serde(borrow, default, rename = "protocolVersion")]
        version: Option<&'a RawValue>,
    }
    let version = parse::<HandshakeParams<'_>>(hello.body()?)?.version?;
    text(version).map(Into::into)
}

fn capabilities(answer: &Frame) -> Option<Value> {
    #[derive(Deserialize)]
    struct CapabilitiesBody {
        capabilities: Option<Value>,
    }
    parse::<CapabilitiesBody>(answer.body()?)?.capabilities
}

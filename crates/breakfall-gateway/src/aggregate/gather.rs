//! Sends one request to many servers and merges the answers that arrive in time.

use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use breakfall::Fault;
use breakfall::wire::Rpc;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};

use super::ask::{PendingPart, RequestOrigin, ServerReply};
use super::list::{ListMethod, ListPage};
use super::merge::ServerPart;
use super::outward::{json, parse, text};
use super::{Aggregate, is_modern, refuse_ambiguous};
use crate::config::LostUpstream;
use breakfall_mcp::connection::{RpcMethod, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id, Kind};
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;

/// A request whose parts are under way.
#[derive(Debug)]
pub(super) struct OpenRequest {
    ticket: Mutex<Option<Ticket>>,
    /// The index of each server, and the key of the request to it.
    parts: Mutex<Vec<(usize, Id)>>,
    /// A handshake cannot be cancelled.
    is_kept: bool,
}

/// The request to one of the servers.
pub(super) struct PartRequest {
    pub(super) at: usize,
    pub(super) question: PendingPart,
    pub(super) wait: Duration,
}

/// The answer of one server at the deadline.
pub(super) enum PartOutcome {
    Replied(ServerReply),
    /// No answer within this time.
    Late(Duration),
}

impl OpenRequest {
    pub(super) fn new(ticket: Ticket, is_kept: bool) -> Arc<Self> {
        Arc::new(Self {
            ticket: Mutex::new(Some(ticket)),
            parts: Mutex::default(),
            is_kept,
        })
    }

    pub(super) fn add(&self, at: usize, key: Id) {
        self.parts.lock().push((at, key));
    }

    /// Takes the ticket, unless the request was answered already.
    pub(super) fn take(&self) -> Option<Ticket> {
        self.ticket().take()
    }

    pub(super) fn ticket(&self) -> MutexGuard<'_, Option<Ticket>> {
        self.ticket.lock()
    }

    /// The client has cancelled the request.
    pub(super) fn cancel(&self, many: &Aggregate) {
        let Some(ticket) = self.take() else { return };
        let client = ticket.peer().clone();
        ticket.withdraw();
        let parts = self.parts.lock().clone();
        for (at, key) in parts.into_iter().filter(|_| !self.is_kept) {
            if !client.recall(&key) {
                many.member(at).cancelled(&key);
            }
        }
    }
}

impl Aggregate {
    /// Sends a request to one server once its handshake is over.
    pub(super) fn ask(&self, at: usize, frame: Frame, asking: &RequestOrigin) -> PendingPart {
        let (question, ticket) = asking.question();
        if let Some(ticket) = ticket {
            self.send(at, frame, ticket);
        }
        question
    }

    /// Sends a request to one server with this ticket.
    pub(super) fn send(&self, at: usize, frame: Frame, ticket: Ticket) {
        let asking = RequestOrigin::of(&ticket);
        if let Some(hello) = self.member(at).request(frame, ticket) {
            drop(self.greet(at, hello, &asking.alone()));
        }
    }

    /// Answers a request when all parts have arrived or their time is up; `late` gets those that arrive afterwards.
    pub(super) fn gather(
        &self,
        ticket: Ticket,
        parts: Vec<PartRequest>,
        is_kept: bool,
        finish: impl FnOnce(&Self, Vec<(usize, PartOutcome)>, Ticket) + Send + 'static,
        late: impl Fn(&Self, usize, ServerReply) + Clone + Send + 'static,
    ) {
        let key = ticket.key().clone();
        let open = OpenRequest::new(ticket, is_kept);
        self.0.open.lock().insert(key.clone(), Arc::clone(&open));
        for part in &parts {
            open.add(part.at, part.question.key.clone());
        }
        let many = self.clone();
        let now = Instant::now();
        drop(tokio::spawn(async move {
            let mut came = Vec::new();
            let mut rest = Vec::new();
            // Awaited one after the other, but all of them are under way.
            for PartRequest { at, question, wait } in parts {
                let mut answer = question.answer;
                if let Ok(said) = timeout_at(now + wait, &mut answer).await {
                    came.push((at, PartOutcome::Replied(said.unwrap_or_else(|_| gone()))));
                } else {
                    came.push((at, PartOutcome::Late(wait)));
                    rest.push((at, answer));
                }
            }
            many.0.open.lock().remove(&key);
            let ticket = open.take();
            let is_wanted = ticket.is_some();
            if let Some(ticket) = ticket {
                finish(&many, came, ticket);
            }
            for (at, answer) in rest.into_iter().filter(|_| is_wanted) {
                let (many, late) = (many.clone(), late.clone());
                drop(tokio::spawn(async move {
                    let said = answer.await.unwrap_or_else(|_| gone());
                    late(&many, at, said);
                }));
            }
        }));
    }

    /// Answers with the joined list of all servers.
    pub(super) fn list(&self, list: ListMethod, frame: Frame, ticket: Ticket) {
        let is_modern = is_modern(&frame);
        let Some((page, frames)) = self.pages(list, &frame, is_modern) else {
            return bad_cursor(ticket);
        };
        let asking = RequestOrigin::of(&ticket);
        let parts = frames.into_iter().map(|(at, frame)| PartRequest {
            at,
            question: self.ask(at, frame, &asking),
            wait: self.listing(at),
        });
        let parts = parts.collect();
        let again = ListRetry {
            list,
            frame,
            asking: asking.alone(),
            is_modern,
            page,
        };
        let later = again.clone();
        let finish = move |many: &Self, came: Vec<(usize, PartOutcome)>, ticket: Ticket| {
            let parts = came.into_iter();
            let parts = parts.map(|(at, came)| (at, many.part(at, came, &again)));
            let parts: Vec<_> = parts.collect();
            answer(ticket, many.asker(is_modern).list(list, page, &parts));
        };
        let late = move |many: &Self, at: usize, said: ServerReply| {
            if let ServerPart::Lost(..) = many.part(at, PartOutcome::Replied(said), &later) {
                return;
            }
            many.announce(&later);
        };
        self.gather(ticket, parts, false, finish, late);
    }

    /// The number of the requested page and the request to each server that has a part of it: all servers, or those
    /// with more pages. `None` if the cursor was not issued by this gateway.
    fn pages(&self, list: ListMethod, frame: &Frame, is_modern: bool) -> Option<PageRequests> {
        let Some(raw) = cursor(frame) else {
            let all = 0..self.0.members.len();
            let all = all.filter(|at| self.member(*at).may_have(list.capability()));
            return Some((0, all.map(|at| (at, frame.clone())).collect()));
        };
        let next = self.asker(is_modern).open_cursor(list, &text(raw)?)?;
        let place = frame.place_of(raw.get());
        let cursors = next.cursors.into_iter();
        let found = cursors.filter_map(|(name, cursor)| {
            let edit = (place.clone(), json(&cursor));
            let at = self.names().find(&name)?;
            Some((at, frame.clone().edited(vec![edit])))
        });
        Some((next.page, found.collect()))
    }

    /// How long a list waits for a server; shorter if the server did not answer the last time.
    pub(super) fn listing(&self, at: usize) -> Duration {
        let most = if self.member(at).is_missing() {
            MISSING_SERVER_WAIT
        } else {
            LIST_WAIT
        };
        self.at_most(at, most)
    }

    /// How long the first handshake waits for a server, which may have to be started; shorter if the server was too
    /// late for an earlier client.
    pub(super) fn greeting(&self, at: usize) -> Duration {
        let most = if self.is_late(at) {
            MISSING_SERVER_WAIT
        } else {
            HANDSHAKE_WAIT
        };
        self.at_most(at, most)
    }

    /// Never waits longer than a request to that server alone would.
    fn at_most(&self, at: usize, most: Duration) -> Duration {
        let upstream = self.member(at).link.upstream();
        most.min(upstream.timeouts.idle)
    }

    /// Reads one server's part of a list and remembers its items.
    fn part(&self, at: usize, came: PartOutcome, again: &ListRetry) -> ServerPart<ListPage> {
        let (member, list) = (self.member(at), again.list);
        let why = match read(came) {
            PartReply::Result(frame) => {
                let body = frame.body().unwrap_or_default();
                match ListPage::read(self.view(at), list, body) {
                    Some(mut page) => {
                        member.learn(list, &mut page, again.page);
                        return ServerPart::Answer(page);
                    }
                    None => "its answer is not such a list".into(),
                }
            }
            PartReply::Unknown => {
                member.found(list);
                return ServerPart::Nothing;
            }
            PartReply::Late(why) => {
                member.miss(list, again.frame.clone());
                return self.lost(at, why, again);
            }
            PartReply::Lost(why) => why,
        };
        self.missed(at, again);
        self.lost(at, why, again)
    }

    fn lost(&self, at: usize, why: Box<str>, again: &ListRetry) -> ServerPart<ListPage> {
        let is_kept = again.page == 0 && self.0.all.lost == LostUpstream::Keep;
        let items = if is_kept {
            self.member(at).items(again.list)
        } else {
            Vec::new()
        };
        ServerPart::Lost(why, items)
    }

    /// Sets the log level of every server that supports logging.
    pub(super) fn level(&self, frame: &Frame, ticket: Ticket) {
        let asking = RequestOrigin::of(&ticket);
        let all = 0..self.0.members.len();
        let parts = all.filter(|at| self.member(*at).may_have("logging"));
        let parts = parts.map(|at| PartRequest {
            at,
            question: self.ask(at, frame.clone(), &asking),
            wait: self.listing(at),
        });
        let parts = parts.collect();
        let finish = |_: &Self, came: Vec<(usize, PartOutcome)>, ticket: Ticket| {
            let mut refusal = None;
            for (_, came) in came {
                match came {
                    PartOutcome::Replied(Ok(frame)) if frame.kind() == Kind::Result => {
                        return ticket.answer(frame, RpcMethod::SetLevel);
                    }
                    PartOutcome::Replied(Ok(frame)) => refusal = Some(frame),
                    PartOutcome::Replied(Err(_)) | PartOutcome::Late(_) => {}
                }
            }
            match refusal {
                Some(frame) => ticket.answer(frame, RpcMethod::SetLevel),
                None => refuse_ambiguous(ticket, method::LOGGING_SET_LEVEL),
            }
        };
        self.gather(ticket, parts, false, finish, |_, _, _| {});
    }
}

/// How to request a list again.
#[derive(Debug, Clone)]
pub(super) struct ListRetry {
    pub(super) list: ListMethod,
    pub(super) frame: Frame,
    pub(super) asking: RequestOrigin,
    pub(super) is_modern: bool,
    /// The number of the page; the first is 0.
    pub(super) page: u32,
}

/// The number of a page, and the request to each server for its part of it.
type PageRequests = (u32, Vec<(usize, Frame)>);

/// The answer of a server, read.
pub(super) enum PartReply {
    Result(Frame),
    /// The server does not implement the method.
    Unknown,
    Lost(Box<str>),
    Late(Box<str>),
}

pub(super) fn read(came: PartOutcome) -> PartReply {
    match came {
        PartOutcome::Replied(Ok(frame)) if frame.kind() == Kind::Result => PartReply::Result(frame),
        PartOutcome::Replied(Ok(frame)) => match code(&frame) {
            Some(METHOD_NOT_FOUND) => PartReply::Unknown,
            Some(code) => PartReply::Lost(format!("it answered with error {code}").into()),
            None => PartReply::Lost("it answered with an error".into()),
        },
        PartOutcome::Replied(Err(why)) => PartReply::Lost(why),
        PartOutcome::Late(wait) => {
            PartReply::Late(format!("no answer within {} s", wait.as_secs()).into())
        }
    }
}

/// Answers with a serialized result.
pub(super) fn answer(ticket: Ticket, result: String) {
    match RawValue::from_string(result) {
        Ok(result) => ticket.result(&result),
        // Dropping the ticket answers with an internal error.
        Err(_) => drop(ticket),
    }
}

fn gone() -> ServerReply {
    Err("it does not answer".into())
}

fn bad_cursor(ticket: Ticket) {
    let fault = Fault::invalid("This cursor was not issued by this gateway, or has expired")
        .detail("param_name", "cursor")
        .remediation("Ask for the list from its start, without a cursor.");
    ticket.fail(&fault, Some(Rpc::InvalidParams));
}

fn cursor(frame: &Frame) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct CursorParams<'a> {
        #[serde(borrow, default)]
        cursor: Option<&'a RawValue>,
    }
    parse::<CursorParams<'_>>(frame.body()?)?.cursor
}

fn code(frame: &Frame) -> Option<i64> {
    #[derive(Deserialize)]
    struct ErrorCodeBody {
        code: i64,
    }
    Some(parse::<ErrorCodeBody>(frame.body()?)?.code)
}

/// The JSON-RPC code for a method that is not implemented.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
/// How long a list waits for a server that did not answer the last time.
const MISSING_SERVER_WAIT: Duration = Duration::from_secs(1);
const LIST_WAIT: Duration = Duration::from_secs(10);
/// Servers are often downloaded before they start; clients wait for half a minute and more.
const HANDSHAKE_WAIT: Duration = Duration::from_secs(20);

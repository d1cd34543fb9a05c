//! Routes a request to the server it names.

use std::ops::Range;
use std::sync::Arc;

use breakfall::Fault;
use breakfall::wire::Rpc;
use memchr::memmem;
use tokio::time::timeout;

use super::ask::RequestOrigin;
use super::gather::{OpenRequest, PartOutcome, PartReply, read};
use super::inward::{self, NamedSubject, SubjectName};
use super::list::{ListMethod, ListPage};
use super::member::AggregateMember;
use super::outward::{self, json};
use super::{Aggregate, refuse_ambiguous, unknown, uris};
use crate::config::TrustLevel;
use crate::resilience::fallback::{FallbackCandidate, choose};
use crate::tools::{DeclaredSchema, Tool, ToolLookup};
use breakfall_mcp::connection::{Ticket, ToolNaming, TransportHeaders};
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::list_pages::ListPages;

/// The names of tools from the position of one server.
#[derive(Debug)]
struct MemberNaming {
    many: Aggregate,
    at: usize,
}

impl ToolNaming for MemberNaming {
    fn name(&self, upstream: Option<&str>, tool: &str) -> Option<String> {
        let names = self.many.names();
        let at = match upstream {
            Some(upstream) => names.find(upstream)?,
            None => self.at,
        };
        Some(names.join(at, tool))
    }

    fn like(&self, tool: &str) -> Option<String> {
        let member = &self.many.0.members[self.at];
        let (ToolLookup::Known(tool) | ToolLookup::Stale(tool)) = member.link.tools().find(tool)
        else {
            return None;
        };
        let names = self.many.names();
        let members = self.many.0.members.iter().enumerate();
        let others = members.filter(|(at, member)| *at != self.at && member.works(tool.name()));
        let others = others.filter_map(|(at, member)| {
            let found = member.link.tools().find(tool.name());
            let (ToolLookup::Known(other) | ToolLookup::Stale(other)) = found else {
                return None;
            };
            Some((names.join(at, tool.name()), other, member))
        });
        let others: Vec<_> = others.collect();
        let failing = names.join(self.at, tool.name());
        let failing = offer(&failing, &tool, member)?;
        let others = others.iter();
        let others = others.filter_map(|(name, other, member)| offer(name, other, member));
        choose(&failing, None, others).map(str::to_owned)
    }
}

/// A tool as a possible fallback; `None` without a schema.
fn offer<'a>(
    name: &'a str,
    tool: &'a Tool,
    member: &AggregateMember,
) -> Option<FallbackCandidate<'a>> {
    let schema = tool.input().map(DeclaredSchema::text);
    let trust = member.link.upstream().trust;
    Some(FallbackCandidate {
        tool: tool.name(),
        name,
        schema: schema.filter(|schema| !schema.is_empty())?,
        is_read_only: tool.hints().read_only == Some(true)
            && trust >= TrustLevel::CommunityReviewed,
    })
}

impl Aggregate {
    /// Passes a request on to the server it names.
    pub(super) fn route(&self, frame: Frame, ticket: Ticket) {
        let Some(NamedSubject { named, at: place }) = inward::subject(&frame) else {
            return self.anything(frame, ticket);
        };
        let (names, all) = (self.names(), &self.0.members);
        let found = match &named {
            SubjectName::Tool(name) | SubjectName::Prompt(name) => {
                let list = list_of(&named);
                let Some((at, rest)) = names.split(name) else {
                    return self.unknown(list, name, ticket);
                };
                let Some(own) = all[at].own(list, name, rest) else {
                    let name = name.clone().into_owned();
                    return self.look(at, list, name, frame, ticket);
                };
                (at, own.into_owned(), false)
            }
            SubjectName::Resource(uri) => match uris::split(names, uri) {
                Some((at, own)) => (at, own.to_owned(), false),
                None => match self.owner(uri) {
                    Some(at) => (at, uri.clone().into_owned(), true),
                    None => return unknown::resource(names, uri, ticket),
                },
            },
            SubjectName::Task(id) => match names.split(id) {
                Some((at, own)) => (at, own.to_owned(), false),
                None => return unknown::task(id, ticket),
            },
            SubjectName::Nothing => return unknown::nothing(&frame.method(), ticket),
        };
        let (at, own, is_plain) = found;
        self.pass(at, frame, place, &own, is_plain, ticket);
    }

    /// Passes a request on to a server, under the name that server uses.
    fn pass(
        &self,
        at: usize,
        frame: Frame,
        place: Option<Range<usize>>,
        own: &str,
        is_plain: bool,
        ticket: Ticket,
    ) {
        let Ok(edits) = inward::request(self.view(at), &frame, place, own) else {
            return broken(ticket);
        };
        let many = self.clone();
        let ticket = ticket.then(move |frame, ticket, method| {
            ticket.answer(outward::answer(many.view(at), frame, is_plain), method);
        });
        let seat = MemberNaming {
            many: self.clone(),
            at,
        };
        let ticket = ticket.naming(Arc::new(seat));
        self.send(at, frame.edited(edits), unnamed(ticket));
    }

    /// A request without a name, which only goes through if there is a single server.
    fn anything(&self, frame: Frame, ticket: Ticket) {
        match &*self.0.members {
            [_] => self.pass(0, frame, None, "", false, ticket),
            _ => refuse_ambiguous(ticket, &frame.method()),
        }
    }

    /// The server that listed a resource under this address.
    fn owner(&self, uri: &str) -> Option<usize> {
        let owners = |owns: &dyn Fn(usize) -> bool| {
            let mut owners = (0..self.0.members.len()).filter(|at| owns(*at));
            let only = owners.next();
            only.filter(|_| owners.next().is_none())
        };
        let listed = owners(&|at| self.member(at).has(ListMethod::Resources, uri));
        // The page of a tool is at the address its tool names, so it has no prefix.
        let page = || {
            let quoted = json(uri);
            let shows = |at| {
                let tools = self.member(at).items(ListMethod::Tools);
                let mut tools = tools.iter().map(|tool| tool.text.as_bytes());
                tools.any(|tool| memmem::find(tool, quoted.as_bytes()).is_some())
            };
            uri.starts_with("ui://").then(|| owners(&shows)).flatten()
        };
        listed
            .or_else(page)
            .or_else(|| owners(&|at| self.member(at).may_have("resources")))
    }

    /// An unknown or shortened name: the server is asked for its list before the request is refused.
    fn look(&self, at: usize, list: ListMethod, name: String, frame: Frame, ticket: Ticket) {
        let asking = RequestOrigin::of(&ticket);
        let key = ticket.key().clone();
        let open = OpenRequest::new(ticket, false);
        self.0.open.lock().insert(key.clone(), Arc::clone(&open));
        let many = self.clone();
        drop(tokio::spawn(async move {
            let wait = many.listing(at);
            let is_listed = timeout(wait, many.list_again(at, list, &frame, &asking)).await;
            many.0.open.lock().remove(&key);
            // Cancelled meanwhile.
            let Some(ticket) = open.take() else { return };
            let rest = many.names().split(&name).map_or("", |(_, rest)| rest);
            let own = match many.member(at).own(list, &name, rest) {
                Some(own) => own,
                // The list is incomplete, so the server decides.
                None if is_listed != Ok(true) => rest.into(),
                None => return many.unknown(list, &name, ticket),
            };
            let place = inward::subject(&frame).and_then(|subject| subject.at);
            many.pass(at, frame, place, &own, false, ticket);
        }));
    }

    /// Reads all pages of a server's list; false if it did not answer.
    async fn list_again(
        &self,
        at: usize,
        list: ListMethod,
        like: &Frame,
        asking: &RequestOrigin,
    ) -> bool {
        let mut pages = ListPages::new(list.method(), meta_of(like));
        while let Some(frame) = pages.request() {
            let question = self.ask(at, frame, asking);
            let said = question.answer.await;
            let said = said.unwrap_or_else(|_| Err("it does not answer".into()));
            let PartReply::Result(frame) = read(PartOutcome::Replied(said)) else {
                return false;
            };
            let read = ListPage::read(self.view(at), list, frame.body().unwrap_or_default());
            let Some(mut read) = read else { return false };
            self.member(at).learn(list, &mut read, pages.number());
            if !pages.advance(read.next) {
                return pages.is_complete();
            }
        }
        false
    }
}

fn list_of(named: &SubjectName<'_>) -> ListMethod {
    match named {
        SubjectName::Prompt(_) => ListMethod::Prompts,
        SubjectName::Tool(_)
        | SubjectName::Resource(_)
        | SubjectName::Task(_)
        | SubjectName::Nothing => ListMethod::Tools,
    }
}

/// Drops the `Mcp-Name` header, whose name the server does not know.
fn unnamed(ticket: Ticket) -> Ticket {
    match ticket.extra() {
        Some(extra) if extra.headers.contains_key(NAME) => {
            let mut headers = extra.headers.clone();
            headers.remove(NAME);
            ticket.beside(TransportHeaders { headers })
        }
        Some(_) | None => ticket,
    }
}

/// The `_meta` of a request, as JSON.
fn meta_of(request: &Frame) -> Option<String> {
    let params = Object::of(request.body()?, &["_meta"])?;
    params.get("_meta").map(str::to_owned)
}

fn broken(ticket: Ticket) {
    let fault = Fault::invalid("This request state was not issued by this gateway, or to another client")
        .detail("param_name", "requestState")
        .remediation("Make the request once more from its start, without 'requestState' and 'inputResponses'; it was not passed on.");
    ticket.fail(&fault, Some(Rpc::InvalidParams));
}

/// The header with the name in the request.
const NAME: &str = "mcp-name";

//! Refuses requests for names that no server has.

use breakfall::Fault;
use breakfall::suggest::nearest;
use breakfall::validate::unknown_tool;
use breakfall::wire::Rpc;

use super::list::{ListMethod, ListedItem};
use super::{Aggregate, UpstreamNames};
use breakfall_mcp::connection::Ticket;
use breakfall_mcp::protocol::method;

impl Aggregate {
    /// An unknown tool or prompt. If the server's prefix is missing, the fault suggests the full name.
    pub(super) fn unknown(&self, list: ListMethod, name: &str, ticket: Ticket) {
        let known: Vec<ListedItem> = (0..self.0.members.len())
            .flat_map(|at| self.member(at).items(list))
            .collect();
        let same: Vec<&str> = (known.iter().filter(|item| *item.own == *name))
            .map(|item| &*item.name)
            .collect();
        let others = known.iter().filter(|item| *item.own != *name);
        // Exact matches come first, since only some are listed.
        let names: Vec<&str> = (same.iter().copied())
            .chain(others.map(|item| &*item.name))
            .collect();
        let fault = match list {
            ListMethod::Prompts => Fault::not_found("prompt", &cut(name)),
            ListMethod::Tools
            | ListMethod::Resources
            | ListMethod::Templates
            | ListMethod::Tasks => unknown_tool(name, &names),
        };
        let fault = match (meant(name, &known, &names), &*same) {
            (Some(meant), _) => fault
                .detail("suggestion", meant)
                .remediation(format!("Did you mean '{meant}'? Names here begin with that of their server.")),
            (None, [_, ..]) => {
                let same: Vec<&str> = same.into_iter().take(MAX_SAME_NAMES).collect();
                let listed = same.join("' or '");
                fault.detail("suggestions", same).remediation(format!(
                    "Did you mean '{listed}'? Names here begin with that of their server."
                ))
            }
            (None, []) if known.is_empty() => fault.remediation(format!(
                "Names here begin with that of their server: {}. Ask for the list, and use a name out of it.",
                prefixes(self.names())
            )),
            (None, []) => fault,
        };
        ticket.fail(&fault, Some(Rpc::InvalidParams));
    }
}

/// The name the caller likely meant. `None` if several servers have a tool of exactly this name.
fn meant<'a>(name: &str, known: &'a [ListedItem], names: &[&'a str]) -> Option<&'a str> {
    let called = |own: &str| {
        let mut called = known.iter().filter(|item| *item.own == *own);
        let first = called.next()?;
        called.next().is_none().then_some(&*first.name)
    };
    if known.iter().any(|item| *item.own == *name) {
        return called(name);
    }
    nearest(name, names.iter().copied())
        .or_else(|| called(nearest(name, known.iter().map(|item| &*item.own))?))
}

/// An unknown resource.
pub(super) fn resource(names: &UpstreamNames, uri: &str, ticket: Ticket) {
    let fault = Fault::not_found("resource", &cut(uri)).detail("uri", cut(uri)).remediation(format!(
        "Addresses here begin with their server: breakfall://NAME/ and then the server's own, with one of the names {}.",
        listed(names)
    ));
    ticket.fail(&fault, Some(Rpc::InvalidParams));
}

/// An unknown task.
pub(super) fn task(id: &str, ticket: Ticket) {
    let fault = Fault::not_found("task", &cut(id));
    ticket.fail(&fault, Some(Rpc::InvalidParams));
}

/// A request without the parameter that names its subject.
pub(super) fn nothing(method: &str, ticket: Ticket) {
    let param = match method {
        method::TOOLS_CALL | method::PROMPTS_GET => "name",
        method::COMPLETION_COMPLETE => "ref",
        _ if method.starts_with(method::TASKS_PREFIX) => "taskId",
        _ => "uri",
    };
    let fault = Fault::missing_param(param).in_operation(method);
    ticket.fail(&fault, Some(Rpc::InvalidParams));
}

fn prefixes(names: &UpstreamNames) -> String {
    told((0..names.len()).map(|at| names.prefix(at)))
}

fn listed(names: &UpstreamNames) -> String {
    told((0..names.len()).map(|at| names.upstream(at)))
}

/// The first names, and how many more there are.
fn told<T: AsRef<str>>(names: impl ExactSizeIterator<Item = T>) -> String {
    let more = names.len().saturating_sub(MAX_LISTED_NAMES);
    let told = names
        .take(MAX_LISTED_NAMES)
        .map(|name| name.as_ref().to_owned());
    let more = (more > 0).then(|| format!("and {more} more"));
    told.chain(more).collect::<Vec<_>>().join(", ")
}

/// Shortens a long name.
fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(200)].to_owned()
}

/// How many names are listed.
const MAX_LISTED_NAMES: usize = 20;
/// How many servers with a tool of the same name are listed.
const MAX_SAME_NAMES: usize = 5;

//! Stage 2: which tool a call names, and what its server declares about it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use breakfall::Fault;
use breakfall::validate::unknown_tool;
use breakfall::wire::Rpc;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::{Call, CallContext, CallError, Pipeline};
use crate::config::UnlistedTools;
use crate::session::AskReply;
use crate::tools::notice::{stale, unchecked};
use crate::tools::{Tool, ToolLookup};
use breakfall_mcp::jsonrpc::{Frame, Kind};

/// A call whose tool the server lists, or may have.
#[derive(Debug)]
pub struct Resolved {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
}

/// The state of the gateway's own `tools/list` requests. The call that holds the lock asks; others wait for the same answer.
pub(super) type ListingTurn = Mutex<LastListing>;

/// The outcome of the last `tools/list` request of the gateway.
#[derive(Debug, Default)]
pub(super) struct LastListing {
    /// When the server may be asked again.
    next: Option<Instant>,
    /// Why the last request failed.
    missing: Option<&'static str>,
    /// Whether the server answered it, but with no list.
    is_refused: bool,
}

/// Why a list could not be fetched, unless the server supports no lists, and whether the server answered.
#[derive(Debug, Default)]
struct ListFailure(Option<&'static str>, bool);

impl Pipeline {
    /// Finds the tool. If it is in no known list, the server is asked for its list, once and within the time of the call.
    pub(super) async fn resolve(
        &self,
        call: Arc<Call>,
        context: &mut CallContext,
    ) -> Result<Resolved, CallError> {
        let tools = self.link.tools();
        let name = call.tool();
        let mut found = tools.find(name);
        let is_listed = matches!(found, ToolLookup::Known(_));
        let needs_list = context.policy.needs_tool_list() || self.needs_annotations(context);
        if !is_listed && needs_list {
            let is_unlisted = matches!(found, ToolLookup::Unlisted);
            let listed = self.list(&call, is_unlisted, context.exchange.remaining());
            let missing = context.exchange.or_cancelled(listed).await?;
            found = tools.find(name);
            if let (ToolLookup::Unlisted, Some(reason)) = (&found, missing) {
                context.warnings.push(unchecked(name, reason));
            }
        }
        let tool = match found {
            ToolLookup::Known(tool) => Some(tool),
            ToolLookup::Stale(tool) => {
                context.warnings.push(stale(&self.upstream().name));
                Some(tool)
            }
            ToolLookup::Unknown if context.policy.unlisted == UnlistedTools::Refuse => {
                return Err(CallError::refused(self.unknown(name, context)));
            }
            ToolLookup::Unknown | ToolLookup::Unlisted => None,
        };
        context.has_output_schema = tool.as_ref().map(|tool| tool.output().is_some());
        context.tool_with_output = tool.clone().filter(|tool| tool.output().is_some());
        Ok(Resolved { call, tool })
    }

    /// The tool of a wire-only call, whose annotations the gate needs.
    pub(super) async fn gated_tool(
        &self,
        call: &Call,
        context: &mut CallContext,
    ) -> Result<Option<Arc<Tool>>, CallError> {
        if !self.needs_annotations(context) {
            return Ok(None);
        }
        let tools = self.link.tools();
        if !matches!(tools.find(call.tool()), ToolLookup::Known(_)) {
            let remaining = context.exchange.remaining();
            let listed = timeout(remaining, self.list(call, false, remaining));
            let _ = context.exchange.or_cancelled(listed).await?;
        }
        Ok(match tools.find(call.tool()) {
            ToolLookup::Known(tool) | ToolLookup::Stale(tool) => Some(tool),
            ToolLookup::Unknown | ToolLookup::Unlisted => None,
        })
    }

    /// Whether the server has answered the last `tools/list` request with no list.
    pub(super) async fn is_list_refused(&self) -> bool {
        self.listing.lock().await.is_refused
    }

    /// The fault of an unknown tool, with similar ones by the names the caller knows.
    fn unknown(&self, name: &str, context: &CallContext) -> Fault {
        let names = self.link.tools().names();
        let names: Vec<Cow<'_, str>> = names.iter().map(|name| context.caller_name(name)).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        unknown_tool(&context.caller_name(name), &names)
    }

    /// Asks the server for its tools on behalf of the caller. A server that does not answer is not asked again for a while, and
    /// its tools are called unchecked. Returns why the list is missing; `None` if the server does not support lists.
    async fn list(
        &self,
        call: &Call,
        is_unlisted: bool,
        remaining: Duration,
    ) -> Option<&'static str> {
        let since = Instant::now();
        let Ok(mut last) = timeout(remaining, self.listing.lock()).await else {
            return Some(TOO_LATE);
        };
        if last.next.is_some_and(|next| since < next) {
            return last.missing;
        }
        let remaining = remaining.saturating_sub(since.elapsed());
        let listed = timeout(LIST_TIMEOUT.min(remaining), self.pages(call)).await;
        let pause = match listed {
            Ok(Ok(())) if is_unlisted => Duration::ZERO,
            // Neither invented names nor tools that change all the time cause a request per call.
            Ok(Ok(())) => LIST_INTERVAL,
            // The call had too little time, which says nothing about the server.
            Err(_) if remaining < LIST_TIMEOUT => LIST_INTERVAL,
            Ok(Err(_)) | Err(_) => FAILED_LIST_INTERVAL,
        };
        let listed = listed.unwrap_or(Err(ListFailure(Some(TOO_LATE), false)));
        ListFailure(last.missing, last.is_refused) = listed.err().unwrap_or_default();
        last.next = Some(Instant::now() + pause);
        last.missing
    }

    /// Asks for one page after the other.
    async fn pages(&self, call: &Call) -> Result<(), ListFailure> {
        let tools = self.link.tools();
        let mut listing = tools.begin(call.client_meta());
        loop {
            let unreadable = || ListFailure(UNREADABLE, true);
            let request = listing.request().ok_or_else(unreadable)?;
            let answer = match self.asker.ask(request).await {
                AskReply::Answer(answer) if answer.kind() == Kind::Result => answer,
                AskReply::Answer(answer) if has_no_lists(&answer) => {
                    return Err(ListFailure::default());
                }
                AskReply::Answer(_) => {
                    let refused = Some("the server refuses to list its tools");
                    return Err(ListFailure(refused, true));
                }
                AskReply::Failure(_) => {
                    let unanswered = Some("the server did not list its tools");
                    return Err(ListFailure(unanswered, false));
                }
            };
            let has_next = listing.add(answer.body().unwrap_or_default());
            if !has_next.ok_or_else(unreadable)? {
                tools.replace(listing);
                return Ok(());
            }
        }
    }
}

impl Resolved {
    pub(super) fn into_parts(self) -> (Arc<Call>, Option<Arc<Tool>>) {
        (self.call, self.tool)
    }
}

/// Whether a server answers that it has no lists of tools.
fn has_no_lists(answer: &Frame) -> bool {
    #[derive(serde::Deserialize)]
    struct ErrorCode {
        code: i64,
    }
    let error = serde_json::from_str::<ErrorCode>(answer.body().unwrap_or_default());
    error.is_ok_and(|error| error.code == i64::from(Rpc::MethodNotFound.number()))
}

const TOO_LATE: &str = "the server did not list its tools in time";
const UNREADABLE: Option<&str> = Some("the tool list of the server cannot be read");
/// How long a call waits for the list before it goes on without.
const LIST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a list answers for names that are not in it.
const LIST_INTERVAL: Duration = Duration::from_secs(1);
/// When a server that did not list its tools is asked again.
const FAILED_LIST_INTERVAL: Duration = Duration::from_mins(1);

//! Which tool a call means, and what is known of it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use breakfall::Fault;
use breakfall::validate::unknown_tool;
use breakfall::wire::Rpc;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::life::{Life, Stop};
use super::{Call, Pipeline};
use crate::config::UnlistedTools;
use crate::session::Heard;
use crate::tools::notice::{stale, unchecked};
use crate::tools::{Found, Next, Tool};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};

/// A call of a tool that is there, or may be.
#[derive(Debug)]
pub struct Resolved {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
}

/// Whose turn it is to ask for the list of tools. Whoever holds it asks.
pub(super) type Turn = Mutex<Asked>;

/// What came of asking.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// When it may be asked for again.
    next: Option<Instant>,
    /// Why there is none, of a server that should have one.
    missing: Option<&'static str>,
}

impl Pipeline {
    /// Finds the tool. If it is in no list we have seen, the server is asked for its list, once.
    pub(super) async fn resolve(&self, call: Arc<Call>, life: &mut Life) -> Result<Resolved, Stop> {
        let shelf = self.link.tools();
        let name = call.tool();
        let mut found = shelf.find(name);
        let is_listed = matches!(found, Found::Known(_));
        if !is_listed && life.care.wants_lists() {
            let is_unlisted = matches!(found, Found::Unlisted);
            let listed = self.list(&call, is_unlisted);
            let missing = life.unless_called_off(listed).await?;
            found = shelf.find(name);
            if let (Found::Unlisted, Some(reason)) = (&found, missing) {
                life.warnings.push(unchecked(name, reason));
            }
        }
        let tool = match found {
            Found::Known(tool) => Some(tool),
            Found::Stale(tool) => {
                life.warnings.push(stale(&self.upstream().name));
                Some(tool)
            }
            Found::Unknown if life.care.unlisted == UnlistedTools::Refuse => {
                return Err(Stop::refused(self.unknown(name, life)));
            }
            Found::Unknown | Found::Unlisted => None,
        };
        life.has_output_schema = tool.as_ref().map(|tool| tool.output().is_some());
        life.promising = tool.clone().filter(|tool| tool.output().is_some());
        Ok(Resolved { call, tool })
    }

    /// There is no such tool: what there is instead, by the names its caller knows.
    fn unknown(&self, name: &str, life: &Life) -> Fault {
        let names = self.link.tools().names();
        let names: Vec<Cow<'_, str>> = names.iter().map(|name| life.called(name)).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        unknown_tool(&life.called(name), &names)
    }

    /// Asks the server for its tools, in the name of whoever calls. Several calls wait for the same answer; a server that
    /// gives none is not asked again for some time, and its tools are called as they come. Says why there is none, unless the
    /// server has no lists at all.
    async fn list(&self, call: &Call, is_unlisted: bool) -> Option<&'static str> {
        let since = Instant::now();
        let mut asked = self.turn.lock().await;
        if asked.next.is_some_and(|next| since < next) {
            return asked.missing;
        }
        let late = Err(Some("the server did not list its tools in time"));
        let listed = timeout(LIST, self.pages(call)).await.unwrap_or(late);
        let pause = match listed {
            Ok(()) if is_unlisted => Duration::ZERO,
            // Neither who makes names up nor a server whose tools change all the time makes us ask each time.
            Ok(()) => AGAIN,
            Err(_) => LATER,
        };
        asked.missing = listed.err().flatten();
        asked.next = Some(Instant::now() + pause);
        asked.missing
    }

    /// Asks for one page after the other.
    async fn pages(&self, call: &Call) -> Result<(), Option<&'static str>> {
        let shelf = self.link.tools();
        let mut listing = shelf.begin();
        let mut cursor = None;
        loop {
            let question = call.list_of_tools(cursor.as_deref());
            let question = Frame::parse(question.into_bytes(), &FrameLimits::REQUEST);
            let question = question.map_err(|_| UNREADABLE)?;
            let answer = match self.asker.ask(question).await {
                Heard::Answer(answer) if answer.kind() == Kind::Result => answer,
                Heard::Answer(answer) if has_none(&answer) => return Err(None),
                Heard::Answer(_) => return Err(Some("the server refuses to list its tools")),
                Heard::Failure(_) => return Err(Some("the server did not list its tools")),
            };
            match listing.add(answer.body().unwrap_or_default()) {
                Next::Page(next) if Some(&next) != cursor.as_ref() => cursor = Some(next),
                Next::Page(_) | Next::Done => break,
                Next::Unreadable => return Err(UNREADABLE),
            }
        }
        shelf.replace(listing);
        Ok(())
    }
}

impl Resolved {
    pub(super) fn into_parts(self) -> (Arc<Call>, Option<Arc<Tool>>) {
        (self.call, self.tool)
    }
}

/// Whether a server says that it has no lists of tools.
fn has_none(answer: &Frame) -> bool {
    #[derive(serde::Deserialize)]
    struct Error {
        code: i64,
    }
    let error = serde_json::from_str::<Error>(answer.body().unwrap_or_default());
    error.is_ok_and(|error| error.code == i64::from(Rpc::MethodNotFound.number()))
}

const UNREADABLE: Option<&str> = Some("nobody can read the list of the server's tools");
/// How long a server may take to list its tools before a call goes on without.
const LIST: Duration = Duration::from_secs(10);
/// How long a list counts for somebody who asks for what is not in it.
const AGAIN: Duration = Duration::from_secs(1);
/// When a server that did not list its tools is asked again.
const LATER: Duration = Duration::from_mins(1);

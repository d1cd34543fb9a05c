//! Which tool a call means, and what is known of it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use breakfall::Fault;
use breakfall::validate::unknown_tool;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::life::{Life, Stop};
use super::{Call, Pipeline};
use crate::config::Unlisted;
use crate::envelope::{Frame, Kind, Limits};
use crate::relay::Heard;
use crate::tools::notice::stale;
use crate::tools::{Found, Next, Tool};

/// A call of a tool that is there, or may be.
#[derive(Debug)]
pub struct Resolved {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
}

/// When the list of tools may be asked for again. Whoever holds it asks.
pub(super) type Turn = Mutex<Option<Instant>>;

impl Pipeline {
    /// Finds the tool. If it is in no list we have seen, the server is asked for its list, once.
    pub(super) async fn resolve(&self, call: Arc<Call>, life: &mut Life) -> Result<Resolved, Stop> {
        let shelf = self.link.tools();
        let name = call.tool();
        let mut found = shelf.find(name);
        let is_listed = matches!(found, Found::Known(_));
        if !is_listed && life.care.wants_lists() {
            let is_unlisted = matches!(found, Found::Unlisted);
            life.unless_taken_back(self.list(&call, is_unlisted))
                .await?;
            found = shelf.find(name);
        }
        let tool = match found {
            Found::Known(tool) => Some(tool),
            Found::Stale(tool) => {
                life.warnings.push(stale(&self.upstream().name));
                Some(tool)
            }
            Found::Unknown if life.care.unlisted == Unlisted::Refuse => {
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
    /// gives none is not asked again for some time, and its tools are called as they come.
    async fn list(&self, call: &Call, is_unlisted: bool) {
        let since = Instant::now();
        let mut next = self.turn.lock().await;
        if next.is_some_and(|next| since < next) {
            return;
        }
        let listed = timeout(LIST, self.pages(call)).await;
        let pause = match listed {
            Ok(Some(())) if is_unlisted => Duration::ZERO,
            // Neither who makes names up nor a server whose tools change all the time makes us ask each time.
            Ok(Some(())) => AGAIN,
            Ok(None) | Err(_) => LATER,
        };
        *next = Some(Instant::now() + pause);
    }

    /// Asks for one page after the other; nothing if that is not possible.
    async fn pages(&self, call: &Call) -> Option<()> {
        let shelf = self.link.tools();
        let mut listing = shelf.begin();
        let mut cursor = None;
        loop {
            let question = call.list_of_tools(cursor.as_deref());
            let question = Frame::parse(question.into_bytes(), &Limits::REQUEST).ok()?;
            let heard = self.asker.ask(question).await;
            let answer = match heard {
                Heard::Answer(answer) if answer.kind() == Kind::Result => answer,
                Heard::Answer(_) | Heard::Failure(_) => return None,
            };
            match listing.add(answer.body()?) {
                Next::Page(next) if Some(&next) != cursor.as_ref() => cursor = Some(next),
                Next::Page(_) | Next::Done => break,
                Next::Unreadable => return None,
            }
        }
        shelf.replace(listing);
        Some(())
    }
}

impl Resolved {
    pub(super) fn into_parts(self) -> (Arc<Call>, Option<Arc<Tool>>) {
        (self.call, self.tool)
    }
}

/// How long a server may take to list its tools before a call goes on without.
const LIST: Duration = Duration::from_secs(10);
/// How long a list counts for somebody who asks for what is not in it.
const AGAIN: Duration = Duration::from_secs(1);
/// When a server that did not list its tools is asked again.
const LATER: Duration = Duration::from_mins(1);

//! What is known of the tools: from the handler itself, or from the lists that passed by.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::guard::Guard;
use super::run::{caught, contained};

/// Tools seen in lists, for handlers that do not answer `get_tool`.
#[derive(Debug, Default)]
pub(super) struct Tools {
    seen: RwLock<HashMap<String, Tool>>,
}

impl Tools {
    /// Remembers a list.
    pub(super) fn learn(&self, listed: &[Tool]) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        for tool in listed {
            let known = seen.len() < MOST_TOOLS || seen.contains_key(tool.name.as_ref());
            if known {
                seen.insert(tool.name.clone().into_owned(), tool.clone());
            }
        }
    }

    fn seen(&self, name: &str) -> Option<Tool> {
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        seen.get(name).cloned()
    }
}

impl<H: ServerHandler> Guard<H> {
    /// The tool of a name, as far as can be told without asking for the whole list.
    pub(super) fn known(&self, name: &str) -> Option<Tool> {
        let own = contained(|| self.handler.get_tool(name)).flatten();
        own.or_else(|| self.tools.seen(name))
    }

    /// The names of all tools, asked for page by page; none if the handler cannot say.
    pub(super) async fn names(&self, context: &RequestContext<RoleServer>) -> Vec<String> {
        let mut names = Vec::new();
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let page = cursor
                .take()
                .map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
            let ask = || self.handler.list_tools(page, context.clone());
            let Ok(Ok(listed)) = caught(None, ask).await else {
                break;
            };
            self.tools.learn(&listed.tools);
            names.extend(listed.tools.into_iter().map(|tool| tool.name.into_owned()));
            cursor = listed.next_cursor;
            if cursor.is_none() || names.len() >= MOST_TOOLS {
                break;
            }
        }
        names
    }
}

/// Bounds on what is asked for and kept: lists come from the handler, but a proxy's handler has them from elsewhere.
const MOST_PAGES: usize = 64;
const MOST_TOOLS: usize = 4096;

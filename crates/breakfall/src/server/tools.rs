//! What is known of the tools: from the handler itself, or from the lists that passed by.
//!
//! Asking the handler for one tool may make it build all of them, so what it said once is remembered. What was
//! remembered may be out of date, so nothing is refused because of it without asking again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::guard::Guard;
use super::run::{caught, contained};
#[cfg(feature = "validate")]
use crate::fault::Fault;

/// The tools seen so far.
#[derive(Debug, Default)]
pub(super) struct ToolCatalog {
    seen: RwLock<HashMap<String, Arc<SeenTool>>>,
    /// Whether the handler answers for its tools one by one. Then what it does not know is not there.
    answers: AtomicBool,
}

/// A tool as the handler last listed it.
#[derive(Debug)]
pub(super) struct SeenTool {
    pub(super) tool: Tool,
    #[cfg(feature = "validate")]
    schema: std::sync::OnceLock<Option<crate::validate::Schema>>,
}

impl ToolCatalog {
    /// Remembers a list.
    pub(super) fn learn(&self, listed: &[Tool]) {
        for tool in listed {
            self.keep(tool);
        }
    }

    fn find(&self, name: &str) -> Option<Arc<SeenTool>> {
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        seen.get(name).cloned()
    }

    /// Remembers a tool. What has been worked out about it stays as long as it is the same.
    fn keep(&self, tool: &Tool) -> Arc<SeenTool> {
        if let Some(seen) = self.find(&tool.name)
            && seen.tool == *tool
        {
            return seen;
        }
        let new = Arc::new(SeenTool {
            tool: tool.clone(),
            #[cfg(feature = "validate")]
            schema: std::sync::OnceLock::new(),
        });
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MOST_TOOLS || seen.contains_key(tool.name.as_ref()) {
            seen.insert(tool.name.clone().into_owned(), Arc::clone(&new));
        }
        new
    }

    fn forget(&self, name: &str) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        seen.remove(name);
    }
}

impl<H: ServerHandler> Guard<H> {
    /// The tool of a name, as it was when it was seen last.
    pub(super) fn known(&self, name: &str) -> Option<Arc<SeenTool>> {
        self.tools.find(name).or_else(|| self.fresh(name))
    }

    /// The tool of a name, as it is now, as far as can be told without asking for the whole list.
    pub(super) fn fresh(&self, name: &str) -> Option<Arc<SeenTool>> {
        if let Some(tool) = contained(|| self.handler.get_tool(name)).flatten() {
            self.tools.answers.store(true, Ordering::Relaxed);
            return Some(self.tools.keep(&tool));
        }
        if self.tools.answers.load(Ordering::Relaxed) {
            self.tools.forget(name);
        }
        self.tools.find(name)
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

#[cfg(feature = "validate")]
impl SeenTool {
    /// What is wrong with arguments by the schema.
    pub(super) fn misfit(&self, name: &str, arguments: &serde_json::Value) -> Option<Fault> {
        let compile = || {
            let schema = serde_json::Value::Object((*self.tool.input_schema).clone());
            // One that cannot be compiled says nothing about arguments. The handler looks at them itself.
            crate::validate::Schema::compile(&schema).ok()
        };
        let schema = self.schema.get_or_init(compile).as_ref()?;
        schema.check(arguments).into_fault(name)
    }
}

/// Bounds on what is asked for and kept: lists come from the handler, but a proxy's handler has them from elsewhere.
const MOST_PAGES: usize = 64;
const MOST_TOOLS: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: usize, about: &'static str) -> Tool {
        Tool::new(name.to_string(), about, Arc::default())
    }

    #[test]
    fn no_more_tools_are_kept_than_the_bound_and_those_stay_up_to_date() {
        let tools = ToolCatalog::default();
        let all: Vec<Tool> = (0..MOST_TOOLS + 2).map(|name| tool(name, "")).collect();
        tools.learn(&all);
        let has = |name: usize| tools.find(&name.to_string()).is_some();
        assert!(has(0) && has(MOST_TOOLS - 1), "as many as the bound");
        assert!(!has(MOST_TOOLS) && !has(MOST_TOOLS + 1), "and no more");
        tools.learn(&[tool(7, "another")]);
        let seen = tools.find("7").expect("it is kept");
        assert_eq!(seen.tool.description.as_deref(), Some("another"));
        tools.forget("7");
        tools.learn(&all[MOST_TOOLS..]);
        assert!(has(MOST_TOOLS) && !has(MOST_TOOLS + 1), "one place is free");
    }
}

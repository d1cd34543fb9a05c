//! The tools of an issue tracker. A tool returns what it has or a `Fault`; the guard around them answers for the rest:
//! arguments that do not fit, panics, unknown tools, the language, the retry answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use breakfall::catalog::warning;
use breakfall::locale::Language;
use breakfall::server::{ArgumentCheck, Guard};
use breakfall::{Batch, Elicitation, Fault, Outcome, Success, Warning};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tracker.
#[derive(Debug, Clone)]
pub struct Tracker(Arc<Mutex<BTreeMap<u32, Issue>>>);

/// An issue.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Issue {
    /// What it is about.
    pub title: String,
    /// Who works on it.
    pub assignee: Option<String>,
    /// Whether it is done.
    pub is_closed: bool,
}

/// The server: a tracker with three issues, and a guard around it.
pub fn server(language: Language, log: impl Fn(&str) + Send + Sync + 'static) -> Guard<Tracker> {
    Guard::new(Tracker::demo())
        .validate(ArgumentCheck::Reject)
        .language(language)
        .language_of(|context| {
            let ranges = context.meta.get("dev.breakfall/locale")?.as_str()?;
            Language::negotiate(ranges).map(Into::into)
        })
        .on_fault(move |event| log(&event.report()))
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Search {
    /// The most issues to list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1))]
    limit: usize,
}

fn default_limit() -> usize {
    10
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Draft {
    title: String,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct OneIssue {
    id: u32,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Assignment {
    id: u32,
    /// Who shall work on it.
    assignee: Option<String>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Closing {
    ids: Vec<u32>,
}

#[tool_router(server_handler)]
impl Tracker {
    /// Lists the issues.
    #[tool(annotations(read_only_hint = true))]
    fn find_issues(&self, Parameters(search): Parameters<Search>) -> Success {
        let issues = self.issues();
        let listed: Vec<_> = issues.iter().take(search.limit).collect();
        let success = Success::new(json!({"issues": listed, "total": issues.len()}));
        if listed.len() == issues.len() {
            return success;
        }
        let cut = Warning::new(warning::CONTENT_TRUNCATED).context("returned", listed.len());
        success.warning(cut.context("total", issues.len()))
    }

    /// One issue.
    #[tool(annotations(read_only_hint = true))]
    fn get_issue(
        &self,
        Parameters(OneIssue { id }): Parameters<OneIssue>,
    ) -> Result<Success, Fault> {
        Success::of(self.issues().get(&id).ok_or_else(|| unknown(id))?)
    }

    /// Opens an issue. Calling it twice opens two.
    #[tool]
    fn open_issue(&self, Parameters(Draft { title }): Parameters<Draft>) -> Success {
        assert_ne!(title, "crash", "the index is damaged");
        let mut issues = self.issues();
        let id = issues.keys().last().map_or(1, |last| last + 1);
        issues.insert(id, Issue::new(&title));
        Success::new(json!({"id": id}))
    }

    /// Gives an issue to a member of the team.
    #[tool(annotations(idempotent_hint = true))]
    fn assign_issue(&self, Parameters(sent): Parameters<Assignment>) -> Result<Success, Outcome> {
        let mut issues = self.issues();
        let issue = issues.get_mut(&sent.id).ok_or_else(|| unknown(sent.id))?;
        let Some(assignee) = sent.assignee else {
            let question = Elicitation::new(format!("Who shall do '{}'?", issue.title));
            return Err(question.field("assignee").suggest("assignee", TEAM).into());
        };
        if !TEAM.contains(&&*assignee) {
            return Err(Fault::invalid_enum("assignee", &TEAM).into());
        }
        issue.assignee = Some(assignee);
        Ok(Success::of(issue)?)
    }

    /// Closes several issues.
    #[tool(annotations(idempotent_hint = true))]
    fn close_issues(&self, Parameters(Closing { ids }): Parameters<Closing>) -> Batch {
        let mut issues = self.issues();
        let batch = Batch::new("close", "closed");
        ids.into_iter()
            .fold(batch, |batch, id| match issues.get_mut(&id) {
                Some(issue) => {
                    issue.is_closed = true;
                    batch.done(id.to_string(), json!({"title": issue.title}))
                }
                None => batch.failed(id.to_string(), unknown(id)),
            })
    }
}

impl Tracker {
    fn demo() -> Self {
        let titles = ["Login is slow", "Typo on the start page", "Export fails"];
        let issues = (1..).zip(titles.map(Issue::new));
        Self(Arc::new(Mutex::new(issues.collect())))
    }

    fn issues(&self) -> MutexGuard<'_, BTreeMap<u32, Issue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Issue {
    fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            assignee: None,
            is_closed: false,
        }
    }
}

fn unknown(id: u32) -> Fault {
    Fault::not_found("issue", &id.to_string()).fallback_tool("find_issues")
}

/// The members of the team.
const TEAM: [&str; 2] = ["ada", "grace"];

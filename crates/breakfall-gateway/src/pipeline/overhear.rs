//! What can be learnt from requests that are no calls, and what is done about their errors.

use std::sync::Arc;

use breakfall::wire::Dialect;
use serde::Deserialize;

use super::Pipeline;
use crate::classify::{self, About, Failure};
use crate::config::Policy;
use crate::record::Evidence;
use crate::reply::{self, format};
use crate::resilience::retry::Tried;
use breakfall_mcp::connection::{RpcMethod, Ticket};
use breakfall_mcp::error::REDACTOR;
use breakfall_mcp::jsonrpc::{Frame, Kind};

impl Pipeline {
    /// Looks at the answer to a request that is passed on: a list of tools is remembered, and an error is told as every
    /// other.
    pub(super) fn overhear(self: &Arc<Self>, frame: &Frame, ticket: Ticket) -> Ticket {
        if !self.upstream().means.is_judged {
            return ticket;
        }
        let me = Arc::clone(self);
        let method = frame.method().into_owned();
        // Only an error wants to know more.
        let params: Option<Box<str>> = frame.body().map(Into::into);
        ticket.then(move |answer, ticket, to| {
            let about = Overheard {
                method: &method,
                params: params.as_deref(),
            };
            me.answer(&about, answer, &Tried::default(), ticket, to);
        })
    }

    /// Answers a request with what came, which is looked at on the way.
    pub(super) fn answer(
        &self,
        about: &Overheard<'_>,
        answer: Frame,
        tried: &Tried,
        ticket: Ticket,
        to: RpcMethod,
    ) {
        let answer = match answer.kind() {
            Kind::Error => {
                let languages = ticket.languages();
                self.told(about, answer, tried, languages.as_deref())
            }
            Kind::Result if about.method == "tools/list" => {
                self.learn(about.params, &answer);
                self.offer(answer)
            }
            Kind::Result | Kind::Request | Kind::Notification => answer,
        };
        ticket.answer(answer, to);
    }

    fn learn(&self, params: Option<&str>, answer: &Frame) {
        let is_first = params.is_none_or(|params| subject(params).cursor.is_none());
        if let Some(result) = answer.body() {
            self.link.tools().learn(result, is_first);
        }
    }

    /// A list of tools, with the argument by which callers choose the blocks of an error, where that is offered.
    fn offer(&self, answer: Frame) -> Frame {
        let replies = &self.upstream().means.replies;
        if !replies.format_argument {
            return answer;
        }
        let is_wanted = |tool: &str| self.takes_format(tool);
        let offered = answer.body().and_then(|body| {
            let offered = format::offered_by(body, is_wanted)?;
            Some((answer.place_of(body), offered))
        });
        match offered {
            Some(edit) => answer.edited(vec![edit]),
            None => answer,
        }
    }

    /// Whether callers of a tool may choose by an argument: it is offered, and there are blocks to choose from.
    pub(super) fn takes_format(&self, tool: &str) -> bool {
        let upstream = self.upstream();
        let replies = &upstream.means.replies;
        replies.format_argument && {
            let manner = replies.manner(&upstream.tools.policy(tool));
            manner.dialect == Dialect::ToolError
        }
    }

    /// What the error of a server means.
    pub(super) fn judge_error(
        &self,
        about: &Overheard<'_>,
        answer: &Frame,
        error: &str,
    ) -> Failure {
        let subject = subject(about.params.unwrap_or("{}"));
        let name = subject.name.or(subject.uri).unwrap_or_default();
        let rules = &self.upstream().means.replies.rules;
        let failure = classify::judge_error(error, &About::request(about.method, &name, rules));
        match answer.beside() {
            Some(beside) => classify::heeding(failure, beside),
            None => failure,
        }
    }

    /// The error of a server, with what its caller can do about it.
    fn told(
        &self,
        about: &Overheard<'_>,
        answer: Frame,
        tried: &Tried,
        languages: Option<&str>,
    ) -> Frame {
        let Some(error) = answer.body() else {
            return answer;
        };
        let as_it_came = answer.unmended().unwrap_or(error);
        let mut failure = self.judge_error(about, &answer, as_it_came);
        failure.fault = tried.tell(failure.fault);
        let params = about.params.unwrap_or("{}");
        let manner = self.upstream().means.replies.manner(&Policy::default());
        let manner = manner.locale(languages.unwrap_or_default()).asked(params);
        let told = reply::told_error(error, &mut failure, &manner, params);
        let means = &self.upstream().means;
        tracing::info!(
            upstream = &*means.name,
            operation = about.method,
            "{}",
            REDACTOR.report(&failure.fault)
        );
        let evidence = Evidence::new(failure.fault).original(as_it_came);
        means.recorder.keep(&means.name, about.method, evidence);
        let at = answer.place_of(error);
        answer.edited(vec![(at, told)])
    }
}

/// A request that is no call.
#[derive(Debug)]
pub(super) struct Overheard<'a> {
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
}

/// What a request is about.
#[derive(Deserialize, Default)]
struct Subject {
    name: Option<String>,
    uri: Option<String>,
    cursor: Option<String>,
}

/// What is no text has no name.
fn subject(params: &str) -> Subject {
    serde_json::from_str(params).unwrap_or_default()
}

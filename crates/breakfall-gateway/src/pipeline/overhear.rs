//! What can be learnt from requests that are no calls, and what is done about their errors.

use std::sync::Arc;

use breakfall::wire::Dialect;
use serde::Deserialize;

use super::Pipeline;
use crate::config::Policy;
use crate::envelope::{Frame, Kind};
use crate::peer::Ticket;
use crate::reply::{self, format};
use crate::verdict::About;

impl Pipeline {
    /// Looks at the answer to a request that is passed on: a list of tools is remembered, and an error is told as every
    /// other.
    pub(crate) fn overhear(self: &Arc<Self>, frame: &Frame, ticket: Ticket) -> Ticket {
        if !self.upstream().means.is_judged {
            return ticket;
        }
        let me = Arc::clone(self);
        let method = frame.method().into_owned();
        // Only an error wants to know more.
        let params: Option<Box<str>> = frame.body().map(Into::into);
        ticket.then(move |answer, ticket, to| {
            let answer = match answer.kind() {
                Kind::Error => {
                    let languages = ticket.languages();
                    me.told(&method, params.as_deref(), answer, languages.as_deref())
                }
                Kind::Result if method == "tools/list" => {
                    me.learn(params.as_deref(), &answer);
                    me.offer(answer)
                }
                Kind::Result | Kind::Request | Kind::Notification => answer,
            };
            ticket.answer(answer, to);
        })
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

    /// The error of a server, with what its caller can do about it.
    fn told(
        &self,
        method: &str,
        params: Option<&str>,
        answer: Frame,
        languages: Option<&str>,
    ) -> Frame {
        let Some(error) = answer.body() else {
            return answer;
        };
        let params = params.unwrap_or("{}");
        let subject = subject(params);
        let name = subject.name.or(subject.uri).unwrap_or_default();
        let means = &self.upstream().means;
        let manner = means.replies.manner(&Policy::default());
        let manner = manner.locale(languages.unwrap_or_default()).asked(params);
        let about = About::request(method, &name, &means.replies.rules);
        let told = reply::error(error, &about, &manner, params);
        let at = answer.place_of(error);
        answer.edited(vec![(at, told)])
    }
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

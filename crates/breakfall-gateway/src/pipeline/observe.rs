//! Requests other than `tools/call`: tool lists are cached, and errors are judged and answered like those of calls.

use std::sync::Arc;

use breakfall::wire::Dialect;
use serde::Deserialize;

use super::Pipeline;
use crate::classify::{self, ClassifiedFailure, JudgedRequest};
use crate::record::Evidence;
use crate::reply::ReplyOptions;
use crate::reply::{self, format};
use crate::resilience::retry::{self, AttemptLog};
use crate::tools::{Tool, danger};
use breakfall_mcp::connection::{RpcMethod, Ticket};
use breakfall_mcp::error::REDACTOR;
use breakfall_mcp::jsonrpc::{Frame, Kind};
use breakfall_mcp::protocol::method;

impl Pipeline {
    /// Observes the answer to a request that is passed on.
    pub(super) fn observe(self: &Arc<Self>, frame: &Frame, ticket: Ticket) -> Ticket {
        self.observe_method(&frame.method(), frame.body(), ticket)
    }

    /// Observes the answer to a request with a method and parameters, which are used for errors only.
    pub(crate) fn observe_method(
        self: &Arc<Self>,
        method: &str,
        params: Option<&str>,
        ticket: Ticket,
    ) -> Ticket {
        if !self.upstream().context.is_judged {
            return ticket;
        }
        let pipeline = Arc::clone(self);
        let method = method.to_owned();
        let params: Option<Box<str>> = params.map(Into::into);
        ticket.then(move |answer, ticket, to| {
            let about = ObservedRequest {
                method: &method,
                params: params.as_deref(),
            };
            pipeline.answer(&about, answer, &AttemptLog::default(), ticket, to);
        })
    }

    /// Answers a request with the observed answer of the server.
    pub(super) fn answer(
        &self,
        about: &ObservedRequest<'_>,
        answer: Frame,
        tried: &AttemptLog,
        ticket: Ticket,
        to: RpcMethod,
    ) {
        let answer = match answer.kind() {
            Kind::Error => {
                let languages = ticket.languages();
                self.answer_error(about, answer, tried, languages.as_deref())
            }
            Kind::Result if about.method == method::TOOLS_LIST => {
                self.learn(about.params, &answer);
                self.show_danger(self.offer(answer))
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

    /// A tool list with the format argument, where that is offered.
    fn offer(&self, answer: Frame) -> Frame {
        let replies = &self.upstream().context.replies;
        if !replies.format_argument {
            return answer;
        }
        let is_wanted = |tool: &str| {
            let policy = self.upstream().tools.policy(tool);
            self.takes_format(&replies.options_for(&policy))
        };
        let offered = answer.body().and_then(|body| {
            let offered = format::offered_by(body, is_wanted)?;
            Some((answer.place_of(body), offered))
        });
        match offered {
            Some(edit) => answer.edited(vec![edit]),
            None => answer,
        }
    }

    /// A tool list in which dangerous tools say so.
    fn show_danger(&self, answer: Frame) -> Frame {
        let upstream = self.upstream();
        let marked = answer.body().and_then(|body| {
            let decide = |tool: &Tool| upstream.gate_decision(tool.name(), tool.hints());
            let marked = danger::marked(body, &upstream.schemas, decide)?;
            Some((answer.place_of(body), marked))
        });
        match marked {
            Some(edit) => answer.edited(vec![edit]),
            None => answer,
        }
    }

    /// Whether callers may choose the error format by an argument: it is offered, and the dialect has formats.
    pub(super) fn takes_format(&self, options: &ReplyOptions) -> bool {
        let is_offered = self.upstream().context.replies.format_argument;
        is_offered && options.dialect == Dialect::ToolError
    }

    /// The verdict on the error of a server.
    pub(super) fn judge_error(
        &self,
        about: &ObservedRequest<'_>,
        answer: &Frame,
        error: &str,
    ) -> ClassifiedFailure {
        let subject = subject(about.params.unwrap_or("{}"));
        let name = subject.name.or(subject.uri).unwrap_or_default();
        let rules = &self.upstream().context.replies.rules;
        let failure =
            classify::judge_error(error, &JudgedRequest::request(about.method, &name, rules));
        match answer.beside() {
            Some(beside) => classify::heeding(failure, beside),
            None => failure,
        }
    }

    /// The error of a server with code, category, retry and fix.
    fn answer_error(
        &self,
        about: &ObservedRequest<'_>,
        answer: Frame,
        tried: &AttemptLog,
        languages: Option<&str>,
    ) -> Frame {
        let Some(error) = answer.body() else {
            return answer;
        };
        let as_it_came = answer.original_body().unwrap_or(error);
        let mut failure = self.judge_error(about, &answer, as_it_came);
        let is_repeatable = RpcMethod::is_read_again(about.method);
        let category = failure.fault.public().category();
        let answered = retry::answer(failure.evidence, category, is_repeatable);
        failure.fault = answered.tell(tried.tell(failure.fault));
        let params = about.params.unwrap_or("{}");
        let options = self.upstream().context.replies.for_listener();
        let mut options = options.locale(languages.unwrap_or_default()).asked(params);
        options.known = self.link.known();
        let told = reply::told_error(error, &mut failure, &options, params);
        let context = &self.upstream().context;
        tracing::info!(
            upstream = &*context.name,
            operation = about.method,
            "{}",
            REDACTOR.report(&failure.fault)
        );
        let evidence = Evidence::new(failure.fault).original(as_it_came);
        context.recorder.keep(&context.name, about.method, evidence);
        let at = answer.place_of(error);
        answer.edited(vec![(at, told)])
    }
}

/// A request other than `tools/call`.
#[derive(Debug)]
pub(super) struct ObservedRequest<'a> {
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
}

/// The parameters that say what a request is about.
#[derive(Deserialize, Default)]
struct RequestSubject {
    name: Option<String>,
    uri: Option<String>,
    cursor: Option<String>,
}

fn subject(params: &str) -> RequestSubject {
    serde_json::from_str(params).unwrap_or_default()
}

//! There is no session with the server: how long to wait for one, and what is told meanwhile and in the end.

use std::pin::pin;
use std::time::Duration;

use breakfall::classify::Classifier;
use breakfall::read::read_by;
use breakfall::wire::Options;
use breakfall::{Fault, Public, codes};
use breakfall_gateway::classify::value_of;
use breakfall_gateway::session::Ended;
use breakfall_mcp::jsonrpc::Frame;
use tokio::time::timeout;

use super::plan::{Plan, What};
use super::{again, failure};
use crate::args::Call;
use crate::report::{Note, Problem};
use crate::server;

/// How long to wait for a server that says nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waits {
    /// Before it is said what for.
    pub(super) word: Duration,
    /// In all, unless somebody else sees to that.
    pub(super) most: Option<Duration>,
}

impl Waits {
    /// Whoever says how long a request may take means this one too.
    pub(super) fn of(args: &Call) -> Self {
        Self {
            word: WORD,
            most: args.server.timeout.is_none().then_some(MOST),
        }
    }

    /// Waits, and calls `say` when it takes long. Nothing comes of what takes too long.
    pub(super) async fn wait<T>(
        self,
        work: impl Future<Output = T>,
        say: impl FnOnce(),
    ) -> Option<T> {
        let mut work = pin!(work);
        if let Ok(done) = timeout(self.word, &mut work).await {
            return Some(done);
        }
        say();
        match self.most {
            Some(most) => timeout(most.saturating_sub(self.word), work).await.ok(),
            None => Some(work.await),
        }
    }
}

/// What is waited for: the words may have been meant in another way.
pub(super) fn waiting(args: &Call, plan: &Plan) -> Note {
    let server = match &plan.url {
        Some(url) => server::shown_url(url),
        None => format!("`{}`", server::line(&plan.command)),
    };
    let text = format!("{server} has not answered yet");
    Note::new(
        "note",
        match misread(args, plan) {
            Some(misread) => format!("{text}; {misread}"),
            None => text,
        },
    )
}

/// It never answered.
pub(super) fn silent(args: &Call, plan: &Plan) -> Problem {
    let seconds = MOST.as_secs();
    let problem = server::absent(format!(
        "no session with the server: it did not answer within {seconds} s"
    ));
    match &plan.url {
        Some(url) => problem.hint(there(url)),
        None => taken_for_tool(problem.hint(alone(plan)), args, plan),
    }
}

/// It only repeats what it hears, as `cat` does.
pub(super) fn echo(args: &Call, plan: &Plan) -> Problem {
    let what = "no session with the server: it sends back what it is sent, so it is no MCP server";
    taken_for_tool(server::absent(what).hint(alone(plan)), args, plan)
}

/// How it ended, if that says why there is no session.
///
/// # Errors
/// When it does.
pub(super) fn ended(ended: Ended, args: &Call, plan: &Plan) -> Result<(), Problem> {
    let never_spoke = matches!(ended, Ended::NeverSpoke { .. });
    server::ended(ended, &plan.command).map_err(|problem| {
        if never_spoke {
            taken_for_tool(problem, args, plan)
        } else {
            problem
        }
    })
}

/// The handshake failed. What is to be done about a call does not help there.
pub(super) fn refused(frame: &Frame, args: &Call, plan: &Plan) -> Problem {
    let reading = read_by(value_of(frame.text()), &Options::new(), &Classifier::new());
    let public = reading.outcome.fault().map(Fault::public);
    let why = public.map(|public| reason(public).unwrap_or_else(|| public.message().into_owned()));
    let what = match why {
        Some(why) => format!("no session with the server: {why}"),
        None => "no session with the server".to_owned(),
    };
    if let Some(url) = &plan.url {
        let hint = match public {
            Some(public) if matches!(public.http_status(), Some(401 | 403)) => {
                "send what it asks for, for example -H 'Authorization: Bearer KEY'".to_owned()
            }
            Some(public) if public.code() == codes::UNAVAILABLE_TLS => {
                "if the certificate is one of your own, trust it with --ca FILE, and use a name that is in it; if the server does not encrypt, use http://".to_owned()
            }
            Some(_) | None => there(url),
        };
        let problem = server::absent(what).hint(hint);
        // Only what was said there: our own advice is the hint.
        let is_ours = |public: &&Public| public.correlation_id() == Some(&failure::OWN.0);
        let told = public.filter(|public| reason(public).is_none() && !is_ours(public));
        let told = reading.dialect.and(told).map(Public::remediation);
        return match told {
            Some(fix) => problem.fact("fix", fix),
            None => problem,
        };
    }
    let is_silent = public.is_some_and(|public| public.code() == codes::UNAVAILABLE_TIMEOUT);
    let problem = server::absent(what).hint(alone(plan));
    if is_silent {
        return taken_for_tool(problem, args, plan);
    }
    problem
}

/// Whoever forgets the tool has given the last word of the server for it.
fn taken_for_tool(problem: Problem, args: &Call, plan: &Plan) -> Problem {
    match misread(args, plan) {
        Some(misread) => problem.hint(misread),
        None => problem,
    }
}

fn misread(args: &Call, plan: &Plan) -> Option<String> {
    let What::Call { tool, .. } = &plan.what else {
        return None;
    };
    if args.tool.is_some() || plan.command.is_empty() {
        return None;
    }
    let list = again::list_with(args, plan, tool);
    // It may be a credential, by the word before it.
    let words = [&plan.command[..], &[tool.into()]].concat();
    let tool = server::shown(&words).pop()?;
    Some(format!(
        "'{tool}' is taken for the tool; if it belongs to the server, this lists the tools: {list}"
    ))
}

fn alone(plan: &Plan) -> String {
    let alone = server::line(&plan.command);
    format!(
        "is it an MCP server on standard streams, and quick enough for --timeout? run it alone to see: {alone}"
    )
}

fn there(url: &str) -> String {
    format!("is there an MCP server at {}?", server::shown_url(url))
}

/// What is wrong, where the message does not say it: with what we were told to do, whose name in a file says nothing
/// here, or with a certificate.
fn reason(public: &Public) -> Option<String> {
    let reason = public.details().get("reason")?.as_str()?;
    match public.code() {
        code if code == codes::INTERNAL_CONFIGURATION => Some(reason.to_owned()),
        code if code == codes::UNAVAILABLE_TLS => {
            let message = public.message();
            let is_said = message.contains(reason);
            (!is_said).then(|| format!("no secure connection: {reason}"))
        }
        _ => None,
    }
}

/// Most servers are there by then.
const WORD: Duration = Duration::from_secs(3);
/// Also those that are fetched first.
const MOST: Duration = Duration::from_mins(1);

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::{pending, ready};

    use super::*;

    #[test]
    fn a_server_that_says_nothing_is_waited_for_with_a_word_and_not_for_ever() {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().build().unwrap();
        let most = Some(Duration::from_millis(2));
        let waits = |word| Waits { word, most };
        let said = Cell::new(0);
        let say = || said.set(said.get() + 1);
        let hour = Duration::from_hours(1);
        let at_once = runtime.block_on(waits(hour).wait(ready(1), say));
        assert_eq!((at_once, said.get()), (Some(1), 0));
        let never = runtime.block_on(waits(Duration::from_millis(1)).wait(pending::<u8>(), say));
        assert_eq!((never, said.get()), (None, 1));
    }
}

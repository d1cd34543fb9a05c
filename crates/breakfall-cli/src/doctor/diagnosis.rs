//! What a start showed → what is wrong, and how to fix it.

use breakfall::classify::Classifier;
use breakfall::read::read_by;
use breakfall::wire::Options;
use breakfall::{Public, codes};
use breakfall_gateway::config::UpstreamSource;
use breakfall_gateway::upstream::{Origin, Upstream};
use serde_json::{Value, json};

use super::finding::Finding;
use super::probe::{ProbeFailure, ProbeReport};
use super::target::{Target, TargetPlan};
use super::variable::{MissingVariable, missing_variable};
use crate::server;

/// All that is wrong with a server that was started.
pub(super) fn findings(target: &Target, report: &ProbeReport, wait: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(failure) = &report.outcome {
        findings.push(failed(target, report, failure, wait));
    }
    if report.printed_count > 0 {
        let lines = match report.printed_count {
            1 => "a line that is not a message".to_owned(),
            many => format!("{many} lines that are not messages"),
        };
        let finding = Finding::new(
            format!("it prints {lines} to stdout, which belongs to the protocol"),
            "make it print to stderr; until then `breakfall run` keeps such lines from the client",
        );
        findings.push(finding.said(&target.secrets.remove(&report.printed.join("\n"))));
    }
    findings
}

fn failed(target: &Target, report: &ProbeReport, failure: &ProbeFailure, wait: &str) -> Finding {
    let stderr = target.secrets.remove(&report.stderr);
    let alone = if is_url(target) {
        format!(
            "is {} the URL of an MCP server? That of many ends in /mcp",
            target.shown
        )
    } else {
        format!("run it alone to see what it needs: {}", target.shown)
    };
    match failure {
        ProbeFailure::Unusable(why) => {
            Finding::new(target.secrets.remove(why), "correct its entry")
        }
        ProbeFailure::NotStarted(error) => Finding::new(
            target.secrets.without_values(&error.to_string()),
            target.secrets.without_values(&error.fix()),
        ),
        ProbeFailure::Exited(exit) => {
            let status = exit.map_or_else(String::new, |exit| format!(" ({exit})"));
            ended(target, &stderr, &status, alone).said(&stderr)
        }
        ProbeFailure::Silent => silent(target, wait, &alone).said(&stderr),
        ProbeFailure::Echo => Finding::new(
            "it sends back what it is sent, so it is not an MCP server",
            "name the program of the server",
        ),
        ProbeFailure::Closed => {
            Finding::new("it closed its output before it answered", alone).said(&stderr)
        }
        ProbeFailure::Unreadable => Finding::new(
            "its answer is not a message of the protocol",
            format!("is it an MCP server? {alone}"),
        )
        .said(&stderr),
        ProbeFailure::Refused(method, error) => {
            if let Some(finding) = refused_by_status(target, error) {
                return finding;
            }
            let words = error["message"].as_str().unwrap_or("without a reason");
            let words = target.secrets.remove(words);
            Finding::new(
                format!("it refuses {method}: {words}"),
                refused_fix(error, &alone),
            )
            .said(&stderr)
        }
        ProbeFailure::Transport(fault) => unreachable_server(target, fault.public()),
    }
}

fn silent(target: &Target, wait: &str, alone: &str) -> Finding {
    let problem = format!("it does not answer within {wait}");
    let fix = if is_url(target) {
        format!(
            "is there an MCP server at {}? --timeout waits longer",
            target.shown
        )
    } else {
        format!(
            "is it an MCP server on standard streams? {alone}; --timeout waits longer, for one that is downloaded first"
        )
    };
    Finding::new(problem, fix)
}

/// A process that ended instead of answering.
fn ended(target: &Target, stderr: &str, status: &str, alone: String) -> Finding {
    let is_set = |name: &str| has_variable(target, name);
    if let Some(missing) = missing_variable(stderr, is_set) {
        let (problem, name) = match missing {
            MissingVariable::Named(name) => (
                format!("it ends at start{status}: it lacks the variable {name}"),
                name,
            ),
            MissingVariable::Unnamed => (
                format!("it ends at start{status}: it lacks an API key"),
                "NAME".to_owned(),
            ),
        };
        let fix = if is_inherited(&name) {
            format!(
                "it is set here, and inherit_env keeps it from the server; write it into its entry: env: {{ {name}: ${{{name}}} }}"
            )
        } else {
            format!(
                "write it into its entry: {}",
                target.syntax.member("env", &name)
            )
        };
        return Finding::new(problem, fix);
    }
    let known = LAST_WORDS.iter().find(|(words, _)| {
        let mut words = words.iter();
        words.any(|words| stderr.contains(words))
    });
    let fix = known.map_or(alone, |(_, fix)| (*fix).to_owned());
    Finding::new(format!("it ends at start{status}"), fix)
}

fn refused_fix(error: &Value, alone: &str) -> String {
    match error["code"].as_i64() {
        Some(-32022) => {
            "it speaks no version of the protocol that Breakfall speaks: update it".to_owned()
        }
        Some(_) | None => alone.to_owned(),
    }
}

/// The status with which a server refuses the handshake, which the transport has put into an error of JSON-RPC.
fn refused_by_status(target: &Target, error: &Value) -> Option<Finding> {
    if !is_url(target) {
        return None;
    }
    let message = json!({"jsonrpc": "2.0", "id": 0, "error": error});
    let reading = read_by(message, &Options::new(), &Classifier::new());
    let public = reading.outcome.fault()?.public();
    public.http_status()?;
    Some(unreachable_server(target, public))
}

/// A server that cannot be reached, or refuses by its status.
fn unreachable_server(target: &Target, public: &Public) -> Finding {
    let url = &target.shown;
    let reason = public.details().get("reason").and_then(Value::as_str);
    let reason = reason.map_or_else(|| public.message().into_owned(), str::to_owned);
    let reason = target.secrets.remove(&reason);
    let header = target.syntax.member("headers", "Authorization");
    match (public.code(), public.http_status()) {
        (_, Some(401)) if has_header(target, "authorization") => Finding::new(
            "it answers 401: it does not accept the credentials it is given",
            format!("write valid ones: {header}"),
        ),
        (_, Some(401)) => Finding::new(
            "it answers 401: it wants credentials",
            format!("write them into its entry: {header}"),
        ),
        (_, Some(403)) => Finding::new(
            "it answers 403: these credentials do not suffice",
            format!("write others, with more rights: {header}"),
        ),
        (_, Some(status @ (404..=406 | 410 | 415))) => Finding::new(
            format!("it answers {status}: there is no MCP server at {url}"),
            "look at the path of the URL; that of many servers is /mcp",
        ),
        (code, _) if code == codes::UNAVAILABLE_TLS => Finding::new(
            format!("no secure connection: {reason}"),
            "use a name that is in its certificate; trust your own authority with `ca` in breakfall.yaml; write http:// if it does not encrypt",
        ),
        _ if public
            .details()
            .get("transport_code")
            .and_then(Value::as_str)
            == Some("TRANSPORT_DNS_ERROR") =>
        {
            Finding::new(
                format!("the host of {url} is not known (DNS)"),
                "look for a typing error in the URL, and whether this machine is online",
            )
        }
        (code, _) if code == codes::UNAVAILABLE_NETWORK => Finding::new(
            format!("no connection to {url}: {reason}"),
            "is the server running, and is this its port?",
        ),
        (_, Some(status)) => Finding::new(
            format!("it answers {status}: {reason}"),
            format!("is there an MCP server at {url}?"),
        ),
        (_, None) => Finding::new(reason, format!("is there an MCP server at {url}?")),
    }
}

fn is_url(target: &Target) -> bool {
    matches!(&target.plan, TargetPlan::Check(settings) if matches!(settings.source, UpstreamSource::Url(_)))
}

fn has_header(target: &Target, name: &str) -> bool {
    let TargetPlan::Check(settings) = &target.plan else {
        return false;
    };
    let UpstreamSource::Url(remote) = &settings.source else {
        return false;
    };
    remote
        .headers
        .iter()
        .any(|(other, _)| other.eq_ignore_ascii_case(name))
}

/// Whether the server has a variable in its environment.
fn has_variable(target: &Target, name: &str) -> bool {
    let TargetPlan::Check(settings) = &target.plan else {
        return false;
    };
    match Upstream::from_config(settings, server::IN_PROCESS).map(|upstream| upstream.origin) {
        Ok(Origin::Program(command)) => command.variable(name).is_some_and(|it| !it.is_empty()),
        // Only a program has an environment.
        Ok(_) | Err(_) => false,
    }
}

/// Whether the environment of this process has a variable.
fn is_inherited(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Words of package managers and interpreters, and what to do about them.
const LAST_WORDS: &[(&[&str], &str)] = &[
    (
        &[
            "E404",
            "No matching distribution",
            "was not found in the package registry",
            "not found in the package registry",
        ],
        "there is no such package: look for a typing error in its name",
    ),
    (
        &[
            "Cannot find module",
            "ERR_MODULE_NOT_FOUND",
            "ModuleNotFoundError",
            "No module named",
        ],
        "a part of it is not installed: look at the path, or install it again",
    ),
    (
        &["EADDRINUSE", "ddress already in use"],
        "another program uses its port: end that one, or choose another port",
    ),
    (
        &[
            "ENOTFOUND",
            "EAI_AGAIN",
            "ETIMEDOUT",
            "failed to lookup address",
            "dns error",
        ],
        "it could not reach the network, for example to be downloaded: is this machine online, or behind a proxy?",
    ),
    (
        &["/dev/tty", "not a TTY", "not a tty"],
        "it wants a terminal, and has none when a client starts it: give it what it asks for as arguments or variables",
    ),
    (
        &["ENOENT", "No such file or directory"],
        "a file or directory in its arguments does not exist: correct its path",
    ),
];

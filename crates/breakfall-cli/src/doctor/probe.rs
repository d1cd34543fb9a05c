//! Starts one server, or connects to it: handshake, list of tools, end.

use std::future::{pending, ready};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use breakfall_gateway::classify::value_of;
use breakfall_gateway::config::UpstreamSettings;
use breakfall_gateway::upstream::{Origin, SpawnError, Upstream};
use breakfall_mcp::connection::{
    AskOutcome, Listener, LossReason, LostRequest, Peer, PeerRole, RelatedRequest, Ticket,
};
use breakfall_mcp::http_client;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};
use breakfall_mcp::process::{ServerProcess, StderrTail};
use breakfall_mcp::protocol::{LATEST_LEGACY, MODERN, meta, method};
use breakfall_mcp::sync::Mutex;
use breakfall_mcp::timeouts::Timeouts;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::server;

/// What one start of a server showed.
#[derive(Debug)]
pub(super) struct ProbeReport {
    pub(super) outcome: Result<ServerWelcome, ProbeFailure>,
    /// The end of its stderr.
    pub(super) stderr: String,
    /// Lines on its stdout that are not messages: the first ones, and how many in all.
    pub(super) printed: Vec<String>,
    pub(super) printed_count: u64,
}

/// A server that works.
#[derive(Debug)]
pub(super) struct ServerWelcome {
    /// Name and version, by its own word.
    pub(super) server: String,
    /// How many tools its first page lists; `None` if it has none.
    pub(super) tools: Option<usize>,
}

/// Why a server does not work.
#[derive(Debug)]
pub(super) enum ProbeFailure {
    /// Its settings cannot be used.
    Unusable(String),
    NotStarted(SpawnError),
    /// Its process ended.
    Exited(Option<ExitStatus>),
    /// No answer came in time.
    Silent,
    /// It sends back what it is sent.
    Echo,
    /// It closed its output, or the connection, and lives on.
    Closed,
    /// It answered with something that is not an answer.
    Unreadable,
    /// It answered with an error, to this method.
    Refused(&'static str, Value),
    /// The connection failed, or the server refused by its status.
    Transport(Box<breakfall::Fault>),
}

/// Starts the server and asks what a client asks first.
pub(super) async fn probe(settings: &UpstreamSettings, wait: Duration) -> ProbeReport {
    let tail = Arc::new(StderrTail::default());
    let listener = Arc::new(ProbeListener::default());
    let outcome = run(settings, wait, &tail, &listener).await;
    let printed = listener.printed.lock().clone();
    ProbeReport {
        outcome,
        stderr: String::from_utf8_lossy(&tail.bytes()).into_owned(),
        printed_count: printed.count,
        printed: printed.first,
    }
}

async fn run(
    settings: &UpstreamSettings,
    wait: Duration,
    tail: &Arc<StderrTail>,
    listener: &Arc<ProbeListener>,
) -> Result<ServerWelcome, ProbeFailure> {
    let upstream = Upstream::from_config(settings, server::IN_PROCESS);
    let upstream = upstream.map_err(|error| ProbeFailure::Unusable(error.to_string()))?;
    let (peer, mut process) = connect(&upstream, tail, Arc::clone(listener) as _)?;
    let session = ProbeSession {
        peer: peer.clone(),
        timeouts: Timeouts {
            idle: wait,
            total: wait,
        },
    };
    let outcome = tokio::select! {
        outcome = session.converse() => outcome,
        () = exited(&mut process) => {
            // Its last lines are still to be read. What it started may hold its output open.
            let _ = timeout(LAST_LINES, peer.hung_up()).await;
            Err(ProbeFailure::Closed)
        }
    };
    let outcome = match outcome {
        Err(_) if listener.is_echo.load(Ordering::Relaxed) => Err(ProbeFailure::Echo),
        outcome => outcome,
    };
    peer.close();
    let Some(mut process) = process else {
        // Ends the remote session, if that does not take long.
        let _ = timeout(LEAVE, peer.closed()).await;
        return outcome;
    };
    let is_closed = matches!(outcome, Err(ProbeFailure::Closed));
    let exit = if is_closed {
        process.exit(LEAVE).await
    } else {
        None
    };
    let is_hung = matches!(outcome, Err(ProbeFailure::Silent));
    if is_hung {
        process.stop(ready(())).await;
    } else {
        process.stop(pending()).await;
    }
    match exit {
        Some(exit) => Err(ProbeFailure::Exited(Some(exit))),
        None => outcome,
    }
}

fn connect(
    upstream: &Upstream,
    tail: &Arc<StderrTail>,
    listener: Arc<dyn Listener>,
) -> Result<(Peer, Option<ServerProcess>), ProbeFailure> {
    let limits = FrameLimits::RESPONSE;
    if let Origin::Program(program) = &upstream.origin {
        let child = program.start(&upstream.name, tail);
        let child = child.map_err(ProbeFailure::NotStarted)?;
        let peer = Peer::start(
            PeerRole::Server,
            child.reader,
            child.writer,
            limits,
            listener,
        );
        return Ok((peer, Some(child.process)));
    }
    if let Origin::Remote(remote) = &upstream.origin {
        let peer = http_client::connect(remote.clone(), None, limits, listener);
        return Ok((peer, None));
    }
    if let Origin::Inside(start) = &upstream.origin {
        let (reader, writer) = tokio::io::split(start());
        let peer = Peer::start(PeerRole::Server, reader, writer, limits, listener);
        return Ok((peer, None));
    }
    Err(ProbeFailure::Unusable(
        "this kind of server cannot be checked".to_owned(),
    ))
}

/// Waits for the end of a process; never returns without one.
async fn exited(process: &mut Option<ServerProcess>) {
    match process {
        Some(process) => process.exited().await,
        None => pending().await,
    }
}

/// The questions to a server.
struct ProbeSession {
    peer: Peer,
    timeouts: Timeouts,
}

impl ProbeSession {
    /// A handshake of the legacy era, or of the modern one where that is refused; then the list of tools.
    async fn converse(&self) -> Result<ServerWelcome, ProbeFailure> {
        let legacy = json!({
            "protocolVersion": LATEST_LEGACY.as_str(),
            "capabilities": {},
            "clientInfo": client_info(),
        });
        let (welcome, meta) = match self.ask(method::INITIALIZE, &legacy).await {
            Ok(welcome) => {
                let note = json!({"jsonrpc": "2.0", "method": method::INITIALIZED});
                // The next request shows whether the server is gone.
                let _ = self.peer.notify(note.to_string().into_bytes());
                (welcome, None)
            }
            Err(refused) if may_be_modern(&refused) => {
                let meta = json!({
                    meta::PROTOCOL_VERSION: MODERN.as_str(),
                    meta::CLIENT_INFO: client_info(),
                    meta::CLIENT_CAPABILITIES: {},
                });
                let discovered = self.ask(method::DISCOVER, &json!({"_meta": meta})).await;
                let discovered = discovered
                    .ok()
                    .filter(|found| found["supportedVersions"].is_array());
                (discovered.ok_or(refused)?, Some(meta))
            }
            Err(failure) => return Err(failure),
        };
        let mut params = json!({});
        if let Some(meta) = meta {
            params["_meta"] = meta;
        }
        let tools = if welcome["capabilities"].get("tools").is_some() {
            let listed = self.ask(method::TOOLS_LIST, &params).await?;
            Some(listed["tools"].as_array().map_or(0, Vec::len))
        } else {
            None
        };
        Ok(ServerWelcome {
            server: introduced(&welcome),
            tools,
        })
    }

    async fn ask(&self, method: &'static str, params: &Value) -> Result<Value, ProbeFailure> {
        let request = json!({"jsonrpc": "2.0", "id": 0, "method": method, "params": params});
        let frame = Frame::parse(request.to_string().into_bytes(), &FrameLimits::REQUEST);
        let frame = frame.map_err(|_| ProbeFailure::Unreadable)?;
        match self.peer.ask(frame, self.timeouts).await {
            AskOutcome::Reply(frame) => {
                let body = frame.body().map(value_of).unwrap_or_default();
                if frame.kind() == Kind::Result {
                    Ok(body)
                } else {
                    Err(ProbeFailure::Refused(method, body))
                }
            }
            AskOutcome::Lost(LossReason::Late(_)) => Err(ProbeFailure::Silent),
            AskOutcome::Lost(LossReason::Unreadable(_)) => Err(ProbeFailure::Unreadable),
            AskOutcome::Lost(LossReason::Refused(refused)) => {
                Err(ProbeFailure::Transport(Box::new(refused.fault)))
            }
            AskOutcome::Lost(LossReason::Gone | LossReason::Unsent(_)) => Err(ProbeFailure::Closed),
        }
    }
}

fn client_info() -> Value {
    json!({"name": "breakfall", "version": env!("CARGO_PKG_VERSION")})
}

/// Whether a server of the modern era alone may fail like this. One that wants credentials says so of every request.
fn may_be_modern(failure: &ProbeFailure) -> bool {
    match failure {
        ProbeFailure::Refused(..) => true,
        ProbeFailure::Transport(fault) => {
            let status = fault.public().http_status();
            status.is_some_and(|status| !matches!(status, 401 | 403 | 404))
        }
        ProbeFailure::Unusable(_)
        | ProbeFailure::NotStarted(_)
        | ProbeFailure::Exited(_)
        | ProbeFailure::Silent
        | ProbeFailure::Echo
        | ProbeFailure::Closed
        | ProbeFailure::Unreadable => false,
    }
}

/// The name and version of a server, of either era.
fn introduced(welcome: &Value) -> String {
    let infos = [&welcome["serverInfo"], &welcome["_meta"][meta::SERVER_INFO]];
    let info = infos.into_iter().find(|info| info.is_object());
    let words = info.map(|info| [info["name"].as_str(), info["version"].as_str()]);
    let words = words.into_iter().flatten().flatten();
    words.collect::<Vec<_>>().join(" ")
}

/// Hears what the server says beside its answers.
#[derive(Default)]
struct ProbeListener {
    printed: Mutex<PrintedLines>,
    is_echo: AtomicBool,
}

#[derive(Default, Clone)]
struct PrintedLines {
    first: Vec<String>,
    count: u64,
}

impl Listener for ProbeListener {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        match &*frame.method() {
            method::PING => ticket.result(&json!({})),
            method::INITIALIZE => {
                self.is_echo.store(true, Ordering::Relaxed);
                ticket.peer().cut();
                ticket.withdraw();
            }
            // It was told that this client has no capabilities.
            _ => ticket.withdraw(),
        }
    }

    fn notification(&self, _: Frame, _: &Peer, _: RelatedRequest) {}

    fn lost(&self, _: LostRequest) {}

    fn noise(&self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let mut printed = self.printed.lock();
        printed.count += 1;
        if printed.first.len() < MAX_PRINTED {
            printed
                .first
                .push(String::from_utf8_lossy(line).into_owned());
        }
    }
}

/// How many stray lines are kept. They are whole, since secrets in them are still to be removed.
const MAX_PRINTED: usize = 3;
/// How long reading the last lines of a process that has ended may take.
const LAST_LINES: Duration = Duration::from_millis(500);
/// How long ending a session may take.
const LEAVE: Duration = Duration::from_secs(1);

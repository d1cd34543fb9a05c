//! Supervises a server for a client: starts it, replays the session, and restarts it when it ends.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use super::link::LinkShared;
use super::link_state::LinkState;
use super::message_backlog::{MessageBacklog, answer_late};
use super::server_side::ServerSide;
use super::stuck::until_stuck;
use super::{ServerMessageFilter, answer};
use crate::upstream::{Backoff, ServerProcess, SpawnError, StartedServer, StderrTail};
use breakfall_mcp::connection::{AskOutcome, LostRequest, Peer, ReplayMessage};
use breakfall_mcp::jsonrpc::Kind;
use breakfall_mcp::timeouts::Timeouts;

/// How a session ended.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "the caller reports each of them")]
pub enum SessionEnd {
    /// The client has disconnected, or the session was stopped.
    Well,
    /// The server could never be started.
    NotStarted(SpawnError),
    /// The server was started, and ended before its first message.
    NeverSpoke {
        /// The exit status.
        exit: Option<ExitStatus>,
        /// The last line of its stray output.
        printed: Option<String>,
    },
    /// A bug in the gateway.
    Defect,
}

/// One run of a server.
struct ServerRun {
    has_spoken: bool,
    /// It ended with requests unanswered.
    is_missed: bool,
    ran: Duration,
    exit: Option<ExitStatus>,
    printed: Option<String>,
}

impl ServerRun {
    /// A server that exits with success and leaves no request open may simply be done.
    fn is_failure(&self) -> bool {
        self.is_missed || !self.exit.is_some_and(|exit| exit.success())
    }
}

/// Why a run is over.
enum RunEnd {
    /// The link was halted.
    Stopped {
        has_spoken: bool,
        /// The exit status, if it failed on its own while stopping.
        failed: Option<ExitStatus>,
        printed: Option<String>,
    },
    Ended(ServerRun),
}

/// Runs the server, and restarts it when it ends, until the link is halted.
pub(super) async fn run(
    shared: Arc<LinkShared>,
    client: Peer,
    filter: Option<Arc<dyn ServerMessageFilter>>,
) -> SessionEnd {
    let late = answer_late(&shared.upstream, &shared.waits, || {
        shared.link_state().take_late(&shared.upstream)
    });
    tokio::select! {
        ended = supervise(&shared, client, filter) => ended,
        never = late => match never {},
    }
}

async fn supervise(
    shared: &Arc<LinkShared>,
    client: Peer,
    filter: Option<Arc<dyn ServerMessageFilter>>,
) -> SessionEnd {
    let mut backoff = Backoff::new(shared.upstream.restart);
    let mut ever_spoke = false;
    let (mut last_exit, mut printed) = (None, None);
    loop {
        let ring = Arc::default();
        let ran = match shared.upstream.start(&ring, shared.principal.credentials()) {
            Ok(started) => match serve(shared, &client, filter.as_ref(), started, &ring).await {
                RunEnd::Stopped {
                    has_spoken,
                    failed,
                    printed: last,
                } => {
                    ever_spoke |= has_spoken;
                    if failed.is_some() {
                        (last_exit, printed) = (failed, last);
                    }
                    break;
                }
                RunEnd::Ended(run) => {
                    ever_spoke |= run.has_spoken;
                    if run.is_failure() {
                        (last_exit, printed) = (run.exit, run.printed);
                    }
                    run.ran
                }
            },
            Err(error) if !ever_spoke && last_exit.is_none() => {
                return never(shared, error).await;
            }
            Err(error) => {
                tracing::error!(
                    upstream = &*shared.upstream.name,
                    "{error}; {}",
                    error.fix()
                );
                Duration::ZERO
            }
        };
        if pause(shared, backoff.ended_after(ran)).await {
            break;
        }
    }
    // Answers the requests that wait.
    shared.shut();
    match (ever_spoke, last_exit) {
        (false, Some(exit)) => SessionEnd::NeverSpoke {
            exit: Some(exit),
            printed,
        },
        (true, _) | (_, None) => SessionEnd::Well,
    }
}

/// One run of a server.
async fn serve(
    shared: &Arc<LinkShared>,
    client: &Peer,
    filter: Option<&Arc<dyn ServerMessageFilter>>,
    started: StartedServer,
    ring: &StderrTail,
) -> RunEnd {
    let begun = Instant::now();
    let (ended, mut end) = mpsc::unbounded_channel();
    let back = Arc::new(ServerSide::new(
        Arc::clone(shared),
        client.clone(),
        filter.cloned(),
        ended,
    ));
    let listener = Arc::clone(&back) as Arc<_>;
    let (server, mut process) = started.connect(shared.upstream.limits, listener);

    let until_end = async {
        open(shared, &server).await?;
        end.recv().await
    };
    let mut silence = None;
    let lost = tokio::select! {
        lost = until_end => lost.unwrap_or_default(),
        after = until_stuck(shared, &server) => {
            silence = Some(after);
            server.cut();
            end.recv().await.unwrap_or_default()
        }
        () = exited(&mut process) => read_last_messages(&server, &mut end).await,
        // The server has stopped reading, but may run on.
        () = server.closed() => read_last_messages(&server, &mut end).await,
        () = shared.halt.notified() => {
            client.cancel_requests_of(&server);
            let failed = end_process(shared, server, process, &mut end).await;
            return RunEnd::Stopped {
                has_spoken: back.has_spoken(),
                failed,
                printed: back.noise().last(),
            };
        }
    };
    let is_missed = !lost.is_empty();
    let ended = EndedServer {
        server,
        process,
        silence,
        lost,
    };
    let exit = reap(shared, client, ended, ring, &back).await;
    RunEnd::Ended(ServerRun {
        has_spoken: back.has_spoken(),
        is_missed,
        ran: begun.elapsed(),
        exit,
        printed: back.noise().last(),
    })
}

/// Replays the session and sends what waits; `None` if the server did not accept the replay.
async fn open(shared: &LinkShared, server: &Peer) -> Option<()> {
    // The restarted program may be another version.
    shared.tools.outdated();
    let is_ready = tell_again(shared, server).await;
    if !is_ready {
        let next = LinkState::Waiting(MessageBacklog::default());
        let waiting = shared.link_state().give_up(next);
        let wait = shared.upstream.restart.first;
        answer::given_up(waiting, Some(wait), shared);
        return None;
    }
    let refused = shared.link_state().open(server, &shared.upstream);
    for refused in refused {
        answer::refused(refused, shared);
    }
    Some(())
}

/// Reads the last messages of a server that has ended. Its output may stay open: the process, or a child of it, may
/// hold it.
async fn read_last_messages(server: &Peer, end: &mut LostBatches) -> Vec<LostRequest> {
    let heard = timeout(MOMENT, end.recv()).await;
    if let Ok(lost) = heard {
        return lost.unwrap_or_default();
    }
    server.cut();
    end.recv().await.unwrap_or_default()
}

type LostBatches = mpsc::UnboundedReceiver<Vec<LostRequest>>;

/// Replays the session to a restarted server; false if the server did not accept the handshake.
async fn tell_again(shared: &LinkShared, server: &Peer) -> bool {
    let again = shared.replay().again();
    let timeouts = shared.upstream.timeouts;
    let timeouts = Timeouts {
        idle: timeouts.idle.min(START),
        total: timeouts.total.min(START),
    };
    for (at, again) in again.into_iter().enumerate() {
        let frame = match again {
            ReplayMessage::Tell(frame) => {
                // The next request fails if the server is gone.
                let _ = server.notify(frame);
                continue;
            }
            ReplayMessage::Ask(frame) => frame,
        };
        let method = frame.method().into_owned();
        let accepted = accepted(
            server.ask(frame, timeouts),
            shared.upstream.name.clone(),
            method,
        );
        // The handshake is required. A failed subscription only loses updates, so it is not waited for.
        if at > 0 {
            tokio::spawn(accepted);
        } else if !accepted.await {
            return false;
        }
    }
    true
}

/// Whether a restarted server accepts a replayed request.
async fn accepted(
    answer: impl Future<Output = AskOutcome>,
    upstream: Box<str>,
    method: String,
) -> bool {
    let is_accepted = match answer.await {
        AskOutcome::Reply(frame) => frame.kind() == Kind::Result,
        AskOutcome::Lost(_) => false,
    };
    if !is_accepted {
        tracing::warn!(
            upstream = &*upstream,
            method,
            "the server was started again and did not accept what the one before it had accepted"
        );
    }
    is_accepted
}

/// A server that has ended, or is stuck.
struct EndedServer {
    server: Peer,
    process: Option<ServerProcess>,
    /// How long it was silent, if it is stuck.
    silence: Option<Duration>,
    /// Its open requests.
    lost: Vec<LostRequest>,
}

/// Reaps a server that has ended. Open requests are answered with its exit status, which takes a moment to learn; at once
/// if it is stuck, and then it is terminated.
async fn reap(
    shared: &LinkShared,
    client: &Peer,
    ended: EndedServer,
    ring: &StderrTail,
    back: &ServerSide,
) -> Option<ExitStatus> {
    let EndedServer {
        server,
        mut process,
        silence,
        lost,
    } = ended;
    client.cancel_requests_of(&server);
    // The process may live on for a moment, and must not answer for the next one.
    server.cut();
    server.close();
    let exit = match &mut process {
        Some(process) if silence.is_none() => {
            let exit = process.exit(MOMENT).await;
            if exit.is_some() {
                process.drain_stderr().await;
            }
            exit
        }
        Some(_) | None => None,
    };
    let death = answer::ExitReport {
        exit,
        is_process: process.is_some(),
        silence,
        stderr: ring.bytes(),
        printed: back.noise().note(),
        is_start: !back.has_spoken(),
    };
    answer::log_death(&death, &server, &shared.upstream);
    for lost in lost {
        answer::dead(lost, &death, &shared.upstream);
    }
    shared.set_failed_start(death);
    let is_hurried = async {
        if silence.is_none() {
            shared.hurry.notified().await;
        }
    };
    match process {
        Some(process) => exit.or(process.stop(is_hurried).await.exit),
        None => None,
    }
}

/// Waits for the exit of a process. Never returns for other servers.
async fn exited(process: &mut Option<ServerProcess>) {
    match process {
        Some(process) => process.exited().await,
        None => std::future::pending().await,
    }
}

/// Stops a server. Answers it sends while stopping are passed on; other open requests get a fault. Returns how it
/// failed, if it did so on its own.
async fn end_process(
    shared: &LinkShared,
    server: Peer,
    process: Option<ServerProcess>,
    end: &mut LostBatches,
) -> Option<ExitStatus> {
    shared.shut();
    server.close();
    let own = if let Some(process) = process {
        process.stop(shared.hurry.notified()).await.own()
    } else {
        // Ends the remote session, if that does not take long.
        let _ = timeout(LEAVE, server.closed()).await;
        None
    };
    let lost = if server.asked() > 0 {
        timeout(LAST_LINES, end.recv()).await
    } else {
        // It may have ended just now.
        Ok(end.try_recv().ok())
    };
    // A child of the server may hold its output open.
    server.cut();
    let lost = lost.ok().flatten().unwrap_or_default().into_iter();
    for lost in lost.chain(server.give_up()) {
        answer::cut_off(lost, &shared.upstream);
    }
    own.filter(|exit| !exit.success())
}

/// Waits before the next start; true if the link was halted. Without a handshake, waits until a message needs the
/// server.
async fn pause(shared: &LinkShared, wait: Duration) -> bool {
    let is_long = wait > MAX_WAITED_PAUSE;
    if is_long {
        let until = Instant::now() + wait;
        let waiting = shared.link_state().give_up(LinkState::BackingOff { until });
        answer::given_up(waiting, Some(wait), shared);
    }
    tokio::select! {
        () = sleep(wait) => {}
        () = shared.halt.notified() => return true,
    }
    if is_long {
        *shared.link_state() = LinkState::Waiting(MessageBacklog::default());
    }
    while !shared.replay().has_session() && !shared.link_state().is_wanted() {
        tokio::select! {
            () = shared.wanted.notified() => {}
            () = shared.halt.notified() => return true,
        }
    }
    false
}

/// The program does not exist. The client gets the fault for its first request, then the session ends.
async fn never(shared: &LinkShared, error: SpawnError) -> SessionEnd {
    let waiting = shared.link_state().give_up(LinkState::Closed);
    let is_unused = waiting.is_empty();
    answer::given_up(waiting, None, shared);
    if is_unused {
        tokio::select! {
            () = shared.wanted.notified() => {}
            () = sleep(FIRST_REQUEST_WAIT) => {}
            () = shared.halt.notified() => {}
        }
    }
    SessionEnd::NotStarted(error)
}

/// How long ending a remote session may take.
const LEAVE: Duration = Duration::from_secs(1);
/// How long reading the last messages of a server may take.
const LAST_LINES: Duration = Duration::from_millis(200);
/// How long a restarted server may take to accept the replay.
const START: Duration = Duration::from_mins(1);
/// How long to wait for the exit status of a server that has closed its output.
const MOMENT: Duration = Duration::from_millis(500);
/// The longest pause that requests wait through; with a longer one they fail at once.
const MAX_WAITED_PAUSE: Duration = Duration::from_secs(2);
/// How long a client has for its first request to a program that does not exist.
const FIRST_REQUEST_WAIT: Duration = Duration::from_secs(3);

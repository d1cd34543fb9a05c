//! A server as a child process: in a session of its own, and stopped with everything it started.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessSession};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::Command;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

mod group;
mod masked_word;
mod stderr;
mod stderr_tail;

use crate::stdio::grow_pipe;
use group::ProcessGroup;
pub use masked_word::MaskedWord;
use stderr::log;
pub use stderr_tail::StderrTail;

/// A command line. Formatters show no values of variables, and references as they were written.
#[derive(Clone)]
#[must_use]
pub struct ServerCommand {
    file: MaskedWord,
    args: Vec<MaskedWord>,
    env: Vec<(OsString, OsString)>,
    /// Variables of this process that it does not inherit.
    withheld: Vec<OsString>,
    /// It inherits no variables.
    is_env_cleared: bool,
    cwd: Option<PathBuf>,
}

impl ServerCommand {
    /// A program, searched in `PATH` unless it has a slash.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self::from_words(MaskedWord::from(program), Vec::new())
    }

    /// Adds arguments.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(MaskedWord::from));
        self
    }

    /// Adds an environment variable to those of this process.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Withholds an environment variable of this process. A value set for the program stays.
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.withheld.push(name.into());
        self
    }

    /// Withholds all environment variables of this process.
    pub fn env_clear(mut self) -> Self {
        self.is_env_cleared = true;
        self
    }

    /// A variable in the environment of the program.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        let mut own = self.env.iter().rev();
        if let Some((_, value)) = own.find(|(other, _)| other == name) {
            return Some(value.clone());
        }
        let is_withheld = self.is_env_cleared || self.withheld.iter().any(|other| other == name);
        std::env::var_os(name).filter(|_| !is_withheld)
    }

    /// Sets the working directory.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// A command line of words that are shown as they were written.
    pub fn from_words(file: MaskedWord, args: Vec<MaskedWord>) -> Self {
        Self {
            file,
            args,
            env: Vec::new(),
            withheld: Vec::new(),
            is_env_cleared: false,
            cwd: None,
        }
    }

    /// The directories that its arguments name, alone or as the value of a flag (`--root=notes`), as they were written and as
    /// the system names them. Words with a reference are left out: their values are not to be shown.
    pub fn directories(&self) -> Vec<PathBuf> {
        let words = self.args.iter().filter(|word| !word.is_reference());
        let words = words.filter_map(MaskedWord::reveal_str);
        let values = words.map(|word| match word.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => value,
            Some(_) | None => word,
        });
        let cwd = self.cwd.as_deref().unwrap_or(Path::new(""));
        let known = values
            .filter(|value| !value.is_empty())
            .filter_map(|value| {
                let path = std::path::absolute(cwd.join(value)).ok()?;
                path.is_dir().then(|| {
                    let real = path.canonicalize().ok();
                    [Some(value.into()), Some(path), real]
                })
            });
        known.flatten().flatten().collect()
    }

    /// Starts the process. Its standard error goes to the log and to the tail.
    ///
    /// # Errors
    /// When the system cannot start it.
    ///
    /// # Panics
    /// Never: the streams it takes were asked for.
    pub fn start(&self, name: &str, tail: &Arc<StderrTail>) -> Result<ChildProcess, SpawnError> {
        let mut command = Command::new(self.file.reveal());
        command.args(self.args.iter().map(MaskedWord::reveal));
        if self.is_env_cleared {
            command.env_clear();
        }
        for name in &self.withheld {
            command.env_remove(name);
        }
        command.envs(self.env.iter().cloned());
        let depth = depth();
        command.env(DEPTH, (depth + 1).to_string());
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        // In a session of its own it has no terminal: a password prompt fails at once instead of waiting for ever, and
        // Ctrl-C does not reach the child before it is stopped in order.
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession).wrap(KillOnDrop);
        let failed = |error| SpawnError {
            program: self.file.clone(),
            cwd: self.cwd.clone(),
            error,
        };
        let mut child = command.spawn().map_err(failed)?;
        let stdin = child.stdin().take().expect("asked for above");
        let stdout = child.stdout().take().expect("asked for above");
        let stderr = child.stderr().take().expect("asked for above");
        grow_pipe(&stdin);
        grow_pipe(&stdout);
        let log = tokio::spawn(log(stderr, name.into(), Arc::clone(tail)));
        Ok(ChildProcess {
            reader: Box::new(stdout),
            writer: Box::new(stdin),
            process: ServerProcess {
                group: child.id().and_then(ProcessGroup::of),
                child,
                log,
                terminate_wait: (0..depth).fold(TERMINATE_WAIT, |grace, _| grace * 3 / 5),
                is_stopped: false,
                _running: RunningProcess::start(),
            },
        })
    }
}

/// A running process and its standard streams.
pub struct ChildProcess {
    /// Its standard output.
    pub reader: Box<dyn AsyncRead + Send + Unpin>,
    /// Its standard input.
    pub writer: Box<dyn AsyncWrite + Send + Unpin>,
    /// The process itself.
    pub process: ServerProcess,
}

impl fmt::Debug for ServerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let env: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("ServerCommand")
            .field("file", &self.file)
            .field("args", &self.args)
            .field("env", &env)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ChildProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ChildProcess");
        debug
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// A program that could not be started.
#[derive(Debug)]
pub struct SpawnError {
    program: MaskedWord,
    cwd: Option<PathBuf>,
    error: io::Error,
}

impl SpawnError {
    /// The remedy.
    pub fn fix(&self) -> String {
        let program = &self.program;
        match self.why() {
            SpawnFailure::NoDirectory(cwd) => {
                format!("create the directory {}, or name another", cwd.display())
            }
            SpawnFailure::Nameless => "name a program, and behind it its arguments".to_owned(),
            SpawnFailure::OneWord => {
                "write the program and its arguments as words of their own, not as one text"
                    .to_owned()
            }
            SpawnFailure::NoInterpreter => {
                "install what its first line names behind '#!', or install the server again"
                    .to_owned()
            }
            SpawnFailure::NoFile => {
                "there is no such file; look for a typing error in its path, or install it there"
                    .to_owned()
            }
            SpawnFailure::Absent => format!(
                "install {program}, or write its whole path; a client started from a desktop often has another PATH than your shell"
            ),
            SpawnFailure::IsDirectory => "name the program in it".to_owned(),
            SpawnFailure::Forbidden => format!("make it executable: chmod +x {program}"),
            SpawnFailure::Other => "check the command line".to_owned(),
        }
    }

    fn why(&self) -> SpawnFailure<'_> {
        let program = self.program.reveal();
        match (self.error.kind(), &self.cwd) {
            _ if program.is_empty() => SpawnFailure::Nameless,
            (io::ErrorKind::NotFound, Some(cwd)) if !cwd.is_dir() => SpawnFailure::NoDirectory(cwd),
            (io::ErrorKind::NotFound, _) if self.path().is_some_and(|path| path.is_file()) => {
                SpawnFailure::NoInterpreter
            }
            // A path may have blanks too, so only the hint is about them.
            (io::ErrorKind::NotFound, _) if program.as_encoded_bytes().contains(&b' ') => {
                SpawnFailure::OneWord
            }
            (io::ErrorKind::NotFound, _) if self.path().is_some() => SpawnFailure::NoFile,
            (io::ErrorKind::NotFound, _) => SpawnFailure::Absent,
            (io::ErrorKind::PermissionDenied, _)
                if self.path().is_some_and(|path| path.is_dir()) =>
            {
                SpawnFailure::IsDirectory
            }
            (io::ErrorKind::PermissionDenied, _) => SpawnFailure::Forbidden,
            _ => SpawnFailure::Other,
        }
    }

    /// Its path, unless it was searched in `PATH`. A relative path starts in the working directory of the process.
    fn path(&self) -> Option<PathBuf> {
        let program = self.program.reveal();
        let is_path = program.as_encoded_bytes().contains(&b'/');
        is_path.then(|| self.cwd.clone().unwrap_or_default().join(program))
    }
}

/// Why a program could not be started.
enum SpawnFailure<'a> {
    NoDirectory(&'a Path),
    Nameless,
    /// It is there, and its interpreter is not.
    NoInterpreter,
    OneWord,
    /// The path has no file.
    NoFile,
    /// `PATH` has no such program.
    Absent,
    IsDirectory,
    Forbidden,
    Other,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = &self.program;
        match self.why() {
            SpawnFailure::NoDirectory(cwd) => {
                let cwd = cwd.display();
                write!(f, "there is no directory {cwd} to start {program} in")
            }
            SpawnFailure::Nameless => write!(f, "the program to start has no name"),
            SpawnFailure::OneWord => write!(f, "there is no program '{program}'"),
            SpawnFailure::NoInterpreter => write!(f, "{program} is there, but what runs it is not"),
            SpawnFailure::NoFile | SpawnFailure::Absent => {
                write!(f, "there is no program {program}")
            }
            SpawnFailure::IsDirectory => write!(f, "{program} is a directory, not a program"),
            SpawnFailure::Forbidden => write!(f, "{program} may not be executed"),
            SpawnFailure::Other => write!(f, "{program} could not be started: {}", self.error),
        }
    }
}

impl std::error::Error for SpawnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// A child process. Dropping it kills it, with everything it started; [`Self::stop`] lets it end, and reaps it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Box<dyn ChildWrapper>,
    /// The child and what it started.
    group: Option<ProcessGroup>,
    /// Logs its standard error.
    log: JoinHandle<()>,
    terminate_wait: Duration,
    is_stopped: bool,
    _running: RunningProcess,
}

/// How many child processes run, or have ended and are not reaped yet.
pub fn running() -> usize {
    RUNNING.load(Ordering::Relaxed)
}

static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Counts a process in [`running`] until it is dropped.
#[derive(Debug)]
struct RunningProcess;

impl RunningProcess {
    fn start() -> Self {
        RUNNING.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How a child ended that was stopped.
#[derive(Debug)]
pub struct ProcessExit {
    /// The status the system reported.
    /// Its exit status, if it could be reaped.
    pub exit: Option<ExitStatus>,
    /// It ended before it was terminated or killed.
    is_by_itself: bool,
}

impl ProcessExit {
    /// Its exit status if it ended by itself.
    pub fn own(self) -> Option<ExitStatus> {
        self.exit.filter(|_| self.is_by_itself)
    }
}

impl ServerProcess {
    /// Waits until the process exits.
    pub async fn exited(&mut self) {
        if self.child.wait().await.is_err() {
            // If it cannot be waited for, the end of its output tells.
            std::future::pending::<()>().await;
        }
    }

    /// Waits some time until the process exits.
    pub async fn exit(&mut self, wait: Duration) -> Option<ExitStatus> {
        timeout(wait, self.child.wait()).await.ok()?.ok()
    }

    /// Waits a moment until the last lines of its standard error are read, once it has exited. A process that it started may
    /// hold that open.
    pub async fn drain_stderr(&mut self) {
        if !self.log.is_finished() {
            let _ = timeout(SHORT_WAIT, &mut self.log).await;
        }
    }

    /// Stops the process, and everything it started, after its standard input was closed: it gets time to end by itself, then
    /// SIGTERM, then SIGKILL. `hurry` skips the first wait.
    ///
    /// The child may be a launcher that ended long before the server it started, so the whole group gets the time.
    pub async fn stop(mut self, hurry: impl Future<Output = ()>) -> ProcessExit {
        // What is left of a server that has exited serves no purpose.
        if self.exit(Duration::ZERO).await.is_none() {
            let by_itself = async {
                if self.exit(EXIT_WAIT).await.is_some() {
                    self.group_exited(GROUP_EXIT_WAIT).await;
                }
            };
            tokio::select! {
                () = by_itself => {}
                () = hurry => {}
            }
        }
        let is_empty = self.group_exited(SHORT_WAIT).await;
        // A later exit status may be the result of a signal.
        let is_by_itself = self.exit(Duration::ZERO).await.is_some();
        if !is_empty {
            // Fails only if it has just exited.
            let _ = self.child.signal(TERMINATE);
            self.group_exited(self.terminate_wait).await;
        }
        // Even if the group looks empty. Fails if it is.
        let _ = self.child.start_kill();
        self.is_stopped = true;
        let exit = self.exit(EXIT_WAIT).await;
        // The last output is read; a process that left the group may hold stderr open for ever.
        self.drain_stderr().await;
        self.log.abort();
        ProcessExit { exit, is_by_itself }
    }
}

impl ServerProcess {
    /// Waits some time until the group is empty; false if it is not.
    async fn group_exited(&mut self, wait: Duration) -> bool {
        let exited = async {
            // Even if it cannot be waited for, the group can be examined.
            let _ = self.child.wait().await;
            let mut interval = FIRST_POLL_INTERVAL;
            while self.group.is_some_and(ProcessGroup::is_alive) {
                sleep(interval).await;
                interval = MAX_POLL_INTERVAL.min(interval * 2);
            }
        };
        timeout(wait, exited).await.is_ok()
    }
}

/// How many gateways stand in front of this one, each having started the next.
fn depth() -> u32 {
    let depth = std::env::var(DEPTH).ok();
    let depth = depth.and_then(|depth| depth.parse().ok());
    depth.unwrap_or(0).min(MAX_DEPTH)
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        if !self.is_stopped {
            // Fails only if the group is empty.
            let _ = self.child.start_kill();
        }
    }
}

/// How long a process may take to end by itself. Clients wait as long before they send SIGTERM to the gateway, and as long
/// again before SIGKILL: by then the server has to be gone.
const EXIT_WAIT: Duration = Duration::from_secs(2);
/// How long a process may take to end after SIGTERM. A gateway has to stop its own children by then, so it gives them less.
const TERMINATE_WAIT: Duration = Duration::from_millis(1500);
/// How long the rest of a group may take to end by itself after the child.
const GROUP_EXIT_WAIT: Duration = Duration::from_millis(500);
/// The first interval between two looks at a group. It doubles up to the maximum.
const FIRST_POLL_INTERVAL: Duration = Duration::from_millis(5);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(80);
/// The variable that tells a gateway how many stand in front of it.
const DEPTH: &str = "BREAKFALL_DEPTH";
/// From this depth on the wait is not shortened further.
const MAX_DEPTH: u32 = 4;
/// How long a process may take for what it should do at once.
const SHORT_WAIT: Duration = Duration::from_millis(100);
const TERMINATE: i32 = 15;

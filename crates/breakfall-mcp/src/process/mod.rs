//! A server as a child process: in a session of its own, watched, and ended with everything it started.

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
mod ring;
mod stderr;
mod word;

use crate::stdio::grow_pipe;
use group::Group;
pub use ring::StderrTail;
use stderr::listen;
pub use word::MaskedWord;

/// A command line. What is shown of it has no values of variables, and references as they were written.
#[derive(Clone)]
#[must_use]
pub struct ServerCommand {
    file: MaskedWord,
    args: Vec<MaskedWord>,
    env: Vec<(OsString, OsString)>,
    cwd: Option<PathBuf>,
}

impl ServerCommand {
    /// A program, looked for in `PATH` unless it has a slash.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            file: MaskedWord::from(program),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
        }
    }

    /// With these arguments.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(MaskedWord::from));
        self
    }

    /// With a variable besides those we have ourselves.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// In a directory.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// The same with words that are shown as they were written.
    pub fn from_words(file: MaskedWord, args: Vec<MaskedWord>) -> Self {
        Self {
            file,
            args,
            env: Vec::new(),
            cwd: None,
        }
    }

    /// Starts it. What it writes to stderr goes to the log and to the ring.
    ///
    /// # Errors
    /// When the system does not start it.
    ///
    /// # Panics
    /// Never: the streams it takes were asked for.
    pub fn start(&self, name: &str, ring: &Arc<StderrTail>) -> Result<ChildProcess, SpawnError> {
        let mut command = Command::new(self.file.reveal());
        command.args(self.args.iter().map(MaskedWord::reveal));
        command.envs(self.env.iter().cloned());
        let depth = depth();
        command.env(DEPTH, (depth + 1).to_string());
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        // In a session of its own it has no terminal: one that asks for a password there fails at once instead of
        // waiting for ever, and a Ctrl-C meant for us does not reach it before we have ended it in order.
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
        let log = tokio::spawn(listen(stderr, name.into(), Arc::clone(ring)));
        Ok(ChildProcess {
            reader: Box::new(stdout),
            writer: Box::new(stdin),
            process: ServerProcess {
                group: child.id().and_then(Group::of),
                child,
                log,
                last_grace: (0..depth).fold(LAST_GRACE, |grace, _| grace * 3 / 5),
                is_stopped: false,
                _running: RunningProcess::start(),
            },
        })
    }
}

/// A program that runs, and its standard streams.
#[expect(missing_debug_implementations, reason = "streams of any type")]
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
        f.debug_struct("Program")
            .field("file", &self.file)
            .field("args", &self.args)
            .field("env", &env)
            .field("cwd", &self.cwd)
            .finish()
    }
}

/// A program that could not be started at all.
#[derive(Debug)]
pub struct SpawnError {
    program: MaskedWord,
    cwd: Option<PathBuf>,
    error: io::Error,
}

impl SpawnError {
    /// What to do about it.
    pub fn fix(&self) -> String {
        let program = &self.program;
        match self.why() {
            Why::NoDirectory(cwd) => {
                format!("create the directory {}, or name another", cwd.display())
            }
            Why::Nameless => "name a program, and behind it its arguments".to_owned(),
            Why::OneWord => {
                "write the program and its arguments as words of their own, not as one text"
                    .to_owned()
            }
            Why::NoInterpreter => {
                "install what its first line names behind '#!', or install the server again"
                    .to_owned()
            }
            Why::NoFile => {
                "there is no such file; look for a typing error in its path, or install it there"
                    .to_owned()
            }
            Why::Absent => format!(
                "install {program}, or write its whole path; a client started from a desktop often has another PATH than your shell"
            ),
            Why::IsDirectory => "name the program in it".to_owned(),
            Why::Forbidden => format!("make it executable: chmod +x {program}"),
            Why::Other => "check the command line".to_owned(),
        }
    }

    fn why(&self) -> Why<'_> {
        let program = self.program.reveal();
        match (self.error.kind(), &self.cwd) {
            _ if program.is_empty() => Why::Nameless,
            (io::ErrorKind::NotFound, Some(cwd)) if !cwd.is_dir() => Why::NoDirectory(cwd),
            (io::ErrorKind::NotFound, _) if self.path().is_some_and(|path| path.is_file()) => {
                Why::NoInterpreter
            }
            // A path may have blanks too, so only the hint is about them.
            (io::ErrorKind::NotFound, _) if program.as_encoded_bytes().contains(&b' ') => {
                Why::OneWord
            }
            (io::ErrorKind::NotFound, _) if self.path().is_some() => Why::NoFile,
            (io::ErrorKind::NotFound, _) => Why::Absent,
            (io::ErrorKind::PermissionDenied, _)
                if self.path().is_some_and(|path| path.is_dir()) =>
            {
                Why::IsDirectory
            }
            (io::ErrorKind::PermissionDenied, _) => Why::Forbidden,
            _ => Why::Other,
        }
    }

    /// Where it is, unless it was looked for in `PATH`. A relative path starts where the program would.
    fn path(&self) -> Option<PathBuf> {
        let program = self.program.reveal();
        let is_path = program.as_encoded_bytes().contains(&b'/');
        is_path.then(|| self.cwd.clone().unwrap_or_default().join(program))
    }
}

/// Why a program could not be started, as far as it is known.
enum Why<'a> {
    NoDirectory(&'a Path),
    Nameless,
    /// It is there, and what runs it is not.
    NoInterpreter,
    OneWord,
    /// It was not looked for anywhere else.
    NoFile,
    /// It is nowhere in `PATH`.
    Absent,
    IsDirectory,
    Forbidden,
    Other,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = &self.program;
        match self.why() {
            Why::NoDirectory(cwd) => {
                let cwd = cwd.display();
                write!(f, "there is no directory {cwd} to start {program} in")
            }
            Why::Nameless => write!(f, "the program to start has no name"),
            Why::OneWord => write!(f, "there is no program '{program}'"),
            Why::NoInterpreter => write!(f, "{program} is there, but what runs it is not"),
            Why::NoFile | Why::Absent => write!(f, "there is no program {program}"),
            Why::IsDirectory => write!(f, "{program} is a directory, not a program"),
            Why::Forbidden => write!(f, "{program} may not be executed"),
            Why::Other => write!(f, "{program} could not be started: {}", self.error),
        }
    }
}

impl std::error::Error for SpawnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// A child that runs, or has run. Dropping it kills it, with everything it started; [`Self::stop`] is kinder, and
/// reaps it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Box<dyn ChildWrapper>,
    /// It and what it started, as far as that has not left it.
    group: Option<Group>,
    /// Reads its stderr.
    log: JoinHandle<()>,
    last_grace: Duration,
    is_stopped: bool,
    _running: RunningProcess,
}

/// How many child processes run, or have ended and were not reaped yet.
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

/// How a child ended that was to.
#[derive(Debug)]
pub struct ProcessExit {
    /// The status the system reported.
    pub exit: Option<ExitStatus>,
    /// It did before it was asked to, or made to.
    is_by_itself: bool,
}

impl ProcessExit {
    /// What it exited with if nobody asked it to.
    pub fn own(self) -> Option<ExitStatus> {
        self.exit.filter(|_| self.is_by_itself)
    }
}

impl ServerProcess {
    /// Waits for its end.
    pub async fn exited(&mut self) {
        if self.child.wait().await.is_err() {
            // It cannot be waited for; the end of its output will tell.
            std::future::pending::<()>().await;
        }
    }

    /// Waits for its end for a moment.
    pub async fn exit(&mut self, wait: Duration) -> Option<ExitStatus> {
        timeout(wait, self.child.wait()).await.ok()?.ok()
    }

    /// Ends it, and everything it started, after its standard input was closed: it may end by itself, then it is
    /// asked to, then it is made to. Whoever is in a hurry has asked us already, and it is asked at once.
    ///
    /// What we have started may only have started the server, and be gone long before it: all of them get the time.
    pub async fn stop(mut self, hurry: impl Future<Output = ()>) -> ProcessExit {
        // What is left of a server that is dead already has nobody to work for.
        if self.exit(Duration::ZERO).await.is_none() {
            let by_itself = async {
                if self.exit(GRACE).await.is_some() {
                    self.over(MOMENT).await;
                }
            };
            tokio::select! {
                () = by_itself => {}
                () = hurry => {}
            }
        }
        let is_over = self.over(HASTE).await;
        // What it exits with later may be for what we do to it.
        let is_by_itself = self.exit(Duration::ZERO).await.is_some();
        if !is_over {
            // Fails only if it has just ended.
            let _ = self.child.signal(TERMINATE);
            self.over(self.last_grace).await;
        }
        // Also if nothing seems to be left. Fails if that is so.
        let _ = self.child.start_kill();
        self.is_stopped = true;
        let exit = self.exit(GRACE).await;
        // What it said last is read; what escaped from it may hold its stderr for ever.
        if timeout(HASTE, &mut self.log).await.is_err() {
            self.log.abort();
        }
        ProcessExit { exit, is_by_itself }
    }
}

impl ServerProcess {
    /// Waits for some time until nothing of it is left; false if something is.
    async fn over(&mut self, wait: Duration) -> bool {
        let over = async {
            // If it cannot be waited for, whether it is there can still be seen.
            let _ = self.child.wait().await;
            let mut look = LOOK;
            while self.group.is_some_and(Group::lives) {
                sleep(look).await;
                look = LONGEST_LOOK.min(look * 2);
            }
        };
        timeout(wait, over).await.is_ok()
    }
}

/// How many gateways stand in front of this one, if each has started the next.
fn depth() -> u32 {
    let depth = std::env::var(DEPTH).ok();
    let depth = depth.and_then(|depth| depth.parse().ok());
    depth.unwrap_or(0).min(DEEPEST)
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        if !self.is_stopped {
            // Fails only if nothing of it is left.
            let _ = self.child.start_kill();
        }
    }
}

/// How long it may take to end by itself. A client that waits for as long asks us to end next, and after as long again
/// it kills us: until then nothing may be left of the server.
const GRACE: Duration = Duration::from_secs(2);
/// How long it may take to end when it is asked to. If it is a gateway, it has to end what it has started by then, and so
/// gives that less.
const LAST_GRACE: Duration = Duration::from_millis(1500);
/// How long what a server started may take to end by itself after it.
const MOMENT: Duration = Duration::from_millis(500);
/// When to look first whether something is left; each time later by as much again, up to a bound.
const LOOK: Duration = Duration::from_millis(5);
const LONGEST_LOOK: Duration = Duration::from_millis(80);
/// Tells a gateway behind this one how many stand in front of it.
const DEPTH: &str = "BREAKFALL_DEPTH";
/// Beyond this there is no less time to give.
const DEEPEST: u32 = 4;
/// How long what should be done at once may take.
const HASTE: Duration = Duration::from_millis(100);
const TERMINATE: i32 = 15;

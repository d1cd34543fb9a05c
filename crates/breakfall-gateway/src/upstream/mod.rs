//! The server behind us: where it comes from, how it is started, and how it is ended.

mod backoff;
mod process;
mod ring;

use std::fmt;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};

pub(crate) use backoff::Backoff;
pub(crate) use process::Process;
pub use process::{NotStarted, Program};
pub(crate) use ring::Ring;

use crate::config::{self, Patience, Restart};
use crate::demo;
use crate::envelope::Limits;
use crate::era::Known;
use crate::peer::{Asked, Listener, Method, Peer, Side};

/// A server, and how to treat it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Upstream {
    /// What it is called in messages and logs.
    pub name: Box<str>,
    /// Where it comes from.
    pub origin: Origin,
    /// How long it may take to answer.
    pub patience: Patience,
    /// Tools that may take longer, or less long, without a sign of life.
    pub tools: config::Tools,
    /// When it is started again.
    pub restart: Restart,
    /// How big its messages may be.
    pub limits: Limits,
    /// Whether clients of another era of the protocol are understood, too.
    pub is_bridged: bool,
    /// Which eras it has shown to speak.
    pub(crate) known: Known,
}

impl Upstream {
    /// A server with the defaults.
    pub fn new(name: impl Into<Box<str>>, origin: Origin) -> Self {
        Self {
            name: name.into(),
            origin,
            patience: Patience::default(),
            tools: config::Tools::default(),
            restart: Restart::default(),
            limits: Limits::RESPONSE,
            is_bridged: true,
            known: Known::default(),
        }
    }
}

impl Upstream {
    /// The server a configuration means.
    ///
    /// # Errors
    /// When it is of a kind that cannot be started here yet.
    pub fn from_config(config: &config::Upstream) -> Result<Self, Unsupported> {
        let origin = match &config.source {
            config::Source::Command(command) => Origin::Program(Program::from_config(command)),
            config::Source::Demo => Origin::demo(),
            config::Source::Url(_) => return Err(Unsupported("url")),
            config::Source::Adapter(_) => return Err(Unsupported("adapter")),
        };
        Ok(Self {
            patience: config.patience,
            tools: config.tools.clone(),
            restart: config.restart,
            limits: config.limits.of_responses(),
            ..Self::new(&*config.name, origin)
        })
    }
}

impl Upstream {
    /// How long a request may take.
    pub(crate) fn patience_with(&self, asked: &Asked) -> Patience {
        if asked.method == Method::Await {
            return Patience {
                quiet: self.patience.total,
                total: self.patience.total,
            };
        }
        let is_call = asked.method == Method::ToolsCall;
        let own = is_call.then(|| self.tools.policy(&asked.operation).timeout);
        match own.flatten() {
            Some(quiet) => Patience {
                quiet,
                total: self.patience.total.max(quiet),
            },
            None => self.patience,
        }
    }
}

/// A kind of server that cannot be started yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsupported(&'static str);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a server with `{}` is planned, not in this version",
            self.0
        )
    }
}

impl std::error::Error for Unsupported {}

/// Where a server comes from.
#[non_exhaustive]
pub enum Origin {
    /// A child process, which speaks on its standard streams.
    Program(Program),
    /// Something inside this process. The function starts it anew and gives the other end of its stream.
    Inside(Box<dyn Fn() -> DuplexStream + Send + Sync>),
}

impl Origin {
    /// The shop to try things on.
    pub fn demo() -> Self {
        Self::Inside(Box::new(|| {
            let (ours, theirs) = tokio::io::duplex(PIPE);
            let (reader, writer) = tokio::io::split(theirs);
            tokio::spawn(demo::serve(reader, writer));
            ours
        }))
    }
}

/// As much as a pipe holds.
const PIPE: usize = 64 << 10;

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => program.fmt(f),
            Self::Inside(_) => f.write_str("Inside"),
        }
    }
}

/// A server that runs.
pub(crate) struct Started {
    pub(crate) reader: Box<dyn AsyncRead + Send + Unpin>,
    pub(crate) writer: Box<dyn AsyncWrite + Send + Unpin>,
    /// The process, if it is one.
    pub(crate) process: Option<Process>,
}

impl Started {
    /// Begins to speak with it.
    pub(crate) fn connect(
        self,
        limits: Limits,
        listener: Arc<dyn Listener>,
    ) -> (Peer, Option<Process>) {
        let server = Peer::start(Side::Server, self.reader, self.writer, limits, listener);
        (server, self.process)
    }
}

impl Upstream {
    /// Starts the server. What it says on stderr goes to the log, and to the ring.
    pub(crate) fn start(&self, ring: &Arc<Ring>) -> Result<Started, NotStarted> {
        match &self.origin {
            Origin::Program(program) => program.start(&self.name, ring),
            Origin::Inside(start) => {
                let (reader, writer) = tokio::io::split(start());
                Ok(Started {
                    reader: Box::new(reader),
                    writer: Box::new(writer),
                    process: None,
                })
            }
        }
    }
}

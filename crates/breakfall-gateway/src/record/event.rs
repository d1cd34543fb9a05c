//! A call that is over.

use std::sync::Arc;
use std::time::Duration;

use breakfall::catalog::warning::WarningCode;
use breakfall::code::Origin;
use breakfall::{Code, CorrelationId, Fault, Timestamp};

use super::trace::Trace;

/// One call of a tool, or another request that failed, from its beginning to its end.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Event {
    /// What the caller was told to ask by, or would have been.
    pub id: CorrelationId,
    /// When it began.
    pub at: Timestamp,
    /// The server.
    pub upstream: Arc<str>,
    /// The tool, as the server calls it; the beginning of a very long name.
    pub tool: Box<str>,
    /// Whether it is a call of a tool. If not, the tool is a prompt or the method.
    pub is_call: bool,
    /// Who called, if that is known.
    pub principal: Option<Arc<str>>,
    /// What it came to.
    pub end: End,
    /// How often the server was asked. Never, if we answered ourselves.
    pub attempts: u32,
    /// How long each attempt took, in order, without the waits between them.
    pub attempt_durations: Vec<Duration>,
    /// How much of the time was waited between attempts.
    pub waited: Duration,
    /// How long it took in all.
    pub took: Duration,
    /// Bytes of the request.
    pub sent: usize,
    /// Bytes of the answer.
    pub received: usize,
    /// What a success was warned of.
    pub warnings: Vec<WarningCode>,
    /// The trace it belongs to.
    pub trace: Option<Trace>,
}

impl Event {
    /// A call that went well at the first attempt; whoever knows more says so.
    ///
    /// ```
    /// use breakfall::{CorrelationId, Timestamp};
    /// use breakfall_gateway::record::{End, Event};
    ///
    /// let id = CorrelationId::new("c-1").expect("an id");
    /// let event = Event::new(id, Timestamp::UNIX_EPOCH, "shop".into(), "get_order");
    /// assert_eq!((event.end, event.attempts), (End::Success, 1));
    /// ```
    pub fn new(id: CorrelationId, at: Timestamp, upstream: Arc<str>, tool: &str) -> Self {
        Self {
            id,
            at,
            upstream,
            // A tool nobody has may be called anything.
            tool: tool[..tool.floor_char_boundary(LONGEST_TOOL)].into(),
            is_call: true,
            principal: None,
            end: End::Success,
            attempts: 1,
            attempt_durations: Vec::new(),
            waited: Duration::ZERO,
            took: Duration::ZERO,
            sent: 0,
            received: 0,
            warnings: Vec::new(),
            trace: None,
        }
    }
}

/// What a call came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no other end")]
pub enum End {
    /// It worked, perhaps with warnings.
    Success,
    /// It did not.
    Failed {
        /// Why.
        code: Code,
        /// Whose doing it was.
        origin: Origin,
    },
    /// Somebody has to say something first, or it goes on as a task.
    Asks,
    /// The caller took it back, and was not answered.
    Cancelled,
}

impl End {
    /// The end a fault makes.
    pub fn of(fault: &Fault) -> Self {
        Self::Failed {
            code: fault.code(),
            origin: fault.public().origin(),
        }
    }

    /// Its word: a code for a failure.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed { code, .. } => code.name(),
            Self::Asks => "asks",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whose doing a failure was.
    pub const fn origin(self) -> Option<Origin> {
        match self {
            Self::Failed { origin, .. } => Some(origin),
            Self::Success | Self::Asks | Self::Cancelled => None,
        }
    }
}

/// What is known about a failure, for whoever runs the gateway.
#[derive(Debug)]
pub struct Evidence {
    pub(super) fault: Fault,
    pub(super) original: Option<Box<str>>,
}

impl Evidence {
    /// A fault with both its halves, before anything was taken out of the public one.
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            original: None,
        }
    }

    /// The id the caller was told.
    pub(super) fn id(&self) -> Option<&CorrelationId> {
        self.fault.public().correlation_id()
    }

    /// What the server said, as it said it; the beginning of very much.
    #[must_use]
    pub fn original(mut self, text: &str) -> Self {
        self.original = Some(text[..text.floor_char_boundary(LONGEST_ORIGINAL)].into());
        self
    }
}

const LONGEST_TOOL: usize = 256;

/// A little more than is kept in the end, so that it is seen that there was more.
const LONGEST_ORIGINAL: usize = 68 << 10;

//! Which call this was, and when: correlation ids and timestamps, from an injected source.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use jiff::Timestamp;
use uuid::{Builder, Uuid};

use super::Public;

/// Ties a reply to the operator's records. Ours are UUIDs, version 7; foreign ones are kept as they came.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CorrelationId(Box<str>);

impl CorrelationId {
    /// The longest id that is accepted from outside.
    pub const MAX_LEN: usize = 128;

    /// Accepts a foreign id.
    ///
    /// # Errors
    /// When it is empty, longer than [`Self::MAX_LEN`] bytes, starts with a dot, or holds anything but visible ASCII
    /// without quotes, angle brackets, ampersands and slashes: an id goes into headers, pages and file names.
    pub fn new(id: impl Into<Box<str>>) -> Result<Self, InvalidCorrelationId> {
        let id = id.into();
        let harmless = |b: u8| b.is_ascii_graphic() && !b"\"'<>&/\\".contains(&b);
        let sized = !id.is_empty() && id.len() <= Self::MAX_LEN;
        let fits = sized && !id.starts_with('.') && id.bytes().all(harmless);
        if fits {
            Ok(Self(id))
        } else {
            Err(InvalidCorrelationId)
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Uuid> for CorrelationId {
    fn from(id: Uuid) -> Self {
        let mut text = Uuid::encode_buffer();
        Self((&*id.hyphenated().encode_lower(&mut text)).into())
    }
}

impl fmt::Display for CorrelationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that is not a valid correlation id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidCorrelationId;

impl fmt::Display for InvalidCorrelationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a correlation id is 1 to {} visible ASCII characters without quotes, angle brackets, ampersands and slashes",
            CorrelationId::MAX_LEN
        )
    }
}

impl std::error::Error for InvalidCorrelationId {}

/// Where a fault that has no id and no time yet gets them from when it is encoded.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there are no other sources of an id and a time"
)]
pub enum Stamp {
    /// A fresh UUID version 7 and the system clock.
    #[default]
    System,
    /// These. For tests, and for servers that made them when the call came in.
    Fixed(CorrelationId, Timestamp),
}

impl Stamp {
    /// The id of a fault, or a new one: a caller that reports a failure needs an id to quote.
    pub(crate) fn id_of<'a>(&self, public: &'a Public) -> Cow<'a, CorrelationId> {
        let own = public.correlation_id().map(Cow::Borrowed);
        own.unwrap_or_else(|| Cow::Owned(self.take().0))
    }

    /// The id and the time to use.
    pub fn take(&self) -> (CorrelationId, Timestamp) {
        match self {
            Self::System => {
                let now = Timestamp::now();
                (fresh_id(now).into(), now)
            }
            Self::Fixed(id, at) => (id.clone(), *at),
        }
    }
}

/// A UUID version 7 of a moment.
fn fresh_id(now: Timestamp) -> Uuid {
    let millis = u64::try_from(now.as_millisecond()).unwrap_or_default();
    let random = POOL.with_borrow_mut(RandomPool::take);
    Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

/// A pool of random bytes: asking the system for each id costs more than half as much as writing the fault. Ids are not secret,
/// so keeping bytes in memory does no harm.
struct RandomPool {
    bytes: [u8; Self::SIZE],
    used: usize,
}

impl RandomPool {
    const SIZE: usize = 50 * ID_BYTES;

    fn take(&mut self) -> [u8; ID_BYTES] {
        if self.used + ID_BYTES > Self::SIZE {
            getrandom::fill(&mut self.bytes)
                .expect("every system we run on gives random bits to its processes");
            self.used = 0;
        }
        let mut id = [0; ID_BYTES];
        id.copy_from_slice(&self.bytes[self.used..self.used + ID_BYTES]);
        self.used += ID_BYTES;
        id
    }
}

/// Bytes of an id that are not the time.
const ID_BYTES: usize = 10;

thread_local! {
    static POOL: RefCell<RandomPool> = const { RefCell::new(RandomPool { bytes: [0; RandomPool::SIZE], used: RandomPool::SIZE }) };
}

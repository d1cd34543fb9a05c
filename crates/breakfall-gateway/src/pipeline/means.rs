//! What the calls of one server are judged by, told in and recorded with.

use std::sync::Arc;

use breakfall::Stamp;

use crate::config::ReplySettings;
use crate::record::Recorder;

/// The same for all who call a server.
#[derive(Debug)]
#[non_exhaustive]
pub struct Means {
    /// Whether calls are judged at all. If not, they are passed on as they come, and what comes back too.
    pub is_judged: bool,
    /// What is a failure, and how it is told.
    pub replies: ReplySettings,
    /// Where it is recorded.
    pub recorder: Recorder,
    /// Where ids and times come from.
    pub stamp: Stamp,
    /// Where chance comes from: a number from 0 up to 1.
    pub chance: fn() -> f64,
    /// Its name, for records.
    pub(crate) name: Arc<str>,
}

impl Means {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            is_judged: true,
            replies: ReplySettings::default(),
            recorder: Recorder::off(),
            stamp: Stamp::System,
            chance: by_chance,
            name: name.into(),
        }
    }
}

/// Whoever fails at the same time does not come back at the same time.
fn by_chance() -> f64 {
    let bits = getrandom::u32().unwrap_or(u32::MAX / 2);
    f64::from(bits) / (f64::from(u32::MAX) + 1.0)
}

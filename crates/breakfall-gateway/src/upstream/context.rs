//! The parts that all calls to one upstream share: rules, recorder, clock and chance.

use std::sync::Arc;

use breakfall::Stamp;
use breakfall::redact::KnownValues;

use super::UsageWriter;
use crate::config::ReplySettings;
use crate::record::Recorder;

/// The parts that all calls to one upstream share.
#[derive(Debug)]
#[non_exhaustive]
pub struct UpstreamContext {
    /// Whether answers are judged and rewritten. If not, calls and answers are passed on unchanged; gate and limits hold.
    pub is_judged: bool,
    /// The rules for failures, and how failures are answered.
    pub replies: ReplySettings,
    /// The recorder of its calls.
    pub recorder: Recorder,
    /// What every client knows besides the arguments of its calls.
    pub known: KnownValues,
    /// The counters of quotas, and where they are stored.
    pub usage: UsageWriter,
    /// The source of ids and times.
    pub stamp: Stamp,
    /// The source of chance: a number from 0 up to 1.
    pub chance: fn() -> f64,
    /// The name of the upstream, for records.
    pub(crate) name: Arc<str>,
}

impl UpstreamContext {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            is_judged: true,
            replies: ReplySettings::default(),
            recorder: Recorder::off(),
            known: KnownValues::new(),
            usage: UsageWriter::default(),
            stamp: Stamp::System,
            chance: random,
            name: name.into(),
        }
    }
}

/// Random numbers for jitter, so that calls that fail together are not retried together.
fn random() -> f64 {
    let bits = getrandom::u32().unwrap_or(u32::MAX / 2);
    f64::from(bits) / (f64::from(u32::MAX) + 1.0)
}

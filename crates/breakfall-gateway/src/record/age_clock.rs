//! Whether the system clock can be believed when it says how old a record is.
//!
//! A clock that jumps forward makes every record too old at once. So a jump is not believed before the clock has run evenly for
//! some time: a wrong clock is usually set right within minutes.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The system clock, compared with a monotonic one.
#[derive(Debug, Default)]
pub(super) struct AgeClock {
    last: Option<Reading>,
    /// The monotonic time of the last jump.
    jumped: Option<Duration>,
}

#[derive(Debug, Clone, Copy)]
struct Reading {
    wall: Timestamp,
    monotonic: Duration,
}

impl AgeClock {
    /// The first reading. `newest` is the time of the newest record that is at least [`PROBATION`] old: long before means a long
    /// pause, or a jump. Younger ones prove nothing: an earlier process may have stored them after the jump.
    pub(super) fn start(&mut self, wall: Timestamp, monotonic: Duration, newest: Newest) {
        self.last = Some(Reading { wall, monotonic });
        let is_doubtful = match newest {
            Newest::None => false,
            Newest::At(newest) => wall.duration_since(newest) > MAX_PAUSE,
            Newest::Unknown => true,
        };
        self.jumped = is_doubtful.then_some(monotonic);
    }

    /// Takes a reading. Returns whether the clock jumped since the last one.
    pub(super) fn read(&mut self, wall: Timestamp, monotonic: Duration) -> bool {
        let now = Reading { wall, monotonic };
        let jumped = self.last.replace(now).is_some_and(|last| {
            let passed = monotonic.saturating_sub(last.monotonic);
            let expected = SignedDuration::try_from(passed).unwrap_or(SignedDuration::MAX);
            let drift = wall.duration_since(last.wall).saturating_sub(expected);
            drift.unsigned_abs() > MAX_DRIFT
        });
        if jumped {
            self.jumped = Some(monotonic);
        }
        jumped
    }

    /// Whether records may be deleted for their age.
    pub(super) fn is_believed(&self) -> bool {
        let now = self.last.map(|last| last.monotonic);
        now.zip(self.jumped)
            .is_none_or(|(now, jumped)| now.saturating_sub(jumped) >= PROBATION)
    }
}

/// The time of the newest record that is at least [`PROBATION`] old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Newest {
    /// There is no such record.
    None,
    /// Its time.
    At(Timestamp),
    /// The store cannot be read.
    Unknown,
}

/// How much the two clocks may differ between two readings.
const MAX_DRIFT: Duration = Duration::from_mins(10);

/// How long a pause between two processes may be.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(24);

/// How long a clock must run evenly after a jump.
pub(super) const PROBATION: Duration = Duration::from_hours(1);

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);
    const YEAR: Duration = Duration::from_hours(24 * 365);

    fn at(wall: Duration) -> Timestamp {
        Timestamp::UNIX_EPOCH + wall
    }

    #[test]
    fn a_jump_is_not_believed_before_an_hour_has_passed_evenly() {
        let mut clock = AgeClock::default();
        clock.start(at(YEAR), Duration::ZERO, Newest::None);
        assert!(clock.is_believed());
        assert!(!clock.read(at(YEAR + 10 * MINUTE), 10 * MINUTE));
        assert!(clock.is_believed());
        assert!(clock.read(at(2 * YEAR), 20 * MINUTE));
        assert!(!clock.is_believed());
        assert!(!clock.read(at(2 * YEAR + 30 * MINUTE), 50 * MINUTE));
        assert!(!clock.is_believed());
        assert!(!clock.read(at(2 * YEAR + 60 * MINUTE), 80 * MINUTE));
        assert!(clock.is_believed(), "it may have been right");
    }

    #[test]
    fn a_clock_that_is_set_back_is_not_believed_either() {
        let mut clock = AgeClock::default();
        clock.start(at(YEAR), Duration::ZERO, Newest::None);
        assert!(clock.read(at(Duration::ZERO), MINUTE));
        assert!(!clock.is_believed());
    }

    #[test]
    fn a_store_that_was_last_written_long_ago_does_not_show_that_the_clock_is_right() {
        for (newest, is_believed) in [
            (Newest::None, true),
            (Newest::At(at(YEAR.saturating_sub(MINUTE))), true),
            (Newest::At(at(YEAR + MINUTE)), true),
            (Newest::At(at(Duration::ZERO)), false),
            (Newest::Unknown, false),
        ] {
            let mut clock = AgeClock::default();
            clock.start(at(YEAR), Duration::ZERO, newest);
            assert_eq!(clock.is_believed(), is_believed, "{newest:?}");
        }
    }
}

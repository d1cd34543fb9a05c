//! Whether an upstream was up when it was last used.

use std::sync::atomic::{AtomicU8, Ordering};

/// What the last attempt to use an upstream showed.
#[derive(Debug, Default)]
pub struct UpstreamHealth(AtomicU8);

/// Whether an upstream was up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthState {
    /// It has not been used.
    Unknown,
    /// It answered.
    Up,
    /// It was unreachable, or could not be started.
    Down,
}

impl UpstreamHealth {
    /// What the last attempt showed.
    pub fn state(&self) -> HealthState {
        match self.0.load(Ordering::Relaxed) {
            0 => HealthState::Unknown,
            1 => HealthState::Up,
            _ => HealthState::Down,
        }
    }

    /// Records an attempt.
    pub fn set(&self, state: HealthState) {
        // It rarely changes and is read often: no write without a change.
        if self.state() != state {
            self.0.store(state as u8, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_attempt_counts() {
        let health = UpstreamHealth::default();
        assert_eq!(health.state(), HealthState::Unknown);
        for state in [HealthState::Down, HealthState::Up, HealthState::Unknown] {
            health.set(state);
            assert_eq!(health.state(), state);
        }
    }
}

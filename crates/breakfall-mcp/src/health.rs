//! How a server was when somebody last had to do with it.

use std::sync::atomic::{AtomicU8, Ordering};

/// What the last attempt has shown.
#[derive(Debug, Default)]
pub struct UpstreamHealth(AtomicU8);

/// How a server was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthState {
    /// Nobody has tried.
    Untried,
    /// It has answered.
    Well,
    /// It could not be had.
    Down,
}

impl UpstreamHealth {
    /// What the last attempt has shown.
    pub fn was(&self) -> HealthState {
        match self.0.load(Ordering::Relaxed) {
            0 => HealthState::Untried,
            1 => HealthState::Well,
            _ => HealthState::Down,
        }
    }

    /// Notes what an attempt has shown.
    pub fn set(&self, was: HealthState) {
        // It hardly ever changes, and many look at it.
        if self.was() != was {
            self.0.store(was as u8, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_attempt_counts() {
        let health = UpstreamHealth::default();
        assert_eq!(health.was(), HealthState::Untried);
        for was in [HealthState::Down, HealthState::Well, HealthState::Untried] {
            health.set(was);
            assert_eq!(health.was(), was);
        }
    }
}

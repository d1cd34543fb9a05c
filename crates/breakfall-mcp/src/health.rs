//! How a server was when somebody last had to do with it.

use std::sync::atomic::{AtomicU8, Ordering};

/// What the last attempt has shown.
#[derive(Debug, Default)]
pub struct Health(AtomicU8);

/// How a server was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Was {
    /// Nobody has tried.
    Untried,
    /// It has answered.
    Well,
    /// It could not be had.
    Down,
}

impl Health {
    pub fn was(&self) -> Was {
        match self.0.load(Ordering::Relaxed) {
            0 => Was::Untried,
            1 => Was::Well,
            _ => Was::Down,
        }
    }

    pub fn set(&self, was: Was) {
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
        let health = Health::default();
        assert_eq!(health.was(), Was::Untried);
        for was in [Was::Down, Was::Well, Was::Untried] {
            health.set(was);
            assert_eq!(health.was(), was);
        }
    }
}

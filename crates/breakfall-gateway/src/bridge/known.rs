//! What is known of a server's eras, as long as its definition is.

use std::sync::atomic::{AtomicU8, Ordering};

/// Which eras a server speaks, as far as it has shown.
#[derive(Debug, Default)]
pub(crate) struct Known {
    legacy: Fact,
    modern: Fact,
}

#[derive(Debug, Default)]
struct Fact(AtomicU8);

impl Known {
    /// Whether it answers a handshake.
    pub(super) fn legacy(&self) -> Option<bool> {
        self.legacy.get()
    }

    /// Whether it answers requests that speak for themselves.
    pub(super) fn modern(&self) -> Option<bool> {
        self.modern.get()
    }

    pub(super) fn set_legacy(&self, is_so: bool) {
        self.legacy.set(Some(is_so));
    }

    pub(super) fn set_modern(&self, is_so: bool) {
        self.modern.set(Some(is_so));
    }

    /// What was known turned out to be wrong.
    pub(super) fn forget(&self) {
        self.legacy.set(None);
        self.modern.set(None);
    }
}

impl Fact {
    fn get(&self) -> Option<bool> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            fact => Some(fact == 2),
        }
    }

    fn set(&self, fact: Option<bool>) {
        let fact = fact.map_or(0, |is_so| 1 + u8::from(is_so));
        self.0.store(fact, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_known_once_it_is_shown_until_it_is_forgotten() {
        let known = Known::default();
        assert_eq!((known.legacy(), known.modern()), (None, None));
        known.set_legacy(true);
        known.set_modern(false);
        assert_eq!((known.legacy(), known.modern()), (Some(true), Some(false)));
        known.forget();
        assert_eq!((known.legacy(), known.modern()), (None, None));
    }
}

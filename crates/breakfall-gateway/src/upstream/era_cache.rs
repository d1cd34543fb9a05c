//! The protocol eras that a server supports, as far as they are known.

use std::sync::atomic::{AtomicU8, Ordering};

/// The protocol eras that a server has shown to support.
#[derive(Debug, Default)]
pub(crate) struct EraCache {
    legacy: CachedFact,
    modern: CachedFact,
}

#[derive(Debug, Default)]
struct CachedFact(AtomicU8);

impl EraCache {
    /// Whether it answers a legacy handshake.
    pub(crate) fn legacy(&self) -> Option<bool> {
        self.legacy.get()
    }

    /// Whether it answers modern requests.
    pub(crate) fn modern(&self) -> Option<bool> {
        self.modern.get()
    }

    pub(crate) fn set_legacy(&self, is_so: bool) {
        self.legacy.set(Some(is_so));
    }

    pub(crate) fn set_modern(&self, is_so: bool) {
        self.modern.set(Some(is_so));
    }

    /// Drops what turned out to be wrong.
    pub(crate) fn forget(&self) {
        self.legacy.set(None);
        self.modern.set(None);
    }
}

impl CachedFact {
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
        let eras = EraCache::default();
        assert_eq!((eras.legacy(), eras.modern()), (None, None));
        eras.set_legacy(true);
        eras.set_modern(false);
        assert_eq!((eras.legacy(), eras.modern()), (Some(true), Some(false)));
        eras.forget();
        assert_eq!((eras.legacy(), eras.modern()), (None, None));
    }
}

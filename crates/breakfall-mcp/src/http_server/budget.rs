//! How much of all bodies together may be in memory before they are whole: each may be big, but not all at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::refused::Refused;

/// What is left for all.
#[derive(Debug)]
pub(super) struct Budget(AtomicUsize);

/// What one of them has taken. It gives it back.
#[derive(Debug)]
pub(super) struct Share {
    budget: Arc<Budget>,
    taken: usize,
}

impl Budget {
    pub(super) fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(bytes)))
    }

    /// Nothing is taken yet.
    pub(super) fn share(self: &Arc<Self>) -> Share {
        Share {
            budget: Arc::clone(self),
            taken: 0,
        }
    }
}

impl Share {
    /// Makes sure of so many bytes in all. The first few are free, since nearly every body has no more.
    ///
    /// # Errors
    /// When others have too many.
    pub(super) fn at_least(&mut self, bytes: usize) -> Result<(), Refused> {
        if bytes <= FREE || bytes <= self.taken {
            return Ok(());
        }
        // Not for every piece of it.
        let more = (bytes - self.taken).max(STEP);
        let left = &self.budget.0;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(more)
        });
        if taken.is_err() {
            let what = "the bodies of all requests together are too big";
            return Err(Refused::overloaded(what).closing());
        }
        self.taken += more;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.taken, Ordering::Relaxed);
    }
}

/// What is free for each.
const FREE: usize = 64 << 10;
/// What is taken at once.
const STEP: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_has_taken_others_do_not_get_until_it_is_given_back() {
        let budget = Budget::new(10 * STEP);
        let (mut one, mut other) = (budget.share(), budget.share());
        assert!(one.at_least(8 * STEP).is_ok());
        assert!(other.at_least(FREE).is_ok(), "so much everybody gets");
        assert!(other.at_least(2 * STEP).is_ok());
        let refused = other.at_least(2 * STEP + 1).expect_err("that is too much");
        assert_eq!(refused.status(), 503);
        drop(one);
        assert!(other.at_least(10 * STEP).is_ok());
        drop(other);
        assert_eq!(budget.0.load(Ordering::Relaxed), 10 * STEP);
    }
}

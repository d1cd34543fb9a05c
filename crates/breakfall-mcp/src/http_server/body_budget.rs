//! A bound on the memory of all bodies that are still arriving: each may be big, but not all at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::refusal::HttpRefusal;

/// The bytes left for bodies that are still arriving.
#[derive(Debug)]
pub(super) struct BodyBudget(AtomicUsize);

/// The bytes one body has taken from the budget. Dropping it gives them back.
#[derive(Debug)]
pub(super) struct BodyShare {
    budget: Arc<BodyBudget>,
    taken: usize,
}

impl BodyBudget {
    pub(super) fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(bytes)))
    }

    /// An empty share.
    pub(super) fn share(self: &Arc<Self>) -> BodyShare {
        BodyShare {
            budget: Arc::clone(self),
            taken: 0,
        }
    }
}

impl BodyShare {
    /// Takes so many bytes in all. The first ones are free, because nearly every body is small.
    ///
    /// # Errors
    /// When other bodies have taken too many.
    pub(super) fn at_least(&mut self, bytes: usize) -> Result<(), HttpRefusal> {
        if bytes <= FREE_BYTES || bytes <= self.taken {
            return Ok(());
        }
        // In steps, so that not every chunk changes the budget.
        let more = (bytes - self.taken).max(STEP_BYTES);
        let left = &self.budget.0;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(more)
        });
        if taken.is_err() {
            let what = "the bodies of all requests together are too big";
            return Err(HttpRefusal::overloaded(what).closing());
        }
        self.taken += more;
        Ok(())
    }
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.taken, Ordering::Relaxed);
    }
}

/// The bytes of each body that do not count.
const FREE_BYTES: usize = 64 << 10;
/// The least that is taken at once.
const STEP_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_refused_while_others_hold_too_much_and_is_given_back_when_dropped() {
        let budget = BodyBudget::new(10 * STEP_BYTES);
        let (mut one, mut other) = (budget.share(), budget.share());
        assert!(one.at_least(8 * STEP_BYTES).is_ok());
        assert!(
            other.at_least(FREE_BYTES).is_ok(),
            "the first bytes are free"
        );
        assert!(other.at_least(2 * STEP_BYTES).is_ok());
        let refused = other.at_least(2 * STEP_BYTES + 1);
        assert_eq!(refused.expect_err("that is too much").status(), 503);
        drop(one);
        assert!(other.at_least(10 * STEP_BYTES).is_ok());
        drop(other);
        assert_eq!(budget.0.load(Ordering::Relaxed), 10 * STEP_BYTES);
    }
}

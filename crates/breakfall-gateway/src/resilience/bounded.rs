//! One thing for each tool, and not more of them than are good.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

/// Things by the names of tools. Names come from callers, so there is an end to them: what nobody needs makes room, and
/// when everything is needed a new name gets nothing.
pub(super) struct Bounded<T>(Mutex<Kept<T>>);

struct Kept<T> {
    by_name: HashMap<Box<str>, Arc<T>>,
    /// When somebody looked for room in vain.
    searched: Option<Instant>,
}

impl<T> Bounded<T> {
    /// What there is of a name, or else something new.
    pub(super) fn find_or(
        &self,
        name: &str,
        now: Instant,
        make: impl FnOnce() -> T,
        is_idle: impl Fn(&T) -> bool,
    ) -> Option<Arc<T>> {
        let mut kept = self.lock();
        if let Some(found) = kept.by_name.get(name) {
            return Some(Arc::clone(found));
        }
        if name.len() > LONGEST || (kept.by_name.len() >= MOST && !kept.make_room(now, is_idle)) {
            return None;
        }
        let new = Arc::new(make());
        kept.by_name.insert(name.into(), Arc::clone(&new));
        Some(new)
    }

    pub(super) fn find(&self, name: &str) -> Option<Arc<T>> {
        self.lock().by_name.get(name).map(Arc::clone)
    }

    /// All of them, by name.
    pub(super) fn all(&self) -> Vec<(Box<str>, Arc<T>)> {
        let mut all: Vec<_> = {
            let kept = self.lock();
            let each = kept.by_name.iter();
            each.map(|(name, thing)| (name.clone(), Arc::clone(thing)))
                .collect()
        };
        all.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        all
    }

    fn lock(&self) -> MutexGuard<'_, Kept<T>> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl<T> Kept<T> {
    /// Forgets what nobody uses and nobody would miss. Looking at everything takes a while, so it is not done for
    /// every call when there is nothing to be found.
    fn make_room(&mut self, now: Instant, is_idle: impl Fn(&T) -> bool) -> bool {
        let before = self.searched;
        if before.is_some_and(|before| now.saturating_duration_since(before) < PAUSE) {
            return false;
        }
        self.by_name
            .retain(|_, thing| Arc::strong_count(thing) > 1 || !is_idle(thing));
        let has_room = self.by_name.len() < MOST;
        self.searched = (!has_room).then_some(now);
        has_room
    }
}

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Self(Mutex::new(Kept {
            by_name: HashMap::new(),
            searched: None,
        }))
    }
}

impl<T> fmt::Debug for Bounded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bounded({})", self.lock().by_name.len())
    }
}

/// No server has more tools than this in use at once.
const MOST: usize = 4096;

/// No tool has a longer name.
const LONGEST: usize = 1024;

/// How long nobody looks for room again.
const PAUSE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_end_take_room_with_an_end() {
        let bounded = Bounded::default();
        let now = Instant::now();
        let second = Duration::from_secs(1);
        let find = |name: &str, now, is_idle: bool| {
            bounded.find_or(name, now, || name.to_owned(), move |_| is_idle)
        };
        for index in 0..MOST {
            assert!(find(&index.to_string(), now, false).is_some());
        }
        assert!(find("more", now, false).is_none());
        assert!(find("7", now, false).is_some(), "what is there stays");
        // Somebody has just looked, so nobody looks again.
        assert!(find("more", now, true).is_none());
        let held = find("7", now, false);
        assert!(find("more", now + second, true).is_some());
        assert_eq!(bounded.all().len(), 2);
        assert!(bounded.find("7").is_some(), "it is in use");
        drop(held);
        assert!(find(&"x".repeat(LONGEST + 1), now, true).is_none());
    }
}

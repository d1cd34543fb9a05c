//! A bounded map from names to values.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use breakfall_mcp::sync::Mutex;
use tokio::time::Instant;

/// Values by the names of tools or principals. Callers invent names, so the map is bounded: idle values make room, and when none is idle a
/// new name gets no value.
pub(super) struct BoundedMap<T> {
    entries: Mutex<BoundedEntries<T>>,
    capacity: usize,
}

struct BoundedEntries<T> {
    by_name: HashMap<Box<str>, Arc<T>>,
    /// When a search for idle values found none.
    searched: Option<Instant>,
}

impl<T> BoundedMap<T> {
    /// A map for so many names.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            entries: Mutex::new(BoundedEntries {
                by_name: HashMap::new(),
                searched: None,
            }),
            capacity,
        }
    }

    /// The value of a name, or a new one.
    pub(super) fn find_or(
        &self,
        name: &str,
        now: Instant,
        make: impl FnOnce() -> T,
        is_idle: impl Fn(&T) -> bool,
    ) -> Option<Arc<T>> {
        let mut kept = self.entries.lock();
        if let Some(found) = kept.by_name.get(name) {
            return Some(Arc::clone(found));
        }
        if name.len() > MAX_NAME_BYTES
            || (kept.by_name.len() >= self.capacity && !kept.make_room(self.capacity, now, is_idle))
        {
            return None;
        }
        let new = Arc::new(make());
        kept.by_name.insert(name.into(), Arc::clone(&new));
        Some(new)
    }

    pub(super) fn find(&self, name: &str) -> Option<Arc<T>> {
        self.entries.lock().by_name.get(name).map(Arc::clone)
    }

    /// All values, ordered by name.
    pub(super) fn all(&self) -> Vec<(Box<str>, Arc<T>)> {
        let mut all: Vec<_> = {
            let kept = self.entries.lock();
            let each = kept.by_name.iter();
            each.map(|(name, thing)| (name.clone(), Arc::clone(thing)))
                .collect()
        };
        all.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        all
    }
}

impl<T> BoundedEntries<T> {
    /// Drops the idle values that are not in use. The search visits every value, so a failed one is not repeated for a while.
    fn make_room(&mut self, capacity: usize, now: Instant, is_idle: impl Fn(&T) -> bool) -> bool {
        let before = self.searched;
        if before.is_some_and(|before| now.saturating_duration_since(before) < SEARCH_INTERVAL) {
            return false;
        }
        self.by_name
            .retain(|_, thing| Arc::strong_count(thing) > 1 || !is_idle(thing));
        let has_room = self.by_name.len() < capacity;
        self.searched = (!has_room).then_some(now);
        has_room
    }
}

impl<T> Default for BoundedMap<T> {
    fn default() -> Self {
        Self::with_capacity(MAX_ENTRIES)
    }
}

impl<T> fmt::Debug for BoundedMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundedMap({})", self.entries.lock().by_name.len())
    }
}

const MAX_ENTRIES: usize = 4096;

const MAX_NAME_BYTES: usize = 1024;

/// How long a failed search for idle values is not repeated.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_bounded_and_idle_values_make_room() {
        let bounded = BoundedMap::default();
        let now = Instant::now();
        let second = Duration::from_secs(1);
        let find = |name: &str, now, is_idle: bool| {
            bounded.find_or(name, now, || name.to_owned(), move |_| is_idle)
        };
        for index in 0..MAX_ENTRIES {
            assert!(find(&index.to_string(), now, false).is_some());
        }
        assert!(find("more", now, false).is_none());
        assert!(find("7", now, false).is_some(), "what is there stays");
        // The last search was a moment ago.
        assert!(find("more", now, true).is_none());
        let held = find("7", now, false);
        assert!(find("more", now + second, true).is_some());
        assert_eq!(bounded.all().len(), 2);
        assert!(bounded.find("7").is_some(), "it is in use");
        drop(held);
        assert!(find(&"x".repeat(MAX_NAME_BYTES + 1), now, true).is_none());
    }
}

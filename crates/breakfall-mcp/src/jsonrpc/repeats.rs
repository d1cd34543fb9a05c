//! Whether an object may have a key twice, told from a few bits of each key in the one pass that is made anyway. It may be
//! wrong about there being one, and then somebody looks closely (`twice.rs`); never about there being none.

/// What is known of the keys of the objects that are open.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Repeats {
    /// A bit for each key, for each level.
    keys: [u64; LEVELS],
    is_likely: bool,
}

impl Repeats {
    /// An object begins at some level, counted from one.
    pub(super) fn open(&mut self, level: usize) {
        if let Some(keys) = self.keys.get_mut(level - 1) {
            *keys = 0;
        }
    }

    /// The object at some level has a key, as it is written. One with escapes may be any other in disguise.
    pub(super) fn add(&mut self, level: usize, key: &[u8], has_escapes: bool) {
        let Some(keys) = self.keys.get_mut(level - 1) else {
            self.is_likely = true;
            return;
        };
        let bit = bit(key);
        self.is_likely |= has_escapes || *keys & bit != 0;
        *keys |= bit;
    }

    /// Whether a closer look is worth it.
    pub(super) fn are_likely(&self) -> bool {
        self.is_likely
    }
}

/// The bit of a key.
fn bit(key: &[u8]) -> u64 {
    let byte = |byte: Option<&u8>| byte.copied().unwrap_or_default();
    let [length, ..] = key.len().to_le_bytes();
    let middle = byte(key.get(key.len() / 2));
    let parts = [byte(key.first()), middle, byte(key.last()), length];
    1 << (u32::from_le_bytes(parts).wrapping_mul(MIX) >> 26)
}

/// Deeper objects are looked at closely.
const LEVELS: usize = 8;
/// The golden ratio, as for any hash by multiplication.
const MIX: u32 = 0x9E37_79B1;

#[cfg(test)]
mod tests {
    use super::*;

    fn likely(keys: &[(usize, &str)]) -> bool {
        let mut repeats = Repeats::default();
        let mut open = 0;
        for (level, key) in keys {
            if *level > open {
                repeats.open(*level);
            }
            open = *level;
            repeats.add(*level, key.as_bytes(), key.contains('\\'));
        }
        repeats.are_likely()
    }

    #[test]
    fn what_stands_there_twice_is_always_noticed() {
        for key in ["", "a", "ab", "name", "arguments", "größe"] {
            assert!(likely(&[(1, key), (1, "other"), (1, key)]), "{key}");
            assert!(
                !likely(&[(1, key), (2, key), (1, "between"), (2, key)]),
                "{key}"
            );
        }
        assert!(likely(&[(1, "\\u0061")]), "it may be any other in disguise");
        assert!(likely(&[(LEVELS + 1, "a")]), "nobody counts so deep");
    }

    #[test]
    fn those_of_most_calls_are_not_taken_for_each_other() {
        let calls: [&[&str]; 4] = [
            &["name", "arguments", "_meta"],
            &["path", "content"],
            &["query", "limit", "offset"],
            &["owner", "repo", "title", "body"],
        ];
        for keys in calls {
            let keys: Vec<_> = keys.iter().map(|key| (1, *key)).collect();
            assert!(!likely(&keys), "{keys:?}");
        }
    }
}

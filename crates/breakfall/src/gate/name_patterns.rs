//! Names that speak of danger.

use crate::ladder::DangerLevel;

/// The pattern of the highest danger that fits a name.
pub(super) fn highest(name: &str) -> Option<(&'static str, DangerLevel)> {
    let name = snake_case(name);
    // A name with a namespace in front is matched with it and without.
    let last = name.rsplit(['.', '/', ':']).next().unwrap_or_default();
    let fitting = PATTERNS
        .iter()
        .filter(|(pattern, _)| fits(pattern, &name) || fits(pattern, last));
    // The first of the highest, so that the answer does not depend on the order of equals.
    fitting
        .copied()
        .reduce(|best, other| if other.1 > best.1 { other } else { best })
}

fn fits(pattern: &str, name: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(prefix), _) => name.starts_with(prefix),
        (None, Some(suffix)) => name.ends_with(suffix),
        (None, None) => name == pattern,
    }
}

/// The name in the convention of the patterns: `dropTable`, `Drop-Table` and `DROP TABLE` are `drop_table`.
fn snake_case(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    let mut letters = name.chars().peekable();
    let mut before = '_';
    while let Some(letter) = letters.next() {
        let starts_word = letter.is_uppercase()
            && (before.is_lowercase()
                || before.is_ascii_digit()
                || (before.is_uppercase()
                    && letters.peek().is_some_and(|next| next.is_lowercase())));
        if starts_word {
            written.push('_');
        }
        if matches!(letter, '-' | ' ') {
            written.push('_');
        } else {
            written.extend(letter.to_lowercase());
        }
        before = letter;
    }
    written
}

/// The patterns that raise danger. Names that sound safe lower nothing, so they are not here.
const PATTERNS: &[(&str, DangerLevel)] = &[
    ("force_*", DangerLevel::Dangerous),
    ("*_permanently", DangerLevel::Dangerous),
    ("bulk_delete*", DangerLevel::Dangerous),
    ("override_*", DangerLevel::Dangerous),
    ("bypass_*", DangerLevel::Dangerous),
    ("*_without_backup", DangerLevel::Dangerous),
    ("purge_*", DangerLevel::Dangerous),
    ("drop_*", DangerLevel::Forbidden),
    ("delete_all*", DangerLevel::Forbidden),
    ("truncate_*", DangerLevel::Forbidden),
    ("reset_*", DangerLevel::Forbidden),
    ("destroy_*", DangerLevel::Forbidden),
    ("wipe_*", DangerLevel::Forbidden),
    ("*_production", DangerLevel::Forbidden),
];

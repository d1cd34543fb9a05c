//! Did you mean? The nearest of a few candidates, if it is near enough to be a typo.

/// The candidate nearest to a word, unless it is too far off to be a slip of the keyboard: one edit for short
/// words, one per three letters for longer ones. Case does not count; among equals the first wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let limit = (word.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        // The difference in length is a lower bound, which spares most of the work.
        if word.len().abs_diff(other.len()) > limit {
            continue;
        }
        let edits = distance(&word, &other);
        if edits <= limit && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edits between two words: insert, delete, replace, or swap two neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &to) in b.iter().enumerate() {
            let replace = above[j] + usize::from(from != to);
            let mut least = replace.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        distance(&a, &b)
    }

    #[test]
    fn a_swap_of_neighbours_is_one_edit() {
        assert_eq!(between("ab", "ba"), 1);
        assert_eq!(between("retyr", "retry"), 1);
    }

    #[test]
    fn edits_add_up() {
        for (a, b, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("same", "same", 0),
            ("ü", "u", 1),
        ] {
            assert_eq!(between(a, b), edits, "{a} to {b}");
        }
    }

    #[test]
    fn only_a_typo_is_suggested() {
        let words = ["message_template", "remediation", "retry"];
        assert_eq!(nearest("mesage_template", words), Some("message_template"));
        assert_eq!(nearest("RETYR", words), Some("retry"));
        assert_eq!(nearest("colour", words), None);
        assert_eq!(nearest("", words), None);
    }

    #[test]
    fn a_short_word_may_be_off_by_one_only() {
        assert_eq!(nearest("ab", ["abc"]), Some("abc"));
        assert_eq!(nearest("ab", ["cd"]), None);
    }

    #[test]
    fn the_nearest_wins_and_among_equals_the_first() {
        assert_eq!(nearest("abcdef", ["abcxyf", "abcdeg"]), Some("abcdeg"));
        assert_eq!(nearest("abcdef", ["abcdeh", "abcdeg"]), Some("abcdeh"));
    }
}

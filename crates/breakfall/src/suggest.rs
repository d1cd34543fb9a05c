//! Did you mean? The nearest of a few candidates, if it is near enough to be a typo; or the one that is meant for
//! sure.

/// The candidate nearest to a word, unless it is too far off to be a slip of the keyboard: one edit for short
/// words, one per three letters for longer ones. Case does not count; among equals the first wins. Nothing is near to
/// a word of more than a hundred bytes.
///
/// ```
/// use breakfall::suggest::nearest;
///
/// assert_eq!(nearest("list_user", ["list_users", "get_user"]), Some("list_users"));
/// assert_eq!(nearest("colour", ["list_users", "get_user"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let limit = (word.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        // One letter has at most four bytes.
        if candidate.len() > 2 * 4 * LONGEST {
            continue;
        }
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

/// The one candidate a word stands for beyond doubt: written in another convention (`userId` for `user_id`, `OPEN` for
/// `open`), or off by a single edit in a word of four letters or more. With two such candidates nothing is certain. Nor
/// is it where the edit makes another word too easily: of anything but letters (`eu-1`, `eu-2`), of the first letter
/// (`sync`, `async`), of one letter for another in four (`data`, `date`), or at the end of four (`http`, `https`).
///
/// ```
/// use breakfall::suggest::certain;
///
/// assert_eq!(certain("userID", ["user_id", "user_name"]), Some("user_id"));
/// assert_eq!(certain("limt", ["limit", "offset"]), Some("limit"));
/// assert_eq!(certain("eu-west-3", ["eu-west-1"]), None);
/// assert_eq!(certain("cat", ["bat", "rat"]), None);
/// assert_eq!(certain("http", ["https"]), None);
/// ```
pub fn certain<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let (mut word_letters, mut letters) = (Vec::new(), Vec::new());
    fold(word, &mut word_letters);
    let word = word_letters;
    let (mut same, mut close) = (UniqueMatch::None, UniqueMatch::None);
    for candidate in candidates {
        // Four bytes a letter, a joint after each, and an edit.
        if candidate.len() > 5 * word.len() + 5 {
            continue;
        }
        fold(candidate, &mut letters);
        if letters.is_empty() {
        } else if letters == word {
            same.add(candidate);
        } else if word.len() >= 4 && one_edit(&word, &letters) {
            close.add(candidate);
        }
    }
    match same {
        UniqueMatch::None => close.only(),
        UniqueMatch::Only(_) | UniqueMatch::Many => same.only(),
    }
}

/// The only candidate, if exactly one is left.
enum UniqueMatch<'a> {
    None,
    Only(&'a str),
    Many,
}

impl<'a> UniqueMatch<'a> {
    fn add(&mut self, candidate: &'a str) {
        *self = match *self {
            Self::None => Self::Only(candidate),
            Self::Only(have) if have == candidate => Self::Only(have),
            Self::Only(_) | Self::Many => Self::Many,
        }
    }

    fn only(self) -> Option<&'a str> {
        match self {
            Self::Only(candidate) => Some(candidate),
            Self::None | Self::Many => None,
        }
    }
}

/// A word without what conventions differ in: case, and what joins its parts. What stands in front (`-1`, `-created`) or
/// between digits (`3.11`) joins nothing.
fn fold(word: &str, letters: &mut Vec<char>) {
    let word = word.trim();
    let joins = |at: usize, c: char| {
        let before = word[..at].chars().next_back();
        let after = word[at + c.len_utf8()..].chars().next();
        let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
        match c {
            '_' | ' ' => !(digit(before) && digit(after)),
            '-' | '.' => before.is_some() && after.is_some() && !(digit(before) && digit(after)),
            _ => false,
        }
    };
    letters.clear();
    let parts = word.char_indices().filter(|(at, c)| !joins(*at, *c));
    letters.extend(parts.flat_map(|(_, c)| c.to_lowercase()));
}

/// Whether one insertion, deletion, replacement or swap makes one word of the other, and hardly anything but a slip
/// explains it.
fn one_edit(a: &[char], b: &[char]) -> bool {
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let shorter = a.len().min(b.len());
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[before..], &b[before..]);
    let after = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (a, b) = (&a[..a.len() - after], &b[..b.len() - after]);
    match (a, b) {
        ([one], []) | ([], [one]) => {
            one.is_alphabetic() && before > 0 && (after > 0 || shorter > 4)
        }
        ([one], [other]) => {
            one.is_alphabetic() && other.is_alphabetic() && before > 0 && shorter > 4
        }
        ([one, two], [three, four]) => {
            one == four && two == three && one.is_alphabetic() && two.is_alphabetic()
        }
        _ => false,
    }
}

/// Comparing takes time with the square of the length, and names of this length are rarely typed by hand.
const LONGEST: usize = 100;

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
    fn only_what_is_meant_beyond_doubt_is_certain() {
        let names = ["user_id", "userName", "limit", "v1", "open"];
        for (word, meant) in [
            ("userId", Some("user_id")),
            ("USER-NAME", Some("userName")),
            ("limits", Some("limit")),
            ("lmiit", Some("limit")),
            (" open ", Some("open")),
            ("lt", None),
            ("v2", None),
            ("v_1", Some("v1")),
            ("opned", None),
            ("", None),
            ("__", None),
        ] {
            assert_eq!(certain(word, names), meant, "{word}");
        }
        assert_eq!(certain("ab", ["a_b", "AB"]), None, "two ways to read it");
        assert_eq!(certain("increase", ["decrease"]), None, "the opposite");
        assert_eq!(
            certain("item1", ["item12"]),
            None,
            "a digit more is another item"
        );
    }

    #[test]
    fn another_word_is_no_slip() {
        for (word, other) in [
            ("sync", "async"),
            ("block", "lock"),
            ("post", "host"),
            ("amount", "mount"),
            ("http", "https"),
            ("mode", "model"),
            ("data", "date"),
            ("test", "text"),
            ("1", "-1"),
            ("10", "1.0"),
            ("10.1", "101"),
            ("31.1", "3.11"),
            ("1000", "1000-"),
            ("created_at", "-created_at"),
        ] {
            assert_eq!(certain(word, [other]), None, "{word} for {other}");
            assert_eq!(certain(other, [word]), None, "{other} for {word}");
        }
        for (word, meant) in [
            ("limt", "limit"),
            ("ilmit", "limit"),
            ("form", "from"),
            ("querry", "query"),
            ("stetus", "status"),
            ("sources", "source"),
            ("GPT_4.1", "gpt-4.1"),
            ("_limit", "limit"),
        ] {
            assert_eq!(certain(word, [meant]), Some(meant), "{word}");
        }
    }

    #[test]
    fn words_of_any_length_are_compared_in_no_time() {
        let long = "a".repeat(1_000_000);
        assert_eq!(nearest(&long, [long.as_str(), "a"]), None);
        assert_eq!(certain(&long, [long.as_str(), "a"]), None);
        assert_eq!(nearest("a", [long.as_str()]), None);
        assert_eq!(certain("abcd", [long.as_str()]), None);
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

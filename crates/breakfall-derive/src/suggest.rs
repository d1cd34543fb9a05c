//! Did you mean? As the library suggests, which a derive of the library cannot call.

/// The likeliest of the known words, or all of them after the given words.
pub(crate) fn or_all(word: &str, known: &[&str], all: &str) -> String {
    match nearest(word, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{all}: {}", known.join(", ")),
    }
}

/// The known word nearest to a misspelt one, if it is near enough to be a typo: one edit for short words, one per
/// three letters for longer ones.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    let with_edits = known.iter().map(|known| (edits(word, known), *known));
    let near = with_edits.filter(|(edits, _)| *edits <= limit);
    near.min_by_key(|(edits, _)| *edits).map(|(_, word)| word)
}

/// Letters to insert, delete or replace on the way from one word to the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut row = vec![at + 1];
        for (column, other) in to.iter().enumerate() {
            let replace = above[column] + usize::from(letter != *other);
            row.push(replace.min(above[column + 1] + 1).min(row[column] + 1));
        }
        above = row;
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_typo_is_suggested() {
        let known = ["message", "remediation", "retry"];
        assert_eq!(nearest("mesage", &known), Some("message"));
        assert_eq!(nearest("retries", &known), None);
        assert_eq!(nearest("rerty", &["retry_after", "ret"]), None);
        assert_eq!(nearest("", &known), None);
        assert_eq!(
            or_all("x", &["code", "skip"], "there are"),
            "there are: code, skip"
        );
    }
}

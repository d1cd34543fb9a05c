//! Message templates, by the grammar of `breakfall`: a placeholder is a name in braces.

/// The placeholders of a template in order, or the first brace that belongs to none.
///
/// The library lets a stray brace stand as text. Here it is refused: in an attribute it is nearly always a habit
/// of `format!`, and would be shown to callers as it is.
pub(crate) fn placeholders(template: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let inside = rest[at..].strip_prefix('{');
        let Some((name, after)) = inside.and_then(|inside| inside.split_once('}')) else {
            return Err(rest[at..].chars().take(1).collect());
        };
        if !is_name(name) {
            return Err(format!("{{{name}}}"));
        }
        names.push(name);
        rest = after;
    }
    Ok(names)
}

/// The placeholder of the wait, which is not a detail.
pub(crate) const WAIT: &str = "retry_after_seconds";

/// Whether a well-formed text has placeholders.
pub(crate) fn is_template(text: &str) -> bool {
    text.contains('{')
}

/// Whether a text can stand in braces.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The first placeholder outside single quotes, where a reader could not tell the value from the sentence.
pub(crate) fn unquoted(template: &str) -> Option<&str> {
    let outside = spans(template).into_iter().filter(|span| !span.quoted);
    outside
        .filter_map(|span| placeholders(span.text).ok())
        .find_map(|names| names.first().copied())
}

/// The form for when a value is missing: quoted spans with a placeholder fall out, and so does what would be left dangling.
/// Nothing if that makes no sentence. Rows that come from a configuration get theirs in the same way.
pub(crate) fn plain(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    for span in spans(template) {
        match (span.quoted, span.text.contains('{')) {
            (true, true) => text.push(HOLE),
            (true, false) => text.extend(["'", span.text, "'"]),
            (false, _) => text.push_str(span.text),
        }
    }
    natural(&text)
}

/// What is left of a sentence from which values fell out, each marked by a [`HOLE`]. A word that led to one goes with it
/// ("edited by '{name}'" is "edited"); where the rest would read like half a sentence ("no in"), nothing is left.
fn natural(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut is_whole = true;
    for word in text.split_whitespace() {
        if !word.contains(HOLE) {
            words.push(word.to_owned());
            continue;
        }
        while words
            .pop_if(|last| LEADING.contains(&last.to_lowercase().as_str()))
            .is_some()
        {}
        let needed = words.last().map(|last| last.to_lowercase());
        is_whole &= needed.is_some_and(|last| !NEEDING.contains(&last.as_str()));
        let rest: String = word.chars().filter(|c| *c != HOLE).collect();
        let is_mark = !rest.is_empty() && rest.chars().all(|c| ",;:.!?".contains(c));
        match words.last_mut().filter(|_| is_mark) {
            Some(last) => last.push_str(&rest),
            None if rest.chars().any(char::is_alphanumeric) => words.push(rest),
            None => {}
        }
    }
    let is_whole = is_whole && (words.len() > 1 || !text.contains(HOLE));
    let text = if is_whole {
        words.join(" ")
    } else {
        String::new()
    };
    text.trim_end_matches([':', ',', ';', ' ', '(']).to_owned()
}

/// Stands for a value that fell out.
const HOLE: char = '\0';

/// Words that lead to a value and mean nothing without it.
const LEADING: &[&str] = &[
    "and", "as", "at", "by", "called", "for", "from", "in", "inside", "into", "named", "of", "on",
    "or", "to", "under", "via", "with", "within",
];

/// Words after which something has to come.
const NEEDING: &[&str] = &[
    "a", "an", "are", "be", "between", "has", "is", "must", "needs", "no", "not", "than", "the",
    "was", "were",
];

struct TextSpan<'a> {
    text: &'a str,
    quoted: bool,
}

/// A template split at its quotation marks. An apostrophe between letters does not count, and one without a partner is
/// text.
fn spans(template: &str) -> Vec<TextSpan<'_>> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let marks = template.match_indices('\'').filter(|(at, mark)| {
        let before = template[..*at].chars().next_back();
        let after = template[at + mark.len()..].chars().next();
        !(is_letter(before) && is_letter(after))
    });
    let marks: Vec<usize> = marks.map(|(at, _)| at).collect();
    let mut spans = Vec::new();
    let mut start = 0;
    for pair in marks.chunks_exact(2) {
        spans.push(TextSpan {
            text: &template[start..pair[0]],
            quoted: false,
        });
        spans.push(TextSpan {
            text: &template[pair[0] + 1..pair[1]],
            quoted: true,
        });
        start = pair[1] + 1;
    }
    spans.push(TextSpan {
        text: &template[start..],
        quoted: false,
    });
    spans
}

/// `^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`, the shape of a code's name.
pub(crate) fn is_code_name(name: &str) -> bool {
    let is_word = |word: &str| {
        let mut bytes = word.bytes();
        !word.is_empty() && bytes.all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains('_')
        && name.split('_').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_come_in_order() {
        assert_eq!(
            placeholders("'{a}' of '{b_2}/{a}'").unwrap(),
            ["a", "b_2", "a"]
        );
        assert_eq!(placeholders("nothing").unwrap(), [""; 0]);
    }

    #[test]
    fn a_brace_without_a_name_is_refused() {
        for (template, stray) in [
            ("{}", "{}"),
            ("is '{id:?}'", "{id:?}"),
            ("{a} and {b", "{"),
            ("a } b", "}"),
            ("{{a}}", "{{a}"),
            ("ü{ü}", "{ü}"),
        ] {
            assert_eq!(placeholders(template).unwrap_err(), stray, "{template}");
        }
    }

    #[test]
    fn a_value_stands_in_single_quotes() {
        for template in ["'{a}'", "isn't '{a}' the tool's '{b}'", "'{a}/{b}'", "none"] {
            assert_eq!(unquoted(template), None, "{template}");
        }
        for template in ["{a}", "'{b}' is {a}", "is '{a}", "isn't {a} the tool's"] {
            assert_eq!(unquoted(template), Some("a"), "{template}");
        }
    }

    #[test]
    fn the_plain_form_keeps_the_words_around_a_value() {
        for (template, expected) in [
            ("Period '{p}' is closed", "Period is closed"),
            ("Repository '{a}/{b}' not found", "Repository not found"),
            ("Abuse detected: '{p}'", "Abuse detected"),
            (
                "The tool's keys '{a}' and '{b}' clash",
                "The tool's keys clash",
            ),
            ("Order '{id}' is edited by '{name}'", "Order is edited"),
            ("Order '{id}', again", "Order, again"),
            ("Order ('{id}') is closed", "Order is closed"),
            ("Frozen", "Frozen"),
            ("Use 'x', not '{p}'", ""),
            ("no '{a}' in '{b}'", ""),
            ("Gone: '{a}'", ""),
            ("'{a}' is closed", ""),
            ("'{p}'", ""),
        ] {
            assert_eq!(plain(template), expected, "{template}");
        }
    }

    #[test]
    fn a_code_name_is_words_in_capitals() {
        for name in ["ORDER_NOT_FOUND", "A_1", "V2_X"] {
            assert!(is_code_name(name), "{name}");
        }
        for name in [
            "",
            "ORDER",
            "Order_Gone",
            "_ORDER_GONE",
            "ORDER__GONE",
            "ORDER_",
            "1_A",
            "ÄB_C",
        ] {
            assert!(!is_code_name(name), "{name}");
        }
    }
}

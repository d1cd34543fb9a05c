//! Texts that open like a failure but report success: a count, a share, a finding, a quotation, an explanation.

/// Whether a text ends in a number behind a colon: "Permission denied events: 4" is a label and a count.
pub(super) fn is_count(text: &str) -> bool {
    let tail = text.rsplit_once(':').map(|(_, tail)| tail.trim());
    let tail = tail.map(|tail| tail.trim_end_matches(['.', '%']).trim_end());
    tail.is_some_and(|tail| !tail.is_empty() && tail.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether something failed for a part of many: "2 of 100 lines". The rest was done.
pub(super) fn is_share(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_of = |word: &str| ["of", "out"].iter().any(|of| word.eq_ignore_ascii_case(of));
    words.windows(3).any(|three| match three {
        [part, of, whole] => {
            is_number(part) && is_of(of) && (is_number(whole) || whole.eq_ignore_ascii_case("of"))
        }
        _ => false,
    })
}

/// Whether what could not be done is what was found out: nothing of the kind is there, or nothing could be shown.
/// `doing` is what follows "unable to".
pub(super) fn is_finding(doing: &str) -> bool {
    let mut words = doing.split(|c: char| !c.is_alphanumeric());
    let (verb, object) = (words.next().unwrap_or_default(), words.next());
    let is = |word: &str, any: &[&str]| any.iter().any(|have| word.eq_ignore_ascii_case(have));
    let sought = is(verb, &["find", "locate", "detect", "see", "identify"]);
    let of_any = object.is_some_and(|object| is(object, &["any", "anything", "another"]));
    (sought && of_any) || is(verb, &["reproduce", "replicate", "recommend"])
}

/// Whether a text begins with a quotation and goes on behind it.
pub(super) fn is_quotation(text: &str) -> bool {
    let closing = match text.chars().next() {
        Some(quote @ ('"' | '\'' | '`')) => quote,
        Some('“' | '„') => '”',
        Some('«') => '»',
        Some('‘') => '’',
        _ => return false,
    };
    let inside = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let behind = inside.find(closing).map(|at| &inside[at..]);
    behind.is_some_and(|behind| behind.contains(char::is_alphanumeric))
}

/// Whether a text is about a message rather than one itself.
pub(super) fn is_explanation(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    EXPLAINS.iter().any(|words| lower.contains(words))
}

const EXPLAINS: &[&str] = &[
    " is a common ",
    " is the message ",
    " is an error message",
    " is the error you ",
    " is what you see when",
    " is returned when ",
    " is raised when ",
    " is thrown when ",
];

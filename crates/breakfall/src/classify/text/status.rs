//! HTTP statuses in words: "status code 429", "HTTP 500", "404 Not Found", "returned 503". A number alone says
//! nothing: there may be 500 items.

use super::words::{TextWord, WordGap};

/// The failing status that stands at a word, if the words around it say that it is one.
pub(super) fn status_at(text: &[u8], words: &[TextWord], at: usize) -> Option<u16> {
    let status = words[at].three_digits(text)?;
    if !(400..=599).contains(&status) {
        return None;
    }
    let lead = lead(text, words, at);
    let fits = match lead {
        StatusLead::Strong => true,
        StatusLead::Weak => ends_here(text, words, at) || reason_follows(text, words, at, status),
        StatusLead::Other => false,
        StatusLead::None => reason_follows(text, words, at, status),
    };
    fits.then_some(status)
}

/// The words that stand before the number.
enum StatusLead {
    /// Words that announce a status and nothing else.
    Strong,
    /// Words that may announce a status or a count.
    Weak,
    /// Words that announce something else: "user 404".
    Other,
    /// Nothing: the number begins a line or follows punctuation.
    None,
}

fn lead(text: &[u8], words: &[TextWord], at: usize) -> StatusLead {
    let before = |n: usize| at.checked_sub(n).map(|before| words[before]);
    let is = |n: usize, any: &[&str]| before(n).is_some_and(|word| word.is_any(text, any));
    if words[at].gap >= WordGap::Stop {
        return StatusLead::None;
    }
    if is_answer_to_request(text, words[at].start()) {
        return StatusLead::Strong;
    }
    let coded = is(1, &["code"]) && is(2, &["status", "error", "response", "http"]);
    let version = is(1, &["0", "1", "2", "3"]) && (is(2, &["http"]) || is(3, &["http"]));
    if coded || version || is(1, &["status", "http", "statuscode"]) {
        return StatusLead::Strong;
    }
    let answered = is(1, &["with"]) && is(2, &["responded", "failed", "replied", "answered"]);
    if answered || is(1, WEAK) {
        return StatusLead::Weak;
    }
    match words[at].gap {
        WordGap::Soft => StatusLead::Other,
        WordGap::Hard | WordGap::Stop | WordGap::Line => StatusLead::None,
    }
}

/// Whether what stands before the number is a request and its address: `PUT https://api.example/x: 409 …`.
fn is_answer_to_request(text: &[u8], start: usize) -> bool {
    let Some(before) = text[..start].strip_suffix(b": ") else {
        return false;
    };
    let near = &before[before.len().saturating_sub(LONGEST_REQUEST)..];
    let mut words = near.rsplit(|byte| *byte == b' ');
    let (address, method) = (words.next().unwrap_or_default(), words.next());
    let is_address = address.starts_with(b"https://") || address.starts_with(b"http://");
    let methods: [&[u8]; 6] = [b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD"];
    is_address && method.is_some_and(|method| methods.contains(&method))
}

/// A method and its address are no longer than this.
const LONGEST_REQUEST: usize = 512;

#[rustfmt::skip]
const WEAK: &[&str] = &[
    "error", "exception", "returned", "returns", "got", "received", "response", "a", "server", "code",
];

/// Whether nothing countable follows: the text or the line ends, or punctuation stands there.
fn ends_here(text: &[u8], words: &[TextWord], at: usize) -> bool {
    let next = words.get(at + 1);
    let closed = matches!(text.get(words[at].end()), Some(b'"' | b'\'' | b'`'));
    closed || next.is_none_or(|next| next.gap != WordGap::Soft)
}

fn reason_follows(text: &[u8], words: &[TextWord], at: usize, status: u16) -> bool {
    let follows = |reason: &str| {
        let mut next = at + 1;
        reason.split(' ').all(|want| {
            let fits = words
                .get(next)
                .is_some_and(|word| word.gap <= WordGap::Hard && word.is(text, want));
            next += 1;
            fits
        })
    };
    let side = if status < 500 {
        "client error"
    } else {
        "server error"
    };
    let mut known = REASONS.iter().filter(|(of, _)| *of == status);
    follows(side) || follows("error") || known.any(|(_, reason)| follows(reason))
}

const REASONS: &[(u16, &str)] = &[
    (400, "bad request"),
    (401, "unauthorized"),
    (402, "payment required"),
    (403, "forbidden"),
    (403, "rate limit exceeded"),
    (404, "not found"),
    (405, "method not allowed"),
    (406, "not acceptable"),
    (408, "request timeout"),
    (409, "conflict"),
    (410, "gone"),
    (412, "precondition failed"),
    (413, "payload too large"),
    (413, "request entity too large"),
    (413, "content too large"),
    (415, "unsupported media type"),
    (422, "unprocessable"),
    (423, "locked"),
    (424, "failed dependency"),
    (425, "too early"),
    (429, "too many requests"),
    (500, "internal server error"),
    (501, "not implemented"),
    (502, "bad gateway"),
    (503, "service unavailable"),
    (503, "service temporarily unavailable"),
    (504, "gateway timeout"),
    (504, "gateway time out"),
    (529, "overloaded"),
];

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn status(text: &str) -> Option<u16> {
        let cut = words(text.as_bytes());
        (0..cut.len()).find_map(|at| status_at(text.as_bytes(), &cut, at))
    }

    #[test]
    fn a_status_is_announced() {
        for (text, want) in [
            ("Failed to fetch x - status code 429", 429),
            ("HTTP error! status: 503", 503),
            ("HTTP 500", 500),
            ("HTTP/1.1 404 Not Found", 404),
            ("429 Too Many Requests", 429),
            ("404 Client Error: Not Found for url", 404),
            ("the API returned 503", 503),
            ("the API returned a 502.", 502),
            ("Error 404", 404),
            ("AuthenticationException(401, 'Unauthorized')", 401),
            ("Error code: 429 - {'error': 1}", 429),
            (r#"{"statusCode": 404}"#, 404),
        ] {
            assert_eq!(status(text), Some(want), "{text}");
        }
    }

    #[test]
    fn a_number_is_none() {
        for text in [
            "500 items",
            "returned 500 rows",
            "Error: 500 items could not be loaded",
            "User 404 not found",
            "line 404",
            "listening on port 500",
            "status code 200",
            "status code 4290",
            "got 404 results, not found",
        ] {
            assert_eq!(status(text), None, "{text}");
        }
    }
}

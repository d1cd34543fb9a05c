//! The words a status has in its registry.

use crate::phrase::{Phrase, PhraseText};

/// `418 I'm a Teapot`; a status without words is itself.
pub(super) fn status_line(status: u16) -> PhraseText {
    let known = PHRASES.iter().find(|(have, _)| *have == status);
    match known {
        Some((_, phrase)) => PhraseText::Words(format!("{status} {phrase}").into()),
        None => PhraseText::from(Phrase::HTTP_STATUS).with("status", status),
    }
}

const PHRASES: &[(u16, &str)] = &[
    (300, "Multiple Choices"),
    (301, "Moved Permanently"),
    (302, "Found"),
    (303, "See Other"),
    (304, "Not Modified"),
    (307, "Temporary Redirect"),
    (308, "Permanent Redirect"),
    (400, "Bad Request"),
    (407, "Proxy Authentication Required"),
    (411, "Length Required"),
    (414, "URI Too Long"),
    (416, "Range Not Satisfiable"),
    (417, "Expectation Failed"),
    (418, "I'm a Teapot"),
    (421, "Misdirected Request"),
    (422, "Unprocessable Content"),
    (424, "Failed Dependency"),
    (426, "Upgrade Required"),
    (428, "Precondition Required"),
    (431, "Request Header Fields Too Large"),
    (451, "Unavailable For Legal Reasons"),
    (505, "HTTP Version Not Supported"),
    (506, "Variant Also Negotiates"),
    (507, "Insufficient Storage"),
    (508, "Loop Detected"),
    (511, "Network Authentication Required"),
];

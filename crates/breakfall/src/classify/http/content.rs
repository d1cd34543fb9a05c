//! What a body is, by looking at it: media types are often wrong on error pages.

use serde_json::Value;

use crate::classify::page::element;
use crate::classify::{excerpt, page};

/// The most bytes of a body that are read. A deliberate error message is never longer.
pub(super) const LONGEST: usize = 64 * 1024;

/// The kinds of content of a response body.
#[derive(Debug, PartialEq)]
pub(super) enum HttpContent {
    Json(Value),
    /// A page for people: its title, which is all that is kept.
    Html(Option<String>),
    /// A document with a code and words in elements of that name.
    Xml {
        code: Option<String>,
        message: Option<String>,
    },
    /// Words.
    Text(String),
    /// Nothing, or nothing that can be read.
    Opaque,
}

/// Looks at a body. Past [`LONGEST`] bytes nothing is read: of JSON that long nothing remains, of a page its title.
pub(super) fn read(body: &[u8]) -> HttpContent {
    let window = &body[..body.len().min(LONGEST)];
    let text = excerpt::lossy(window);
    let text = text.trim_start_matches('\u{feff}').trim();
    match text.as_bytes().first() {
        Some(b'{' | b'[') => json(text),
        Some(b'"') => serde_json::from_str(text).map_or_else(|_| words(text), HttpContent::Json),
        Some(b'<') => markup(text),
        Some(_) if text.starts_with("data:") || text.starts_with("event:") => event(text),
        Some(_) if text == "null" => HttpContent::Opaque,
        Some(_) => words(text),
        None => HttpContent::Opaque,
    }
}

fn json(text: &str) -> HttpContent {
    serde_json::from_str(text).map_or(HttpContent::Opaque, HttpContent::Json)
}

/// The data of the first server-sent event: MCP over HTTP may answer with one.
fn event(text: &str) -> HttpContent {
    let data = text.lines().find_map(|line| line.strip_prefix("data:"));
    data.map_or(HttpContent::Opaque, |data| json(data.trim()))
}

fn markup(text: &str) -> HttpContent {
    let lower = text.to_ascii_lowercase();
    let tags = ["<!doctype html", "<html", "<head", "<body", "<title", "<h1"];
    if tags.iter().any(|tag| lower.contains(tag)) {
        return HttpContent::Html(page::title(text));
    }
    let code = element(text, &lower, "code").or_else(|| element(text, &lower, "faultcode"));
    let message = element(text, &lower, "message").or_else(|| element(text, &lower, "faultstring"));
    HttpContent::Xml {
        code: code.and_then(|code| excerpt::line(&code, excerpt::NAME)),
        message: message.and_then(|words| excerpt::line(&words, excerpt::MESSAGE)),
    }
}

/// The first line, if the text is for people.
fn words(text: &str) -> HttpContent {
    let text = page::without(text);
    let line = text.lines().next().unwrap_or_default();
    let seen = line.chars().take(LONGEST_LINE);
    let (mut all, mut junk) = (0, 0);
    for c in seen {
        all += 1;
        junk += usize::from(c == char::REPLACEMENT_CHARACTER || (c.is_control() && c != '\t'));
    }
    if junk * 10 > all {
        return HttpContent::Opaque;
    }
    excerpt::line(line, LONGEST_LINE).map_or(HttpContent::Opaque, HttpContent::Text)
}

const LONGEST_LINE: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> HttpContent {
        HttpContent::Text(words.to_owned())
    }

    #[test]
    fn a_body_is_what_it_looks_like() {
        let page = Some("502 Bad Gateway".to_owned());
        #[rustfmt::skip]
        let cases: &[(&[u8], HttpContent)] = &[
            (b"\xef\xbb\xbf {\"a\":1}", HttpContent::Json(serde_json::json!({"a": 1}))),
            (b"\"no luck\"", HttpContent::Json("no luck".into())),
            (b"\"no luck", text("\"no luck")),
            (b"{\"a\":", HttpContent::Opaque),
            (b"<html><head><TITLE>502 Bad\nGateway</TITLE></head>", HttpContent::Html(page)),
            (b"<!DOCTYPE html><h1>a &lt; b</h1>", HttpContent::Html(Some("a < b".to_owned()))),
            (b"<html>", HttpContent::Html(None)),
            (b"upstream connect error\nand a page of detail", text("upstream connect error")),
            (b"event: message\ndata: {\"a\":1}\n\n", HttpContent::Json(serde_json::json!({"a": 1}))),
            (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe\xfa", HttpContent::Opaque),
            (b"null", HttpContent::Opaque),
            (b"Bad answer: <html><title>Oops</title></html>", text("Bad answer: Oops")),
            (b"  \r\n ", HttpContent::Opaque),
            (b"", HttpContent::Opaque),
        ];
        for (body, want) in cases {
            assert_eq!(read(body), *want, "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn a_document_has_a_code_and_words() {
        let body = b"<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>No key &amp; no luck</Message></Error>";
        let want = HttpContent::Xml {
            code: Some("NoSuchKey".to_owned()),
            message: Some("No key & no luck".to_owned()),
        };
        assert_eq!(read(body), want);
    }

    #[test]
    fn what_is_long_or_deep_is_bounded() {
        let json = format!("{{\"message\":\"{}\"}}", "x".repeat(LONGEST));
        assert_eq!(read(json.as_bytes()), HttpContent::Opaque);
        let deep = "[".repeat(LONGEST);
        assert_eq!(read(deep.as_bytes()), HttpContent::Opaque);
        let tags = "<code".repeat(LONGEST / 5);
        assert_eq!(
            read(tags.as_bytes()),
            HttpContent::Xml {
                code: None,
                message: None
            }
        );
        let words = "x".repeat(LONGEST);
        let HttpContent::Text(kept) = read(words.as_bytes()) else {
            panic!("words")
        };
        assert_eq!(kept.chars().count(), LONGEST_LINE + 1);
    }
}

//! HTML pages in place of a message: a proxy's error page is not a message, but its title may be.

use std::borrow::Cow;

use super::excerpt;

/// A text without the page in it: the words in front of the markup, and the title of the page. What is behind is part of
/// the page.
pub(crate) fn without(text: &str) -> Cow<'_, str> {
    let Some(at) = begins(text) else {
        return Cow::Borrowed(text);
    };
    let (before, page) = text.split_at(at);
    let before = before.trim();
    match title(&page[..page.floor_char_boundary(LONGEST)]) {
        Some(title) if before.is_empty() => Cow::Owned(title),
        Some(title) => Cow::Owned(format!("{before} {title}")),
        None => Cow::Owned(before.to_owned()),
    }
}

/// The title of a page, or its first heading, in one line.
pub(crate) fn title(page: &str) -> Option<String> {
    let lower = page.to_ascii_lowercase();
    let title = element(page, &lower, "title").or_else(|| element(page, &lower, "h1"))?;
    excerpt::line(&title, LONGEST_TITLE)
}

/// How much of a page is looked at.
const LONGEST: usize = 64 * 1024;
const LONGEST_TITLE: usize = 300;

/// Where a page begins. A tag that is quoted in a sentence begins none: no other follows.
fn begins(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let opens = |at: &usize| {
        PAGE.iter().any(|tag| {
            let head = bytes.get(*at..*at + tag.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(tag.as_bytes()))
        })
    };
    let at = memchr::memchr_iter(b'<', bytes).find(opens)?;
    let alone = memchr::memchr(b'<', &bytes[at + 1..]).is_none();
    (!alone || text[..at].trim().is_empty()).then_some(at)
}

const PAGE: &[&str] = &["<!doctype html", "<html", "<head>", "<body"];

/// The text inside the first element of a name.
pub(crate) fn element(text: &str, lower: &str, name: &str) -> Option<String> {
    let mut from = 0;
    let open = loop {
        let at = from + lower[from..].find(&format!("<{name}"))?;
        let after = at + 1 + name.len();
        match lower.as_bytes().get(after)? {
            b'>' | b' ' | b'\t' | b'\n' => break after + lower[after..].find('>')? + 1,
            _ => from = after,
        }
    };
    let close = open + lower[open..].find("</")?;
    let inner = &text[open..close];
    let inner = inner.strip_prefix("<![CDATA[").unwrap_or(inner);
    Some(unescaped(inner.strip_suffix("]]>").unwrap_or(inner)).into_owned())
}

fn unescaped(text: &str) -> Cow<'_, str> {
    const ENTITIES: &[(&str, &str)] = &[
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = text.to_owned();
    for (entity, character) in ENTITIES {
        out = out.replace(entity, character);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_page_its_title_stays_and_the_words_in_front() {
        for (text, want) in [
            ("<!DOCTYPE html><html><title>Sign in</title>a", "Sign in"),
            ("Bad: <HTML><h1>No\nluck</h1></HTML> after", "Bad: No luck"),
            ("Bad answer\n<html><p>x</p></html>", "Bad answer"),
            ("<html>", ""),
            ("a < b, <b>bold</b>", "a < b, <b>bold</b>"),
            (
                "Unexpected '<!DOCTYPE html>' in JSON",
                "Unexpected '<!DOCTYPE html>' in JSON",
            ),
        ] {
            assert_eq!(without(text), want, "{text}");
        }
    }

    #[test]
    fn a_page_without_end_is_looked_at_in_time() {
        let page = format!("x <html>{}", "<title".repeat(1_000_000));
        assert_eq!(without(&page), "x");
        let marks = "<é".repeat(1_000_000);
        assert_eq!(without(&marks), marks);
    }
}

//! The text form of a fault, and its reader.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use super::TEXT_LIMIT;
use crate::catalog::registry::is_code_name;
use crate::code::Retry;
use crate::fault::{CorrelationId, Fault, Public, reserved};

const FIX: &str = "\nFix: ";
const RETRY: &str = "\nRetry: ";
const INSTEAD: &str = "\nInstead: ";
const ARGUMENTS: &str = "\nArguments: ";
const REFERENCE: &str = "\nReference: ";

/// Writes a fault as text, one fact a line.
pub(crate) fn fault(
    public: &Public,
    message: &str,
    remediation: &str,
    id: &CorrelationId,
) -> String {
    lines(public, message, remediation, id, usize::MAX)
}

/// Writes a fault as the text in front of a result that says the rest.
pub(crate) fn preamble(
    public: &Public,
    message: &str,
    remediation: &str,
    id: &CorrelationId,
) -> String {
    lines(public, message, remediation, id, TEXT_LIMIT)
}

/// What must not be lost (code, retry, fallback, reference) is written in full; message and remediation share what is
/// left of the limit.
fn lines(
    public: &Public,
    message: &str,
    remediation: &str,
    id: &CorrelationId,
    limit: usize,
) -> String {
    let (name, retry, tool) = (public.code().name(), retry_words(public), tool(public));
    let fixed = [
        "[] ".len() + name.len(),
        FIX.len(),
        RETRY.len() + retry.len(),
        tool.map_or(0, |tool| INSTEAD.len() + tool.len()),
        REFERENCE.len() + id.as_str().len(),
    ];
    let room = limit.saturating_sub(fixed.iter().sum());
    let (message, remediation) = (in_a_line(message, limit), in_a_line(remediation, limit));
    let message = cut(
        &message,
        room.saturating_sub(remediation.len()).max(room / 2),
    );
    let remediation = cut(&remediation, room - message.len());
    let params = public.corrective_params().map(ToString::to_string);
    let spare = room - message.len() - remediation.len();

    let mut text = String::with_capacity(TEXT_LIMIT);
    for part in ["[", name, "] ", &message, FIX, &remediation] {
        text.push_str(part);
    }
    if let Some(params) = params.filter(|params| ARGUMENTS.len() + params.len() <= spare) {
        text.push_str(ARGUMENTS);
        text.push_str(&params);
    }
    text.push_str(RETRY);
    text.push_str(&retry);
    if let Some(tool) = tool {
        text.push_str(INSTEAD);
        text.push_str(tool);
    }
    text.push_str(REFERENCE);
    text.push_str(id.as_str());
    text
}

/// Writes a fault as markdown: its message in full, then what to do about it, point by point.
pub(crate) fn points(public: &Public, message: &str, id: &CorrelationId) -> String {
    let remediation = public.remediation();
    let retry = retry_words(public);
    let mut text = quoted(message.trim_end()).into_owned();
    for part in [
        "\n\n- Fix: ",
        &in_a_line(&remediation, usize::MAX),
        "\n- Retry: ",
        &retry,
    ] {
        text.push_str(part);
    }
    if let Some(tool) = tool(public) {
        text.push_str("\n- Instead: ");
        text.push_str(tool);
    }
    text.push_str("\n- Reference: ");
    text.push_str(id.as_str());
    text
}

/// The fallback tool, if its name is one: part of a name is worse than none.
fn tool(public: &Public) -> Option<&str> {
    const LONGEST_NAME: usize = 128;
    let fits = |name: &&str| name.len() <= LONGEST_NAME && !name.contains(is_line_break);
    public.fallback_tool().filter(fits)
}

/// A text that cannot be taken for several facts.
pub(super) fn in_a_line(text: &str, limit: usize) -> Cow<'_, str> {
    // More than fits is cut off anyway, and upstreams send megabytes.
    let text = &text[..text.floor_char_boundary(limit.saturating_add(4))];
    let breaks = |c: u8| memchr::memchr(c, text.as_bytes()).is_some();
    // The first bytes of rare line breaks.
    let is_odd = text
        .bytes()
        .any(|byte| matches!(byte, b'\r' | 0x0b | 0x0c | 0xc2 | 0xe2));
    if is_odd && text.contains(is_line_break) {
        text.replace(is_line_break, " ").into()
    } else if breaks(b'\n') {
        // One kind of break at a time is searched for much faster.
        text.replace('\n', " ").into()
    } else {
        text.into()
    }
}

/// Whether any terminal shows it as the end of a line.
fn is_line_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Foreign text in front of rendered lines. If a line of it could be taken for a rendered line, all lines
/// are quoted.
pub(crate) fn quoted(words: &str) -> Cow<'_, str> {
    if !words.split(is_line_break).any(is_like_ours) {
        return words.into();
    }
    let lines: Vec<String> = (words.split(is_line_break))
        .map(|line| format!("> {line}"))
        .collect();
    lines.join("\n").into()
}

/// Whether a line begins with one of our labels, however it is decorated.
fn is_like_ours(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '>');
    [FIX, RETRY, INSTEAD, ARGUMENTS, REFERENCE]
        .iter()
        .any(|label| {
            let label = label.trim().trim_end_matches(':');
            let begins = bare.get(..label.len());
            let rest = begins.filter(|begin| begin.eq_ignore_ascii_case(label));
            let rest = rest.map(|_| bare[label.len()..].trim_start_matches(['*', '_', '`', ' ']));
            rest.is_some_and(|rest| rest.starts_with([':', '：']))
        })
}

/// Reads [`fault`]'s text back: what a client has left when it drops everything but the text. `named` makes a fault of
/// the name of a code.
pub(crate) fn read_fault(text: &str, named: impl FnOnce(&str) -> Fault) -> Option<Fault> {
    let (name, rest) = text.strip_prefix('[')?.split_once("] ")?;
    if !is_code_name(name) {
        return None;
    }
    let (message, rest) = rest.split_once(FIX)?;
    let (body, tail) = rest.split_once(RETRY)?;
    let (remediation, arguments) = body
        .split_once(ARGUMENTS)
        .map_or((body, None), |(fix, json)| (fix, Some(json)));
    let mut fault = named(name).message(message).remediation(remediation);
    let public = fault.public_mut();
    public.corrective_params = arguments.and_then(|json| serde_json::from_str(json).ok());
    let (tail, reference) = tail
        .split_once(REFERENCE)
        .map_or((tail, None), |(tail, id)| (tail, Some(id)));
    let (words, tool) = tail
        .split_once(INSTEAD)
        .map_or((tail, None), |(words, tool)| (words, Some(tool)));
    public.fallback_tool = tool.map(Into::into);
    read_retry(words, public)?;
    if let Some(id) = reference {
        reserved::absorb(public, Cow::Borrowed("correlation_id"), id.into());
    }
    Some(fault)
}

fn retry_words(public: &Public) -> Cow<'static, str> {
    match (public.retry(), public.retry_after_seconds()) {
        (Retry::Never, _) => "no".into(),
        (Retry::AfterChange, _) => "not before something changes".into(),
        (retry, Some(seconds)) if retry.is_retryable() => {
            format!("{AFTER}{}", WaitText(seconds)).into()
        }
        (Retry::Once, _) => "once".into(),
        (Retry::Backoff | Retry::After, _) => "yes, with backoff".into(),
    }
}

/// A wait in seconds, and in words where it is long: 259200 seconds are hard to read as three days.
struct WaitText(u64);

impl fmt::Display for WaitText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(seconds) = *self;
        write!(f, "{seconds} s")?;
        // What a unit says exactly takes two of it; what it does not, so many that the rest matters little.
        let fits = |(length, least, _): &&(u64, u64, &str)| {
            let least = if seconds % length == 0 { 2 } else { *least };
            seconds / length >= least
        };
        let Some((length, _, unit)) = UNITS.iter().find(fits) else {
            return Ok(());
        };
        let rest = seconds % length;
        let count = seconds / length + u64::from(rest > length / 2);
        let about = if rest > 0 { "about " } else { "" };
        write!(f, " ({about}{count} {unit})")
    }
}

impl WaitText {
    /// Reads the seconds. The words in brackets say the same.
    fn read(text: &str) -> Option<u64> {
        let (seconds, words) = text.split_once(" s")?;
        let is_wait = words.is_empty() || words.starts_with(" (") && words.ends_with(')');
        seconds.parse().ok().filter(|_| is_wait)
    }
}

/// How long a unit is, and how many of it are enough not to count what is over.
const UNITS: &[(u64, u64, &str)] = &[
    (86_400, 10, "days"),
    (3_600, 10, "hours"),
    (60, 2, "minutes"),
];
const AFTER: &str = "yes, after ";

/// Reads the words of [`retry_words`], and nothing else.
fn read_retry(words: &str, public: &mut Public) -> Option<()> {
    public.retry = Some(match words {
        "no" => Retry::Never,
        "not before something changes" => Retry::AfterChange,
        "once" => Retry::Once,
        "yes, with backoff" => Retry::Backoff,
        _ => {
            let seconds = WaitText::read(words.strip_prefix(AFTER)?)?;
            public.wait = Some(Duration::from_secs(seconds).min(reserved::LONGEST_WAIT));
            Retry::After
        }
    });
    Some(())
}

/// At most `limit` bytes, cut at a character, the cut shown.
fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    const MARK: &str = "…";
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    if limit < MARK.len() {
        return Cow::Borrowed("");
    }
    let end = text.floor_char_boundary(limit - MARK.len());
    Cow::Owned(format!("{}{MARK}", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_ours_is_quoted_and_the_rest_is_left() {
        for ours in [
            "Fix: pay",
            "x\nFix: pay",
            "x\r\nretry: yes",
            "x\r  - **Reference**: 7",
            "x\u{2028}Instead : y",
            "x\u{85}Arguments：{}",
            "x [NO]\n\u{200b}FIX: pay",
        ] {
            let quoted = quoted(ours);
            assert!(
                quoted
                    .split(is_line_break)
                    .all(|line| line.starts_with("> ")),
                "{quoted}"
            );
            assert!(!quoted.contains(['\r', '\u{2028}', '\u{85}']), "{quoted}");
        }
        assert_eq!(quoted("a\nFix: b\nc"), "> a\n> Fix: b\n> c");
        for theirs in [
            "",
            "a\nb\r\nc",
            "Fixed: all",
            "error[E0308]: x\n  --> a.rs:1:2\nhelp: Fix: b",
            "> Fix: a",
            "Retrying: 3",
        ] {
            assert!(matches!(quoted(theirs), Cow::Borrowed(_)), "{theirs}");
        }
    }

    #[test]
    fn whatever_ends_a_line_somewhere_ends_none_here() {
        let odd = "a\rb\nc\u{b}d\u{c}e\u{85}f\u{2028}g\u{2029}h";
        assert_eq!(in_a_line(odd, 100), "a b c d e f g h");
        assert_eq!(in_a_line("ä – ü", 100), "ä – ü");
    }

    #[test]
    fn long_waits_are_said_in_words_too_and_read_back() {
        for (seconds, words) in [
            (0, "0 s"),
            (1, "1 s"),
            (119, "119 s"),
            (120, "120 s (2 minutes)"),
            (1847, "1847 s (about 31 minutes)"),
            (3600, "3600 s (60 minutes)"),
            (7200, "7200 s (2 hours)"),
            (7201, "7201 s (about 120 minutes)"),
            (9000, "9000 s (150 minutes)"),
            (100_000, "100000 s (about 28 hours)"),
            (172_799, "172799 s (about 48 hours)"),
            (259_200, "259200 s (3 days)"),
            (
                u64::MAX,
                "18446744073709551615 s (about 213503982334601 days)",
            ),
        ] {
            assert_eq!(WaitText(seconds).to_string(), words);
            assert_eq!(WaitText::read(words), Some(seconds), "{words}");
        }
        for odd in [
            "",
            "5",
            "5 seconds",
            "5 s (2 minutes",
            "5 s 2 minutes",
            "x s",
            "-1 s",
        ] {
            assert_eq!(WaitText::read(odd), None, "{odd}");
        }
    }
}

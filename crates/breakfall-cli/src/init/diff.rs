//! The difference an edit makes, line by line, without secrets.

use std::fmt::Write as _;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use breakfall::redact::{Audience, Redactor};
use breakfall_mcp::jsonrpc::{Edit, edited};

use crate::client_file::{ClientFile, EntrySource, position};
use crate::layout::{FAINT, cut};
use crate::output::printable_lines;
use crate::server;

/// The lines that change, those that go and those that come, as a page.
pub(super) fn page(file: &ClientFile, edits: &[Edit]) -> String {
    let (text, masks) = (&*file.text, masks(file));
    let mut page = String::new();
    for lines in changed_lines(text, edits) {
        let inside = |at: &Range<usize>| lines.start <= at.start && at.end <= lines.end;
        let local = |at: &Range<usize>| at.start - lines.start..at.end - lines.start;
        let edits = edits.iter().filter(|(at, _)| inside(at));
        let edits: Vec<Edit> = edits.map(|(at, new)| (local(at), new.clone())).collect();
        let masks = masks.iter().filter(|at| inside(at));
        let masks: Vec<Edit> = masks.map(|at| (local(at), MASK.to_owned())).collect();
        let old = edited(&text[lines.clone()], &masks);
        let new = edited(&text[lines.clone()], &merged(edits, masks));
        let (line, _) = position(text, lines.start);
        push_hunk(&mut page, line, &old, &new);
    }
    page
}

/// Whole lines that hold edits, in order.
fn changed_lines(text: &str, edits: &[Edit]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for (at, _) in edits {
        let start = text[..at.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[at.end..]
            .find('\n')
            .map_or(text.len(), |more| at.end + more);
        match all.last_mut() {
            Some(last) if start <= last.end + 1 => last.end = end.max(last.end),
            Some(_) | None => all.push(start..end),
        }
    }
    all
}

/// Edits, and the masks that are not part of one.
fn merged(edits: Vec<Edit>, masks: Vec<Edit>) -> Vec<Edit> {
    let touches = |(mask, _): &Edit| {
        let mut edits = edits.iter();
        edits.any(|(at, _)| at.start < mask.end && mask.start < at.end)
    };
    let free: Vec<Edit> = masks.into_iter().filter(|mask| !touches(mask)).collect();
    let mut all = [edits, free].concat();
    all.sort_by_key(|(at, _)| at.start);
    all
}

fn push_hunk(page: &mut String, line: usize, old: &str, new: &str) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let (old, new) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(new.iter().rev());
    let after = after.take_while(|(old, new)| old == new).count();
    // Writing to a string cannot fail.
    let _ = writeln!(page, "{FAINT}  line {}{FAINT:#}", line + before);
    let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    for old in &old[..old.len() - after] {
        push_line(page, red, '-', old);
    }
    for new in &new[..new.len() - after] {
        push_line(page, green, '+', new);
    }
}

fn push_line(page: &mut String, style: Style, mark: char, line: &str) {
    let line = Redactor::new(Audience::Operator).text(line);
    let line = printable_lines(line.trim_end_matches('\r'));
    let line = cut(&line, Some(MAX_LINE_CHARS));
    // Writing to a string cannot fail.
    let _ = writeln!(page, "{style}{mark} {line}{style:#}");
}

/// The places of secrets: values of variables and headers, and words of command lines that are credentials.
fn masks(file: &ClientFile) -> Vec<Range<usize>> {
    let mut masks = Vec::new();
    for server in file.servers() {
        for key in ["env", "headers"] {
            masks.extend(server.texts(key).map(|(_, value)| value.span.clone()));
        }
        let EntrySource::Command(entry) = server.source() else {
            continue;
        };
        let words = std::iter::once(entry.program).chain(entry.words.iter().copied());
        let words: Vec<_> = words.map(Into::into).collect();
        let items = entry
            .args
            .and_then(|args| args.value.items())
            .unwrap_or_default();
        let shown = server::shown(&words);
        for ((shown, word), item) in shown.iter().skip(1).zip(&entry.words).zip(items) {
            if shown != word {
                masks.push(item.span.clone());
            }
        }
    }
    masks.sort_by_key(|mask| mask.start);
    masks
}

const MASK: &str = "\"…\"";
/// A file on one line would fill the screen.
const MAX_LINE_CHARS: usize = 400;

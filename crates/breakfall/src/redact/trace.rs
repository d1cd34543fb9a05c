//! Stack traces of Python, Node, Java, Go, Rust, .NET, Ruby, PHP and their relatives.
//!
//! A trace is lines, each of which is a frame or belongs to the frame before. All of them become one marker; the
//! sentence that says what went wrong is not part of a trace and stays.

use super::bytes::{begins, follows, is_blank, is_quote, is_word, line, line_end, run, run_back};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;

/// Looks at the line a place is in, and at those that follow.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::Trace, at) {
        return;
    }
    let text = finder.text;
    let (from, to) = line(text, at, LINE);
    let from = from.max(finder.read(Rule::Trace));
    let Some((start, mut end)) = in_line(text, from, to) else {
        finder.passed(Rule::Trace, to.max(at + 1));
        return;
    };
    let whole = end >= to.saturating_sub(1);
    if whole {
        end = block(text, end, to);
    }
    let start = if text[from..start].trim_ascii().is_empty() {
        head(text, from)
    } else {
        start
    };
    finder.found(start, end, Mark::Trace);
    finder.passed(Rule::Trace, end);
}

/// The longest line that is read.
pub(super) const LINE: usize = 2048;

/// Whether a path is the place of a frame.
pub(super) fn begins_here(text: &[u8], start: usize, end: usize) -> bool {
    let (from, _) = line(text, start, 160);
    let lead = text[from..start].trim_ascii();
    lead.is_empty()
        || lead.starts_with(b"at ")
        || lead == b"at"
        || lead == b"from"
        || lead.starts_with(b"#")
        || lead.ends_with(b"File \"")
        || matches!(text.get(end), Some(b':')) && text[start.saturating_sub(1)..start] == *b"("
}

/// The frames inside of a line: where the first begins and the last ends.
fn in_line(text: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
    if let Some(end) = frame(text, from, to) {
        return Some((from, end));
    }
    let piece = &text[from..to];
    if let Some(found) = memchr::memmem::find(piece, b"Traceback (most recent call last)") {
        let head = run(text, from + found + 33, 1, |byte| byte == b':');
        return Some((from + found, head));
    }
    if let Some(found) = memchr::memmem::find(piece, b"panicked at ")
        && let Some(span) = panicked(text, from, from + found, to)
    {
        return Some(span);
    }
    if let Some(start) = memchr::memmem::find(piece, b"goroutine ")
        && goroutine(&piece[start..])
    {
        return Some((from + start, to));
    }
    if let Some(span) = ruby_within(text, from, to) {
        return Some(span);
    }
    let first = memchr::memmem::find_iter(piece, b"at ")
        .map(|found| from + found)
        .find(|at| begins(text, *at) && at_frame(text, *at, to, false).is_some())?;
    let mut end = first;
    while let Some(next) = at_frame(text, run(text, end, 2, is_blank), to, false) {
        end = next;
    }
    Some((first, end))
}

/// Whether a whole line is a frame, and where the frame ends in it.
fn frame(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let start = run(text, from, to - from, |byte| {
        is_blank(byte) || matches!(byte, b'|' | b'>')
    });
    let piece = &text[start..to];
    let indented = start > from;
    if piece.starts_with(b"at ") {
        return at_frame(text, start, to, indented);
    }
    let whole = python(piece)
        || piece.starts_with(b"Traceback (most recent call last)")
        || numbered(piece)
        || goroutine(piece)
        || rust(piece, indented)
        || elixir(piece)
        || native(piece)
        || indented && located(piece)
        || piece.starts_with(b"from ") && memchr::memmem::find(piece, b".cr:").is_some()
        || piece.starts_with(b"... ") && (ends(piece, b" more") || ends(piece, b"omitted"));
    if whole {
        return Some(to);
    }
    if indented && let Some(end) = go_place(text, start, to) {
        return Some(end);
    }
    ruby(text, start, to)
}

/// Lines after a frame that belong to it.
fn block(text: &[u8], end: usize, line_to: usize) -> usize {
    let mut end = end;
    let mut next = line_to + 1;
    let mut code = true;
    while next < text.len() {
        let to = line_end(text, next, LINE);
        let piece = &text[next..to];
        let indent = run(text, next, 64, is_blank) - next;
        let trimmed = piece.trim_ascii();
        let frame = frame(text, next, to);
        // The last of them may end inside of its line, where the text that holds them does.
        if let Some(close) = frame.filter(|close| matches!(text.get(*close), Some(b'"'))) {
            return close;
        }
        let close = next + piece.trim_ascii_end().len();
        let is_frame = frame.is_some_and(|frame| frame >= close);
        let belongs = is_frame
            || continues(trimmed)
            || indent >= 4 && code && !trimmed.is_empty()
            || calls(text, next, to) == Some(next);
        if belongs {
            end = close;
        } else if !trimmed.is_empty() || !chain_follows(text, to) {
            break;
        }
        // The code of a frame is one line and what underlines it.
        code = is_frame
            || trimmed
                .iter()
                .all(|byte| matches!(byte, b'^' | b'~' | b' '));
        next = to + 1;
    }
    end.min(text.len())
}

/// The line before a block where it announces it.
fn head(text: &[u8], from: usize) -> usize {
    let Some(end) = from.checked_sub(1) else {
        return from;
    };
    let (start, end) = line(text, end, LINE);
    let piece = text[start..end.max(start)].trim_ascii();
    let announces = [
        b"Stack trace:".as_slice(),
        b"Stacktrace:",
        b"Backtrace:",
        b"stack backtrace:",
        b"Call stack:",
        b"Stack:",
    ];
    if announces.contains(&piece) {
        start
    } else if rust(piece, text.get(start) == Some(&b' ')) {
        head(text, start)
    } else {
        calls(text, start, end).unwrap_or(from)
    }
}

/// Whether after an empty line the trace goes on with the failure that led to it.
fn chain_follows(text: &[u8], at: usize) -> bool {
    let next = run(text, at, 4, |byte| matches!(byte, b'\n' | b'\r' | b' '));
    let piece = &text[next..line_end(text, next, LINE)];
    continues(piece.trim_ascii())
        || piece.starts_with(b"Traceback (most recent call last)")
        || goroutine(piece)
}

/// Lines that are no frame and stand only between frames.
fn continues(trimmed: &[u8]) -> bool {
    const OPENINGS: &[&[u8]] = &[
        b"Caused by: ",
        b"Suppressed: ",
        b"--- End of ",
        b"---> ",
        b"During handling of the above exception",
        b"The above exception was the direct cause",
        b"[Previous line repeated",
        b"created by ",
        b"exit status ",
        b"[signal ",
        b"note: run with `RUST_BACKTRACE",
        b"note: Some details are omitted",
        b"thrown in ",
        b"{main}",
        b"Stack trace:",
        b"stack backtrace:",
        b"Node.js v",
    ];
    OPENINGS.iter().any(|opening| trimmed.starts_with(opening))
}

/// `at name (place:1:2)`, `at name(File.java:3)`, `at /place:1:2`, `at Name.Space(Type arg) in C:\place.cs:line 4`
fn at_frame(text: &[u8], at: usize, to: usize, indented: bool) -> Option<usize> {
    if !text.get(at..to)?.starts_with(b"at ") {
        return None;
    }
    let mut start = at + 3;
    for word in [b"async ".as_slice(), b"new "] {
        if text[start..to].starts_with(word) {
            start += word.len();
        }
    }
    let bare = run(text, start, to - start, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b',')
    });
    if is_place(&text[start..bare]) {
        return Some(bare);
    }
    let open = start + memchr::memchr(b'(', &text[start..to.min(start + 400)])?;
    let close = closing(text, open, to)?;
    let name = &text[start..open];
    let inside = &text[open + 1..close];
    let in_file = is_place(inside)
        || is_jvm(inside)
        || indented && is_script(inside)
        || matches!(inside, b"native" | b"<anonymous>" | b"index 0" | b"index 1");
    if in_file && !name.contains(&b'\t') && memchr::memchr_iter(b' ', name).count() <= 4 {
        return Some(close + 1);
    }
    let dotted = name.contains(&b'.') && !name.iter().any(u8::is_ascii_whitespace);
    if dotted && let Some(rest) = text[close + 1..to].strip_prefix(b" in ") {
        let line = memchr::memmem::find(rest, b":line ");
        return line.map(|line| run(text, close + 5 + line + 6, 10, |byte| byte.is_ascii_digit()));
    }
    let rest = text[close + 1..to].trim_ascii();
    let apart = indented || text[..at].ends_with(b"  ") || text[..at].ends_with(b"\t");
    (dotted && apart && (rest.is_empty() || rest.starts_with(b"\""))).then_some(close + 1)
}

/// The bracket that closes one, past those inside.
fn closing(text: &[u8], open: usize, to: usize) -> Option<usize> {
    let mut depth = 0usize;
    let far = to.min(open + 600);
    for at in memchr::memchr2_iter(b'(', b')', &text[open..far]) {
        match text[open + at] {
            b'(' if depth == DEEPEST => return None,
            b'(' => depth += 1,
            _ if depth == 1 => return Some(open + at),
            _ => depth -= 1,
        }
    }
    None
}

/// How many brackets are inside of each other at most: types of types of arguments.
const DEEPEST: usize = 12;

/// `/place/file.js:1:2`, `node:internal/…:3:4`, `webpack-internal:///./src/b.ts:3:4`
fn is_place(piece: &[u8]) -> bool {
    let Some(rest) = number_off(piece) else {
        return false;
    };
    let rest = number_off(rest).unwrap_or(rest);
    let signs = rest.contains(&b'/')
        || rest.contains(&b'\\')
        || rest.starts_with(b"node:")
        || rest.starts_with(b"<anonymous>");
    signs || EXTENSIONS.iter().any(|extension| rest.ends_with(extension))
}

/// `BudgetSync:143:22`: a script without an ending.
fn is_script(piece: &[u8]) -> bool {
    let name = number_off(piece).and_then(number_off);
    name.is_some_and(|name| !name.is_empty() && name.iter().all(|byte| is_word(*byte)))
}

/// Without `:digits` at the end.
fn number_off(piece: &[u8]) -> Option<&[u8]> {
    let digits = piece
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let rest = &piece[..piece.len() - digits];
    (digits > 0).then(|| rest.strip_suffix(b":"))?
}

const EXTENSIONS: &[&[u8]] = &[
    b".js", b".ts", b".mjs", b".cjs", b".jsx", b".tsx", b".vue", b".svelte", b".rs", b".c", b".cc",
    b".cpp", b".swift", b".dart", b".go", b".py", b".zig", b".java", b".kt", b".scala", b".cs",
    b".php", b".groovy",
];

fn is_jvm(inside: &[u8]) -> bool {
    let sources = [b".java".as_slice(), b".kt", b".scala", b".groovy", b".clj"];
    let file = number_off(inside).unwrap_or(inside);
    sources.iter().any(|source| file.ends_with(source))
        || matches!(
            inside,
            b"Native Method" | b"Unknown Source" | b"<generated>" | b"SourceFile" | b"Unknown"
        )
}

/// `File "place", line 3, in name`. Where no name follows, a compiler names a source position: not a frame, and what
/// the caller needs to know.
fn python(piece: &[u8]) -> bool {
    const LINE: &[u8] = b"\", line ";
    if !piece.starts_with(b"File \"") {
        return false;
    }
    let Some(found) = memchr::memmem::find(piece, LINE) else {
        return false;
    };
    let number = found + LINE.len();
    let end = run(piece, number, 10, |byte| byte.is_ascii_digit());
    // A text that is cut may have lost the name; what has no file is what a server made up itself.
    !piece[end..].trim_ascii().is_empty() || piece.starts_with(b"File \"<")
}

/// PHP: `#0 /place(12): name()`, `#1 {main}`; gdb: `#0  0x… in name () at place:12`
fn numbered(piece: &[u8]) -> bool {
    let Some(rest) = piece.strip_prefix(b"#") else {
        return false;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &rest[digits..];
    let body = rest.trim_ascii_start();
    let located = || {
        memchr::memmem::find(body, b"): ").is_some()
            || memchr::memmem::find(body, b" at ").is_some()
            || memchr::memmem::find(body, b" in ").is_some()
            || memchr::memmem::find(body, b"(package:").is_some()
            || memchr::memmem::find(body, b"(dart:").is_some()
    };
    digits > 0
        && rest.starts_with(b" ")
        && (body.starts_with(b"{main}")
            || body.starts_with(b"[internal function]")
            || body.starts_with(b"0x")
            || (body.starts_with(b"/") || body.contains(&b'(')) && located())
}

fn goroutine(piece: &[u8]) -> bool {
    piece.strip_prefix(b"goroutine ").is_some_and(|rest| {
        let header = rest.first().is_some_and(u8::is_ascii_digit) && rest.contains(&b'[');
        header && ends(rest, b"]:")
    })
}

/// `/place/main.go:12 +0x1d`
fn go_place(text: &[u8], start: usize, to: usize) -> Option<usize> {
    let end = run(text, start, to - start, |byte| {
        !byte.is_ascii_whitespace() && !is_quote(byte)
    });
    let file = number_off(&text[start..end])?;
    if !file.ends_with(b".go") && !file.ends_with(b".s") {
        return None;
    }
    let offset = run(text, end, 2, is_blank);
    let end = if follows(text, offset, b"+0x") {
        run(text, offset + 3, 16, |byte| byte.is_ascii_hexdigit())
    } else {
        end
    };
    let rest = text[end..to].trim_ascii();
    (rest.is_empty() || rest.starts_with(b"\"")).then_some(if rest.is_empty() { to } else { end })
}

/// `main.pick(...)`, `net/http.(*conn).serve.func1({0xc0…, 0x1})`: a call whose place is in the next line, and where in
/// its own line it begins.
fn calls(text: &[u8], from: usize, to: usize) -> Option<usize> {
    if to >= text.len() {
        return None;
    }
    let close = from + text[from..to].trim_ascii_end().len();
    let piece = &text[from..close];
    let start = if let Some(found) = memchr::memmem::rfind(piece, b"created by ") {
        from + found
    } else if piece.ends_with(b")") {
        let name = opening(text, from, close)?;
        let start = run_back(text, name, name - from, |byte| {
            byte > b' ' && !is_quote(byte) && !matches!(byte, b'{' | b'}' | b',' | b'=')
        });
        let named = &text[start..name];
        if !named.contains(&b'.') && named != b"panic" {
            return None;
        }
        start
    } else {
        return None;
    };
    let next = line_end(text, to + 1, LINE);
    let place = run(text, to + 1, 8, is_blank);
    let sure = place > to + 1 || memchr::memmem::find(&text[place..next], b" +0x").is_some();
    let placed = sure && place < next && go_place(text, place, next).is_some();
    placed.then_some(start)
}

/// The bracket that a bracket closes.
fn opening(text: &[u8], from: usize, close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in (from..close).rev() {
        match text[at] {
            b')' => depth += 1,
            b'(' if depth == 1 => return Some(at),
            b'(' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// `   0: core::panicking::panic_fmt`, `stack backtrace:`
fn rust(piece: &[u8], indented: bool) -> bool {
    let digits = piece
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let name = piece[digits..].strip_prefix(b": ");
    let numbered = (1..=4).contains(&digits)
        && indented
        && name.is_some_and(|name| {
            !name.is_empty() && !name.trim_ascii().contains(&b' ')
                || name.starts_with(b"0x")
                || name.starts_with(b"<")
        });
    numbered || piece == b"stack backtrace:"
}

/// `com.acme.Zone.lookup(Zone.java:221)`, indented
fn located(piece: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'(', piece) else {
        return false;
    };
    let name = &piece[..open];
    let inside = piece[open + 1..].trim_ascii_end();
    name.contains(&b'.') && !name.contains(&b' ') && inside.strip_suffix(b")").is_some_and(is_jvm)
}

/// `4   WalletKit   0x0000000104a19f10 -[Job run] + 88`
fn native(piece: &[u8]) -> bool {
    let digits = piece
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let rest = &piece[digits..];
    let Some(address) = memchr::memmem::find(rest, b" 0x") else {
        return false;
    };
    let hex = rest[address + 3..]
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    (1..=3).contains(&digits)
        && rest.starts_with(b" ")
        && hex >= 8
        && rest[..address]
            .split(|byte| *byte == b' ')
            .filter(|word| !word.is_empty())
            .count()
            == 1
}

/// `(shop 0.1.0) lib/shop/order.ex:14: Shop.Order.close/1`
fn elixir(piece: &[u8]) -> bool {
    piece.starts_with(b"(")
        && (memchr::memmem::find(piece, b".ex:").is_some()
            || memchr::memmem::find(piece, b".exs:").is_some()
            || memchr::memmem::find(piece, b".erl:").is_some())
}

/// `place.rb:12:in 'name'`, `from place.rb:12:in …`. What follows the name is the sentence.
fn ruby(text: &[u8], start: usize, to: usize) -> Option<usize> {
    let piece = &text[start..to];
    let found = memchr::memmem::find(piece, b".rb:")?;
    let lead = piece[..found]
        .strip_prefix(b"from ")
        .unwrap_or(&piece[..found]);
    if lead.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    let digits = run(text, start + found + 4, 8, |byte| byte.is_ascii_digit());
    if !follows(text, digits, b":in ") {
        return (digits == to).then_some(to);
    }
    Some(ruby_name(text, digits + 4, to).unwrap_or(to))
}

/// The same where words stand before it in its line.
fn ruby_within(text: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
    memchr::memmem::find_iter(&text[from..to], b".rb:").find_map(|found| {
        let dot = from + found;
        let digits = run(text, dot + 4, 8, |byte| byte.is_ascii_digit());
        if digits == dot + 4 || !follows(text, digits, b":in ") {
            return None;
        }
        let start = run_back(text, dot, (dot - from).min(512), |byte| {
            byte > b' ' && !is_quote(byte) && !matches!(byte, b'(' | b'[' | b'<' | b'>' | b',')
        });
        let end = ruby_name(text, digits + 4, to)?;
        (start < dot).then_some((start, end))
    })
}

/// The end of the name of a method in its quotes.
fn ruby_name(text: &[u8], at: usize, to: usize) -> Option<usize> {
    let rest = text.get(at + 1..to)?;
    let close = rest.iter().position(|byte| matches!(byte, b'\'' | b'`'))?;
    is_quote(text[at]).then_some(at + 2 + close)
}

/// `thread 'main' panicked at /srv/src/main.rs:4:5:` and the older form, where the message comes first. What a
/// test says of its project is not a frame.
fn panicked(text: &[u8], from: usize, at: usize, to: usize) -> Option<(usize, usize)> {
    let start =
        memchr::memmem::rfind(&text[from..at], b"thread '").map_or(at, |found| from + found);
    let place = at + b"panicked at ".len();
    if matches!(text.get(place), Some(b'\'' | b'"')) {
        let comma =
            memchr::memmem::rfind(&text[place..to], b", ").map(|found| place + found + 2)?;
        let place = text[comma..to].trim_ascii();
        let is_tested = is_relative(place) && is_test(text, start, at);
        return (is_place(place) && !is_tested).then_some((comma, to));
    }
    let end = run(text, place, to - place, |byte| {
        !byte.is_ascii_whitespace() && byte != b','
    });
    let trimmed = text[place..end]
        .strip_suffix(b":")
        .unwrap_or(&text[place..end]);
    let is_tested = is_own(trimmed) || is_relative(trimmed) && is_test(text, start, at);
    (is_place(trimmed) && !is_tested).then_some((start, place + trimmed.len()))
}

/// Whether a thread is that of a test: it is named after it, or stands below its heading, `---- name stdout ----`.
fn is_test(text: &[u8], start: usize, at: usize) -> bool {
    let heading = &text[start.saturating_sub(200)..start];
    memchr::memmem::find(&text[start..at], b"::").is_some()
        || memchr::memmem::find(heading, b" stdout ----").is_some()
}

/// `src/lib.rs:10:9`
fn is_relative(place: &[u8]) -> bool {
    let rooted = matches!(place.first(), Some(b'/' | b'\\' | b'~'));
    let drive = matches!(place, [letter, b':', ..] if letter.is_ascii_alphabetic());
    !rooted && !drive && !place.starts_with(b"../") && !place.starts_with(b"file:")
}

/// The root of a program or a library, which every one has.
fn is_own(place: &[u8]) -> bool {
    place.starts_with(b"src/main.rs:") || place.starts_with(b"src/lib.rs:")
}

fn ends(piece: &[u8], tail: &[u8]) -> bool {
    piece.trim_ascii_end().ends_with(tail)
}

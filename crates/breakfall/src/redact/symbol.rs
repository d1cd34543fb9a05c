//! Functions, classes and places in source files that stand in a sentence, where no trace is around them.

use super::bytes::{
    before, begins, follows, is_quote, is_word, line, line_end, one_of, run, run_back,
};
use super::finder::MarkFinder;
use super::mark::Mark;
use super::trace::LINE;

/// `Name->method() (line 7 of place)`, `Error in name (line 7)`, `Raised at name in file "place", line 7, characters 1-2`.
pub(super) fn called(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let line = line_end(text, end, LINE);
    if !finder.wide {
        return;
    }
    if text[at] == b' ' {
        let number = run(text, end, 8, |byte| byte.is_ascii_digit());
        let close = run(text, number, line - number, |byte| byte != b')');
        let start = run_back(text, at, 256, |byte| byte > b' ');
        let named = text[start..at].ends_with(b")") || text[..start].ends_with(b"Error in ");
        if number > end && close < line && named {
            finder.found(start, close + 1, Mark::Trace);
        }
        return;
    }
    let piece = &text[at..line];
    if let Some(file) = memchr::memmem::find(piece, b" in file \"")
        && let Some(place) = memchr::memmem::find(&piece[file..], b"\", line ")
    {
        let number = run(text, at + file + place + 8, line, |byte| {
            byte.is_ascii_digit()
        });
        let close = if follows(text, number, b", characters ") {
            run(text, number + 13, line - number - 13, |byte| {
                byte.is_ascii_digit() || byte == b'-'
            })
        } else {
            number
        };
        finder.found(at, close, Mark::Trace);
    }
}

/// `worker.py:88 (charge)`: a line of a file with the function it is in.
pub(super) fn function(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let digits = run(text, end, 6, |byte| byte.is_ascii_digit());
    if digits == end || !text[digits..].starts_with(b" (") {
        return;
    }
    let name = run(text, digits + 2, 64, is_word);
    if name > digits + 2 && text.get(name) == Some(&b')') {
        finder.found(run_back(text, at, 64, is_word), name + 1, Mark::Trace);
    }
}

/// `[worker.py:88]`, `post.go:91]`, `(OrderService.java:88)`: the place that a logger puts in front of its message.
pub(super) fn logged(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let digits = run(text, end, 6, |byte| byte.is_ascii_digit());
    let part = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'/' | b'-' | b'@');
    let start = run_back(text, at, 128, part);
    let opens = before(text, start);
    let is_logged = match text.get(digits) {
        Some(b']') => true,
        Some(b')') => opens == Some(b'('),
        Some(b'\t') => opens.is_none_or(|byte| matches!(byte, b'\t' | b'\n')),
        _ => false,
    };
    // `lib/post.ex:29: Ledger.Post.run/3`
    let name = run(text, digits, 2, |byte| matches!(byte, b':' | b' '));
    let call = run(text, name, 96, |byte| {
        is_word(byte) || matches!(byte, b'.' | b'!' | b'?')
    });
    let is_elixir = name == digits + 2
        && text.get(call) == Some(&b'/')
        && text.get(call + 1).is_some_and(u8::is_ascii_digit);
    let close = if is_elixir { call + 2 } else { digits };
    let is_fatal = text[digits..].starts_with(b": Fatal error");
    if (is_logged || is_elixir || is_fatal) && digits > end && start < at {
        finder.found(start, close, Mark::Trace);
    }
}

/// `\tFundbuero::Liste::fetch(3) called at /srv/list.pl line 17`: a frame of Perl, from ` called at ` on.
pub(super) fn perl(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    let text = finder.text;
    let start = run_back(text, at, 200, |byte| !matches!(byte, b'\n' | b'\t'));
    if start < at && text[at - 1] == b')' && text[start..at].contains(&b'(') && is_word(text[start])
    {
        finder.found(start, at, Mark::Trace);
    }
}

/// `src/app/page.tsx (29:18) @ loadClaims`, from the bracket that closes on.
pub(super) fn page(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let open = run_back(text, at, 16, |byte| byte.is_ascii_digit() || byte == b':');
    let close = run(text, end, 64, is_word);
    if text[..open].ends_with(b" (") && open < at && close > end {
        let start = run_back(text, open - 2, 200, |byte| byte > b' ');
        finder.found(start, close, Mark::Trace);
    }
}

/// The name of a class behind a word that says so, unless it is one of a library that everybody has.
pub(super) fn class(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let start = run(text, end, 2, |byte| is_quote(byte) || byte == b'[');
    let part = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'$' | b'/' | b'\\' | b'+');
    let close = run(text, start, 256, part);
    let name = text[start..close]
        .strip_suffix(b".")
        .unwrap_or(&text[start..close]);
    let mut parts = name.split(|byte| matches!(byte, b'.' | b'/' | b'\\' | b'$' | b'+'));
    let last = parts
        .clone()
        .rfind(|part| !part.is_empty())
        .unwrap_or_default();
    let joins = parts.clone().count();
    let first = parts.next().unwrap_or_default();
    let second = parts.next().unwrap_or_default();
    let is_failure = last.ends_with(b"Exception") || last.ends_with(b"Error");
    let is_class = last.first().is_some_and(u8::is_ascii_uppercase) && last.len() >= 2;
    let is_packaged = joins >= 3 || joins == 2 && first.first().is_some_and(u8::is_ascii_uppercase);
    let is_public = one_of(first, LIBRARIES) || one_of(first, DOMAINS) && one_of(second, VENDORS);
    if is_class && is_packaged && !is_failure && !is_public {
        finder.found(start, start + name.len(), Mark::Trace);
    }
}

/// Packages of languages.
const LIBRARIES: &str = "java javax jakarta jdk kotlin kotlinx scala sun system microsoft std core alloc android androidx clojure groovy illuminate \
    symfony doctrine psr guzzlehttp laravel django rest_framework numpy torch tensorflow google azure amazon newtonsoft npgsql";

/// What the packages of vendors begin with.
const DOMAINS: &str = "com org net io dev";

/// Whose libraries everybody has.
const VENDORS: &str = "apache springframework hibernate junit postgresql fasterxml google mysql sun microsoft slf4j eclipse jboss netty quarkus \
    micronaut example mongodb amazonaws aws azure oracle ibm github gradle jetbrains mockito objectweb yaml json flywaydb liquibase redis \
    kafka elasticsearch opensearch grpc reactivex vertx zaxxer h2database sqlite mariadb squareup openjdk codehaus opentelemetry";

/// `App\Models\Ledger::post()`: a method of a class in a namespace.
pub(super) fn namespaced(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    if before(text, at).is_none_or(|byte| !is_word(byte)) {
        return;
    }
    let start = run_back(text, at, 128, |byte| is_word(byte) || byte == b'\\');
    let close = run(text, end, 64, is_word);
    let close = if follows(text, close, b"()") {
        close + 2
    } else {
        close
    };
    let is_root = one_of(
        text[start..at]
            .split(|byte| *byte == b'\\')
            .find(|part| !part.is_empty())
            .unwrap_or_default(),
        LIBRARIES,
    );
    if text[start..at].contains(&b'\\')
        && text[start].is_ascii_uppercase()
        && close > end
        && !is_root
    {
        finder.found(start, close, Mark::Trace);
    }
}

/// `{acme_sess,get,1,[{file,"src/acme_sess.erl"},{line,12}]}`, from the file on.
pub(super) fn erlang(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let from = at.saturating_sub(200);
    let far = text.len().min(end + 200);
    if let Some(open) = memchr::memrchr(b'{', &text[from..at])
        && let Some(close) = memchr::memmem::find(&text[end..far], b"}]}")
    {
        finder.found(from + open, end + close + 3, Mark::Trace);
    }
}

/// `ejabberd_sql:connect/1 line 231`, from the number of arguments on.
pub(super) fn arity(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let start = run_back(text, at, 96, |byte| {
        is_word(byte) || matches!(byte, b':' | b'.')
    });
    let close = run(text, end, 8, |byte| byte.is_ascii_digit());
    if close > end && text[start..at].contains(&b':') {
        finder.found(start, close, Mark::Trace);
    }
}

/// `   Benefits.Enroll.Load(String ssn) +311`: a frame of a page of ASP.NET.
pub(super) fn offset(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let close = run(text, end, 8, |byte| byte.is_ascii_digit());
    let (from, _) = line(text, at, 512);
    let start = run(text, from, 16, |byte| byte == b' ');
    let name = run(text, start, 256, |byte| {
        is_word(byte) || matches!(byte, b'.' | b'`' | b'<' | b'>')
    });
    if close > end
        && text.get(name) == Some(&b'(')
        && text[start..name].contains(&b'.')
        && begins(text, start)
    {
        finder.found(start, close, Mark::Trace);
    }
}

//! Paths of files. A path of a URL or a JSON pointer also begins with a slash, but stays.

use super::bytes::{
    WordSet, before, follows, is_quote, is_script, is_sign_at, is_word, line_end, one_of, run,
    run_back, said_before, word_before,
};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;
use super::trace;

/// Looks at a slash.
pub(super) fn slash(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::Path, at) {
        return;
    }
    let text = finder.text;
    let Some(&next) = text.get(at + 1) else {
        return;
    };
    let start = match before(text, at) {
        Some(b'~') if super::bytes::begins(text, at - 1) => at - 1,
        Some(b':') if text[..at].ends_with(b"file:") => return file_url(finder, at),
        Some(b':') if next == b'/' => return url(finder, at),
        Some(b':') if is_drive(text, at - 1) => return windows(finder, at),
        // `-I/usr/include`
        Some(byte) if byte.is_ascii_uppercase() && text[..at - 1].ends_with(b" -") => at,
        Some(byte) if is_word(byte) || matches!(byte, b'.' | b'~' | b'/' | b'\\') => return,
        Some(b'-' | b')' | b']' | b'}' | b'*' | b'%' | b'+') if !is_rooted(text, at) => return,
        _ => at,
    };
    if !(is_word(next) || matches!(next, b'.' | b'@' | b'-' | b'$') || !next.is_ascii()) {
        return;
    }
    let end = end(text, start);
    if is_file(text, start, end) {
        finder.passed(Rule::Path, end);
        if trace::begins_here(text, start, end) {
            trace::find(finder, start);
        }
        finder.found(start, end, Mark::Path);
    } else {
        // In quotes more may follow than what began like a path.
        finder.passed(
            Rule::Path,
            run(text, start, end - start, |byte| byte > b' '),
        );
    }
}

/// Whether a directory every system has follows a slash.
fn is_rooted(text: &[u8], at: usize) -> bool {
    let end = run(text, at + 1, 16, |byte| byte != b'/');
    text.get(end) == Some(&b'/') && ROOT_WORDS.has(&text[at + 1..end])
}

/// Past an address: none of its slashes begins a path.
fn url(finder: &mut MarkFinder<'_>, at: usize) {
    let end = run(finder.text, at, 2048, |byte| {
        byte > b' ' && !is_quote(byte) && !matches!(byte, b'<' | b'>' | b')' | b'(' | b',' | b';')
    });
    finder.passed(Rule::Path, end);
}

/// `file:///home/…`
fn file_url(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let end = end(text, at);
    finder.passed(Rule::Path, end);
    if end > at + 3 {
        finder.found(at - b"file:".len(), end, Mark::Path);
    }
}

/// The end of a path: the closing quote, or whatever no path goes on with.
fn end(text: &[u8], start: usize) -> usize {
    if let Some(quote) = before(text, start).filter(|byte| is_quote(*byte)) {
        let far = line_end(text, start, 1024);
        if let Some(found) = memchr::memchr(quote, &text[start..far]) {
            let close = start + found;
            let stop = break_in(text, start, close);
            return if stop < close {
                stop
            } else if text[close - 1] == b'\\' {
                close - 1
            } else {
                close
            };
        }
    }
    let end = run(text, start, 4096, |byte| {
        byte > b' '
            && !is_quote(byte)
            && !matches!(
                byte,
                b'<' | b'>'
                    | b'|'
                    | b';'
                    | b','
                    | b'('
                    | b')'
                    | b'['
                    | b']'
                    | b'{'
                    | b'}'
                    | b':'
                    | b'*'
                    | b'?'
                    | b'&'
                    | b'='
                    | b'\\'
            )
    });
    let end = prose(text, start, end);
    start
        + text[start..end]
            .iter()
            .rposition(|byte| !matches!(byte, b'.' | b'!' | b'-'))
            .map_or(0, |last| last + 1)
}

/// Where a sentence goes on that has no blanks between its words: at a bracket or a stop of another script, or at letters
/// of one that neither begin a name in the path nor lead on to another.
fn prose(text: &[u8], start: usize, far: usize) -> usize {
    let mut at = start;
    while at < far {
        if text[at] <= b' ' {
            return at;
        }
        if text[at].is_ascii() {
            at += 1;
            continue;
        }
        if is_sign_at(text, at) {
            return at;
        }
        if !is_script(text[at]) {
            at += 1;
            continue;
        }
        let end = script_end(text, at, far);
        let named = matches!(before(text, at), Some(b'/' | b'\\'));
        let leads = match text.get(end) {
            Some(b'/') => true,
            Some(b'\\') => !matches!(text.get(end + 1), Some(b'n' | b'r' | b't' | b'"')),
            Some(b'.' | b'_' | b'-') => text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric),
            _ => false,
        };
        if !named && !leads {
            return at;
        }
        at = end;
    }
    far
}

/// Past letters of another script, up to its signs.
fn script_end(text: &[u8], start: usize, far: usize) -> usize {
    let mut at = start;
    while at < far && !text[at].is_ascii() && !is_sign_at(text, at) {
        at += 1;
    }
    at
}

fn is_file(text: &[u8], start: usize, end: usize) -> bool {
    let path = &text[start..end];
    if path.starts_with(b"~") {
        return path.len() > 2;
    }
    let inner = &path[1..];
    let segments = inner
        .split(|byte| *byte == b'/')
        .filter(|segment| !segment.is_empty())
        .count();
    let root = inner.split(|byte| *byte == b'/').next().unwrap_or_default();
    // `</b>` closes.
    if before(text, start) == Some(b'<') && segments < 2 {
        return false;
    }
    let word = word_before(text, start);
    let device = path.strip_prefix(b"/dev/");
    if METHODS.contains(&word) || device.is_some_and(|name| DEVICE_WORDS.has(name)) {
        return false;
    }
    // `/work0`, `/data2`
    let numbers = root
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let root = if ROOT_WORDS.has(root) {
        root
    } else {
        &root[..root.len() - numbers]
    };
    if ROOT_WORDS.has(root) {
        return segments >= 2;
    }
    if ROUTE_WORDS.has(word) {
        return false;
    }
    let located = text.get(end) == Some(&b':') && text.get(end + 1).is_some_and(u8::is_ascii_digit)
        || text.get(end) == Some(&b'(') && text.get(end + 1).is_some_and(u8::is_ascii_digit);
    let extension = extension(inner);
    let opened = || OPENED_WORDS.has(word) || said_before(text, start, 120, FAILED);
    if MAYBE_WORDS.has(root) {
        return segments >= 3 && !one_of(word, "at path get")
            || segments >= 2 && (located || extension.is_some() || opened());
    }
    match extension {
        Some(extension) if SOURCE_WORDS.has(extension) => segments >= 2 || opened(),
        Some(_) => located || opened(),
        None => segments >= 2 && opened(),
    }
}

/// The end of a name after its last dot, if it is one a file has.
fn extension(path: &[u8]) -> Option<&[u8]> {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let dot = memchr::memrchr(b'.', name)?;
    let extension = &name[dot + 1..];
    let fits = (1..=8).contains(&extension.len())
        && extension.iter().all(u8::is_ascii_alphanumeric)
        && extension.iter().any(u8::is_ascii_alphabetic);
    fits.then_some(extension)
}

static ROOT_WORDS: WordSet = WordSet::new(ROOTS);
static DEVICE_WORDS: WordSet = WordSet::new(DEVICES);
static ROUTE_WORDS: WordSet = WordSet::new(ROUTES);
static OPENED_WORDS: WordSet = WordSet::new(OPENED);
static MAYBE_WORDS: WordSet = WordSet::new(MAYBE);
static SOURCE_WORDS: WordSet = WordSet::new(SOURCE);

/// What is asked of an interface. In small letters they are verbs: files are put and deleted too.
const METHODS: &[&[u8]] = &[
    b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD", b"OPTIONS",
];

/// What every system has and everybody names.
const DEVICES: &str = "null zero full random urandom stdin stdout stderr tty fd";

/// Words after which a path is one of an interface.
const ROUTES: &str =
    "get post patch route endpoint url uri href pointer instancepath schemapath link";

/// Directories every system has, or every container.
const ROOTS: &str = "drone vmfs deployments pgdata odoo bitnami codebuild cloudsql hana gpfs lustre netapp volume1 volume2 volume3 tank u03 export u01 u02 oradata oracle dev home users root etc var usr opt srv tmp mnt proc sys private library applications system volumes nix \
    snap rustc boot sbin bin lib lib64 run media workspace workspaces builds __w cygdrive node_modules site- \
    packages vercel layers github lost+found";

/// Directories of many servers, which are also parts of many interfaces.
const MAYBE: &str = "app apps data src code build work project projects repo repos site sites www web config conf storage \
    backup backups log logs export shared share go files secrets keys certs db cache uploads vol scratch \
    var1 nfs efs workdir function";

/// What only files of a server end in.
const SOURCE: &str = "py pyc rb go rs java php cs ts mjs cjs jsx tsx yaml yml toml ini cfg conf env log db sqlite sqlite3 key \
    pem crt p12 pfx sql sh so dll exe jar bak lock c cpp h hpp ex exs kt scala swift ipynb parquet pid sock \
    tf tfstate properties dylib class wasm tar tgz gz bz2 xz 7z vmdk vhd vhdx qcow2 iso img dump dmp asp aspx jsp cgi pl lua erl clj service tmp swp core";

/// What is done to files.
const OPENED: &str = "open opening opened read reading write writing load loading file filename folder directory dir stat \
    lstat unlink mkdir rmdir scandir exec execute executing cwd chdir import mount cat rm cp mv ls cd dlopen \
    include require spawn rename copyfile watch";

/// What a system says of files.
const FAILED: &str = "data directory|invalid permissions|not writable|node locks|reading failed|disk full|mount point|filesystem|file system|cannot stat|cannot access|cannot create|\
    cannot remove|cannot write|cannot read|unable to write|unable to read|failed to read|failed to write|failed to stat|failed to create|could not read|\
    could not write|could not create|could not remove|could not stat|couldn't open|can't open|can't read|open_basedir|pid file|lock file|log file|socket file|\
    no such file|ownership in repository|not a git repository|no space left|read-only file system|enoent|eacces|eperm|eisdir|enotdir|eexist|erofs|enospc|enotempty|errno|not a directory|\
    is a directory|filenotfounderror|permissionerror|isadirectoryerror|file not found|cannot open|could not open|\
    failed to open|unable to open|file does not exist|directory does not exist|cannot be opened|ファイルが|文件不存在";

/// Whether a colon ends the letter of a drive.
fn is_drive(text: &[u8], colon: usize) -> bool {
    before(text, colon).is_some_and(|byte| byte.is_ascii_alphabetic())
        && super::bytes::begins(text, colon - 1)
}

/// Looks at a backslash.
pub(super) fn backslash(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::Windows, at) {
        return;
    }
    let text = finder.text;
    if before(text, at) == Some(b':') && is_drive(text, at - 1) {
        return windows(finder, at);
    }
    // \\server\share
    let opens = before(text, at).is_none_or(|byte| !is_word(byte) && byte != b'\\');
    if !opens || text.get(at + 1) != Some(&b'\\') {
        return;
    }
    let name = run(text, at, 16, |byte| byte == b'\\');
    let server = run(text, name, 64, |byte| {
        is_word(byte) || matches!(byte, b'.' | b'-' | b'?' | b'$')
    });
    let share = run(text, server, 16, |byte| byte == b'\\');
    // Twice as many open it as join it, however often they were escaped; in a pattern they are as many.
    let shaped = share > server && name - at == 2 * (share - server);
    // `\\d` is a class of a pattern, `\\d$` ends one, and `\n` behind it ends a line.
    let letters = run(text, name, server - name, |byte| byte != b'$') - name;
    let named = letters >= 2 || matches!(text.get(name), Some(b'.' | b'?'));
    if shaped && named && text.get(share).is_some_and(|byte| is_word(*byte)) {
        let end = windows_end(text, at);
        finder.passed(Rule::Windows, end);
        finder.found(at, end, Mark::Path);
    }
}

fn windows(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let end = windows_end(text, at);
    finder.passed(Rule::Windows, end);
    finder.passed(Rule::Path, end);
    if end > at + 1 {
        if trace::begins_here(text, at - 2, end) {
            trace::find(finder, at - 2);
        }
        finder.found(at - 2, end, Mark::Path);
    }
}

/// The end of a path that may hold blanks: a blank belongs to it where a backslash follows in the next word.
fn windows_end(text: &[u8], at: usize) -> usize {
    let opened = run_back(text, at, 4, |byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b':' | b'?' | b'\\')
    });
    if let Some(quote) = before(text, opened).filter(|byte| is_quote(*byte)) {
        let far = line_end(text, at, 1024);
        if let Some(found) = memchr::memchr(quote, &text[at..far]) {
            let close = at + found;
            let stop = break_in(text, at, close);
            return if stop < close {
                stop
            } else if text[close - 1] == b'\\' && text[..close - 1].last() != Some(&b'\\') {
                close - 1
            } else {
                close
            };
        }
    }
    let part = |byte: u8| {
        byte > b' '
            && !is_quote(byte)
            && !matches!(
                byte,
                b'<' | b'>' | b'|' | b';' | b',' | b'*' | b')' | b']' | b'}'
            )
    };
    let mut end = run(text, at, 1024, |byte| {
        part(byte) && byte != b':' || byte == b'?'
    });
    // A drive may stand inside of the long form.
    if follows(text, at, b"\\\\?\\") {
        end = run(text, at, 1024, part);
    }
    end = prose(text, at, break_in(text, at, end));
    for _ in 0..8 {
        if text.get(end) != Some(&b' ') {
            break;
        }
        let next = end + 1;
        let word = run(text, next, 128, |byte| part(byte) && byte != b':');
        let goes_on = next > end
            && text[next..word].contains(&b'\\')
            && text.get(next) != Some(&b'\\')
            && text.get(word) != Some(&b':');
        if !goes_on {
            break;
        }
        end = word;
    }
    at + text[at..end]
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b'\\' | b'!' | b'-'))
        .map_or(0, |last| last + 1)
}

/// Where an escaped line break ends a path: the backslashes that join its names are all twice as many, or it has none.
fn break_in(text: &[u8], at: usize, far: usize) -> usize {
    let server = run(text, at, 16, |byte| byte == b'\\');
    let rest = run(text, server, far.saturating_sub(server), |byte| {
        byte != b'\\'
    });
    let joint = run(text, rest, 16, |byte| byte == b'\\') - rest;
    let opens = server - at;
    let plain = opens == 1 || opens == 2 && joint == 1 && !text[..at].ends_with(b":");
    if plain {
        return far;
    }
    let mut place = at;
    while let Some(found) = memchr::memchr(b'\\', &text[place.min(far)..far]) {
        let sign = place + found;
        let next = run(text, sign, 16, |byte| byte == b'\\');
        let odd = (next - sign) % 2 == 1;
        if odd && matches!(text.get(next), Some(b'n' | b'r' | b't' | b'"')) {
            return next - 1;
        }
        place = next;
    }
    far
}

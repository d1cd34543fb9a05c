//! A cheap first look at a result: its top-level members as they are written, and the openings of its texts. It
//! separates plain successes, the majority, from the few results that must be parsed.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::{memchr_iter, memmem};
use serde_json::Value;

use super::block::Block;
use super::lenient_json::{text_of, value_of};
use breakfall_mcp::jsonrpc::cursor::Cursor;
use breakfall_mcp::jsonrpc::splice::text;

/// The outcome of the first look.
pub(super) enum Prefilter {
    /// A success.
    Success,
    /// Not a result yet: the server asks for input, or has started a task.
    Asks,
    /// Not a tool result: it has no list of blocks, or an invalid block.
    Malformed,
    /// A possible failure.
    Suspect,
    /// A declared failure with an invalid block.
    MalformedFailure,
    /// A text so short that it may be a failure. This is all there is to classify.
    Candidate(Value),
}

/// Inspects a result. With `unmask`, results that claim success are inspected for failures too.
pub(super) fn of(result: &str, unmask: bool) -> Prefilter {
    let Some(top) = ResultMembers::of(result) else {
        return Prefilter::Suspect;
    };
    if top.is_failed {
        return if top.blocks.is_malformed {
            Prefilter::MalformedFailure
        } else {
            Prefilter::Suspect
        };
    }
    if top.is_no_result_yet() {
        return Prefilter::Asks;
    }
    if top.content.is_none() || top.blocks.is_malformed || top.has_null_flag {
        return Prefilter::Malformed;
    }
    let structured = top.structured.filter(|raw| *raw != "null");
    let object = structured.map_or(ObjectMarks::default(), ObjectMarks::of);
    if top.is_ours || object.is_document || (unmask && top.is_misnamed) {
        return Prefilter::Suspect;
    }
    let words = match top.blocks.only {
        Some(raw) => TextFeatures::of(raw),
        None => TextFeatures::default(),
    };
    if words.is_suspect
        || top
            .blocks
            .others
            .iter()
            .any(|raw| TextFeatures::of(raw).is_suspect)
    {
        return Prefilter::Suspect;
    }
    let may_be = match (top.blocks.count, structured) {
        _ if !unmask => false,
        (0, Some(raw)) => object.is_about_failure && raw.len() <= MAX_SCANNED_BYTES,
        (1, structured) => {
            words.may_be_failure && structured.is_none_or(|raw| raw.len() <= MAX_SCANNED_BYTES)
        }
        _ => false,
    };
    if !may_be {
        return Prefilter::Success;
    }
    let (content, structured) = (top.content.unwrap_or("[]"), structured.unwrap_or("null"));
    Prefilter::Candidate(value_of(&format!(
        r#"{{"content":{content},"structuredContent":{structured}}}"#
    )))
}

/// The longest text, and the longest structured content, that is inspected for a disguised failure. It is the bound of
/// the rules, too.
const MAX_SCANNED_BYTES: usize = 32 << 10;

/// The members of a result that matter. If a member is repeated, the last one counts, as in most parsers.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what was seen, each by its name"
)]
struct ResultMembers<'a> {
    /// The flag is present and not `false`.
    is_failed: bool,
    /// The flag is `null`. Clients reject the whole result for it.
    has_null_flag: bool,
    /// The flag of a failure has a name that the protocol does not define.
    is_misnamed: bool,
    /// The metadata contains marks of the native format.
    is_ours: bool,
    kind: Option<Cow<'a, str>>,
    has_requests: bool,
    has_task: bool,
    structured: Option<&'a str>,
    content: Option<&'a str>,
    blocks: BlockFeatures<'a>,
}

/// What the blocks of a result contain.
#[derive(Default)]
struct BlockFeatures<'a> {
    count: usize,
    /// The text of a single block.
    only: Option<&'a str>,
    /// The texts of several blocks.
    others: Vec<&'a str>,
    /// At least one block is invalid.
    is_malformed: bool,
}

impl<'a> ResultMembers<'a> {
    fn of(result: &'a str) -> Option<Self> {
        let mut top = Self::default();
        let mut cursor = Cursor::new(result);
        cursor.object(|cursor, key| {
            match key {
                "isError" => {
                    let flag = cursor.skip()?;
                    top.has_null_flag = flag == "null";
                    top.is_failed |= flag != "false" && flag != "null";
                }
                "is_error" => top.is_misnamed |= cursor.skip()? == "true",
                "content" => {
                    let start = cursor.rest();
                    top.blocks = BlockFeatures::default();
                    top.content = if cursor.peek()? == b'[' {
                        cursor.list(|cursor| top.blocks.add(cursor))?;
                        Some(&start[..start.len() - cursor.rest().len()])
                    } else {
                        cursor.skip()?;
                        None
                    };
                }
                "structuredContent" => top.structured = Some(cursor.skip()?),
                "_meta" => {
                    let raw = cursor.skip()?.as_bytes();
                    top.is_ours |= memmem::find(raw, b"dev.breakfall").is_some();
                }
                "resultType" => top.kind = text(cursor.skip()?),
                "inputRequests" => top.has_requests = cursor.skip()? != "null",
                "task" => top.has_task = cursor.skip()?.starts_with('{'),
                _ => drop(cursor.skip()?),
            }
            Some(())
        })?;
        Some(top)
    }

    /// The server asks for input, or has started a task.
    fn is_no_result_yet(&self) -> bool {
        match self.kind.as_deref() {
            Some("input_required" | "task") => true,
            Some(_) => false,
            None => self.has_requests || (self.has_task && self.content.is_none()),
        }
    }
}

impl<'a> BlockFeatures<'a> {
    fn add(&mut self, cursor: &mut Cursor<'a>) -> Option<()> {
        let block = Block::read(cursor)?;
        self.is_malformed |= !block.is_valid();
        let found = block.text;
        self.count += 1;
        match self.count {
            1 => self.only = found,
            _ => self
                .others
                .extend(self.only.take().into_iter().chain(found)),
        }
        Some(())
    }
}

/// The features of a text, as it is written.
#[derive(Default)]
struct TextFeatures {
    /// It is a document that declares a failure, or a failure text in the native format.
    is_suspect: bool,
    /// It is short, and a rule may take it for a failure.
    may_be_failure: bool,
}

impl TextFeatures {
    fn of(raw: &str) -> Self {
        let is_short = raw.len() <= MAX_SCANNED_BYTES;
        match opening(raw) {
            Some('{') if !is_short && !has_marks(raw) => Self::default(),
            Some('{') => {
                let marks = match text(raw) {
                    Some(json) => ObjectMarks::of(&json),
                    None => ObjectMarks::of(&text_of(raw)),
                };
                Self {
                    is_suspect: marks.is_document,
                    may_be_failure: is_short && marks.is_about_failure,
                }
            }
            Some('[') => {
                let start = &raw.as_bytes()[..raw.len().min(OPENING)];
                Self {
                    is_suspect: memmem::find(start, br"\nFix: ").is_some(),
                    may_be_failure: is_short,
                }
            }
            Some(_) => Self {
                is_suspect: false,
                may_be_failure: is_short && may_open_as_failure(raw),
            },
            None => Self::default(),
        }
    }
}

/// The native failure text is recognisable within this many bytes.
const OPENING: usize = 8 << 10;

/// The first character of a text that is not blank.
fn opening(raw: &str) -> Option<char> {
    let mut rest = raw.strip_prefix('"')?;
    loop {
        rest = rest.trim_ascii_start();
        let gap = [r"\n", r"\r", r"\t"]
            .iter()
            .find_map(|gap| rest.strip_prefix(gap));
        match gap {
            Some(more) => rest = more,
            None => return rest.chars().next().filter(|c| *c != '"'),
        }
    }
}

/// Whether a text may open like a disguised failure. The rules read the opening of a text and, if it is one short line,
/// all of it; this searches for the words that all of them begin with, which is much cheaper than unescaping the text.
fn may_open_as_failure(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    // A `\u` escape may be any letter, and an `n` after `\\` is not a line break.
    let is_plain =
        !memchr_iter(b'\\', bytes).any(|at| matches!(bytes.get(at + 1), Some(b'u' | b'\\')));
    let text = unpadded(raw);
    let is_one_line = memmem::find(text.as_bytes(), br"\n").is_none() && text.len() <= ONE_LINE;
    if !is_plain || is_one_line || memmem::find(bytes, b"<error>").is_some() {
        return true;
    }
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_counted = text.starts_with(|c: char| c.is_ascii_digit());
    if is_counted && memmem::find(bytes, b"validation error").is_some() {
        return true;
    }
    let near = text[..text.floor_char_boundary(NEAR)].to_ascii_lowercase();
    let opens = |word: &Finder<'_>| word.find(near.as_bytes()).is_some();
    FIRST_WORDS.iter().any(opens)
}

/// Twice the length of the longest line that a rule reads as a whole: an escape takes two bytes.
const ONE_LINE: usize = 2 * 512;
/// Twice the length of an opening, for the same reason.
const NEAR: usize = 2 * 128;
/// Every opening contains one of them. Searching for these first is faster than matching the openings.
static FIRST_WORDS: LazyLock<[Finder<'static>; 10]> = LazyLock::new(|| {
    [
        "error",
        "exception",
        "fatal",
        "failed",
        "invalid",
        "html",
        "panic",
        "structured content",
        "tool",
        "traceback",
    ]
    .map(Finder::new)
});

/// A text as it is written, without the quotes and the blanks around it.
fn unpadded(raw: &str) -> &str {
    let gaps = [r"\n", r"\r", r"\t"];
    let mut rest = raw.trim_matches('"').trim_ascii();
    loop {
        let less = gaps.iter().find_map(|gap| rest.strip_prefix(gap));
        let less = less.or_else(|| gaps.iter().find_map(|gap| rest.strip_suffix(gap)));
        match less {
            Some(less) => rest = less.trim_ascii(),
            None => return rest,
        }
    }
}

/// Whether a long text contains the mark of a native document, quotes included. Searching for a few words is much
/// cheaper than unescaping the text.
fn has_marks(raw: &str) -> bool {
    let marks: [&[u8]; 6] = [
        br#"\"success\""#,
        br#"\"kind\""#,
        b"recovery_actions",
        b"retryable",
        br#"\"retry\""#,
        b"breakfall",
    ];
    let raw = raw.as_bytes();
    // A letter may be escaped.
    memmem::find(raw, br"\\u").is_some()
        || marks.iter().any(|mark| memmem::find(raw, mark).is_some())
}

/// What the top-level members of an object declare.
#[derive(Default)]
struct ObjectMarks {
    /// It may be a failure in one of the supported formats.
    is_document: bool,
    /// It may be a failure in another format.
    is_about_failure: bool,
}

impl ObjectMarks {
    fn of(json: &str) -> Self {
        let mut marks = Self::default();
        let (mut has_category, mut has_retry) = (false, false);
        let (mut count, mut boxed) = (0, None);
        let mut cursor = Cursor::new(json);
        let read = cursor.object(|cursor, key| {
            let raw = cursor.skip()?;
            let is_there = raw != "null";
            count += 1;
            match key {
                "success" => {
                    marks.is_document |= raw == "false";
                    marks.is_about_failure |= raw == "false";
                }
                "ok" => marks.is_about_failure |= raw == "false",
                "error" => {
                    marks.is_document |= raw.starts_with('{');
                    marks.is_about_failure |= is_there && raw != "false";
                }
                "isError" | "is_error" => marks.is_about_failure |= raw == "true",
                "errors" | "errorCode" | "error_code" | "status" | "statusCode" | "status_code"
                | "code" | "detail" => {
                    marks.is_about_failure |= is_there;
                }
                "kind" | "recovery_actions" => marks.is_document |= is_there,
                "category" => has_category = is_there,
                "retry" => has_retry = is_there,
                "type" => {
                    let is_ours = memmem::find(raw.as_bytes(), b"breakfall").is_some();
                    marks.is_document |= is_ours;
                }
                "result" => boxed = Some(raw),
                _ => {}
            }
            Some(())
        });
        marks.is_document |= has_category && has_retry;
        match (read, boxed) {
            // A framework wraps a value that is not an object; its text is a block, too.
            (None, _) => Self {
                is_document: false,
                is_about_failure: true,
            },
            (Some(()), Some(inner)) if count == 1 => {
                let inner = Self::of_boxed(inner);
                marks.is_about_failure |= inner;
                marks
            }
            (Some(()), _) => marks,
        }
    }

    /// Frameworks wrap a bare value in a member `result`.
    fn of_boxed(inner: &str) -> bool {
        !inner.starts_with('{') || inner.contains("result") || Self::of(inner).is_about_failure
    }
}

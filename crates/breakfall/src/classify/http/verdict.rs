//! Which code a failure has: the status is the frame, and the body, the headers and the words refine it within.

use std::borrow::Cow;
use std::time::Duration;

use super::headers::HeaderReading;
use crate::catalog::{codes, usual};
use crate::classify::body::BodyReading;
use crate::classify::{status, text};
use crate::code::{Category, Code, Retry};
use crate::fault::Confidence;

/// The decision on a response, with its reason.
#[derive(Debug, PartialEq)]
pub(super) struct HttpVerdict {
    pub(super) code: Code,
    /// The part of the rule's name after the status.
    pub(super) by: Option<Cow<'static, str>>,
    pub(super) confidence: Confidence,
    pub(super) retry: Option<Retry>,
    /// The wait the words ask for.
    pub(super) wait: Option<Duration>,
}

/// Decides. The order is from what the server stated explicitly to what can only be guessed.
pub(super) fn decide(number: u16, said: &BodyReading, heads: &HeaderReading) -> HttpVerdict {
    let frame = frame(number);
    telling(frame, said, number)
        .or_else(|| named(frame, said))
        .or_else(|| by_headers(number, heads))
        .or_else(|| by_name(frame, said, number))
        .or_else(|| by_words(frame, said, number))
        .unwrap_or_else(|| HttpVerdict {
            retry: frame.retry,
            ..HttpVerdict::of(status::code_for_status(number), None, frame.confidence)
        })
}

impl HttpVerdict {
    fn of(code: Code, by: Option<Cow<'static, str>>, confidence: Confidence) -> Self {
        Self {
            code,
            by,
            confidence,
            retry: None,
            wait: None,
        }
    }
}

/// Names that say no more than "bad request" or "server error".
const VAGUE: &[Code] = &[
    codes::VALIDATION_INVALID_VALUE,
    codes::INTERNAL_ERROR,
    codes::INTERNAL_UNKNOWN,
];

/// Words beside a name and a status that both say next to nothing, where they say something of another category.
fn telling(frame: &StatusRange, said: &BodyReading, number: u16) -> Option<HttpVerdict> {
    let code = said.code.filter(|code| VAGUE.contains(code))?;
    if !frame.vague || !said.violations.is_empty() {
        return None;
    }
    by_words(frame, said, number).filter(|told| told.code.category() != code.category())
}

/// A name we know, or a list of broken rules. One that says no more than "bad request" or "server error" leaves the
/// decision to a status that does.
fn named(frame: &StatusRange, said: &BodyReading) -> Option<HttpVerdict> {
    let code = said.code?;
    if VAGUE.contains(&code) && !frame.vague {
        return None;
    }
    let by = Some(Cow::Borrowed(said.shape));
    Some(HttpVerdict::of(code, by, Confidence::Structural))
}

fn by_headers(number: u16, heads: &HeaderReading) -> Option<HttpVerdict> {
    let (code, by) = match number {
        401 => (heads.challenge?, "challenge"),
        // A forbidden caller is not asked to come back in a minute.
        403 if heads.wait.is_some() => (codes::RATE_LIMIT_EXCEEDED, "retry-after"),
        403 if heads.limit.remaining == Some(0) => (codes::RATE_LIMIT_EXCEEDED, "remaining"),
        _ => return None,
    };
    Some(HttpVerdict::of(
        code,
        Some(Cow::Borrowed(by)),
        Confidence::Structural,
    ))
}

/// An unknown name, by the words in it, where they contradict the status and the status allows it.
fn by_name(frame: &StatusRange, said: &BodyReading, number: u16) -> Option<HttpVerdict> {
    let category = said.likely_category()?;
    let other = status::code_for_status(number).category() != category;
    (other && frame.may.contains(&category)).then(|| {
        let by = Some(Cow::Borrowed("name"));
        HttpVerdict::of(usual(category), by, Confidence::Textual)
    })
}

fn by_words(frame: &StatusRange, said: &BodyReading, number: u16) -> Option<HttpVerdict> {
    let judged = text::judge(said.message.as_deref()?)?;
    // Words that say what the status says make nothing less sure.
    let agreed = judged.code == status::code_for_status(number);
    let verdict = if agreed {
        HttpVerdict::of(judged.code, None, frame.confidence)
    } else {
        HttpVerdict::of(judged.code, Some(judged.rule), Confidence::Textual)
    };
    let may = agreed || frame.may.contains(&judged.code.category());
    may.then_some(HttpVerdict {
        retry: frame.retry.filter(|_| agreed),
        wait: judged.wait,
        ..verdict
    })
}

/// A range of statuses: what they mean by themselves, and how far words may refine it.
pub(super) struct StatusRange {
    from: u16,
    to: u16,
    confidence: Confidence,
    /// Whether the status says hardly more than that there is an error.
    pub(super) vague: bool,
    retry: Option<Retry>,
    /// The categories words may lead to.
    may: &'static [Category],
}

pub(super) fn frame(number: u16) -> &'static StatusRange {
    let fits = |frame: &&StatusRange| (frame.from..=frame.to).contains(&number);
    FRAMES.iter().find(fits).unwrap_or(&OUTSIDE)
}

const fn exact(number: u16, may: &'static [Category]) -> StatusRange {
    StatusRange {
        from: number,
        to: number,
        confidence: Confidence::Structural,
        vague: false,
        retry: None,
        may,
    }
}

const fn vague(
    from: u16,
    to: u16,
    confidence: Confidence,
    may: &'static [Category],
) -> StatusRange {
    StatusRange {
        from,
        to,
        confidence,
        vague: true,
        retry: None,
        may,
    }
}

/// Words in a bad request may be about anything the caller can do something about.
const CALLER: &[Category] = &[
    Category::Validation,
    Category::Authentication,
    Category::Authorization,
    Category::NotFound,
    Category::Conflict,
    Category::RateLimit,
    Category::Business,
];

/// Words of a broken server are believed when they explain why it may work later, or never for what is there already;
/// that the input was wrong is what a defect often says.
const SERVER: &[Category] = &[
    Category::Unavailable,
    Category::RateLimit,
    Category::Conflict,
];

const FRAMES: &[StatusRange] = &[
    vague(400, 400, Confidence::Structural, CALLER),
    exact(401, &[Category::Authentication]),
    exact(402, &[Category::Business, Category::RateLimit]),
    exact(
        403,
        &[
            Category::Authorization,
            Category::Authentication,
            Category::RateLimit,
            Category::Business,
        ],
    ),
    exact(404, &[Category::NotFound]),
    exact(405, &[]),
    exact(406, &[Category::Validation]),
    exact(407, &[]),
    exact(408, &[]),
    exact(409, &[Category::Conflict]),
    exact(410, &[Category::NotFound]),
    exact(412, &[Category::Conflict]),
    exact(413, &[]),
    exact(415, &[Category::Validation]),
    exact(421, &[]),
    vague(
        422,
        422,
        Confidence::Structural,
        &[
            Category::Validation,
            Category::Conflict,
            Category::Business,
            Category::NotFound,
        ],
    ),
    StatusRange {
        // Locked: the holder releases it in time.
        retry: Some(Retry::Backoff),
        ..exact(423, &[Category::Conflict])
    },
    exact(425, &[]),
    exact(426, &[]),
    exact(429, &[Category::RateLimit]),
    exact(431, &[]),
    vague(400, 499, Confidence::Default, CALLER),
    vague(500, 500, Confidence::Structural, SERVER),
    exact(501, &[]),
    exact(502, SERVER),
    exact(503, SERVER),
    exact(504, SERVER),
    vague(500, 599, Confidence::Default, SERVER),
];

/// No status of a failure: whatever the rest says.
const OUTSIDE: StatusRange = StatusRange {
    from: 0,
    to: u16::MAX,
    confidence: Confidence::Default,
    vague: true,
    retry: None,
    may: Category::ALL,
};

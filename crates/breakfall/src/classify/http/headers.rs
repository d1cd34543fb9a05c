//! What the headers of a failure say: how long to wait, which limit was hit, the id the other side knows it by.

use std::time::Duration;

use jiff::Timestamp;

use crate::catalog::codes;
use crate::classify::excerpt;
use crate::classify::moment::{moment, number, wait};
use crate::code::Code;
use crate::fault::{CorrelationId, Window};

use HeaderKind::{
    Challenge, ContentType, ErrorName, Fields, Limit, Policy, Remaining, RequestId, Reset, Wait,
    WaitMillis,
};
use QuotaUnit::{Calls, Requests, Tokens};

/// What the response headers say about the failure.
#[derive(Debug, Default)]
pub(super) struct HeaderReading {
    /// The wait that a header asks for explicitly.
    pub(super) wait: Option<Duration>,
    /// The limit that seems to have been hit.
    pub(super) limit: QuotaLimit,
    pub(super) window: Option<Window>,
    /// The id the other side knows the call by.
    pub(super) request_id: Option<String>,
    /// The way it wants the caller to authenticate.
    pub(super) scheme: Option<String>,
    /// What it says is wrong with the credentials.
    pub(super) challenge: Option<Code>,
    pub(super) content_type: Option<String>,
    /// The name the API has for the error.
    pub(super) error_name: Option<String>,
}

/// One limit: the calls it allows, the calls left, and when it resets.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct QuotaLimit {
    pub(super) calls: Option<u64>,
    pub(super) remaining: Option<u64>,
    pub(super) resets_at: Option<Timestamp>,
}

impl QuotaLimit {
    fn is_spent(&self) -> bool {
        self.remaining == Some(0)
    }

    /// Facts of the other one where this has none.
    fn or(self, other: Self) -> Self {
        Self {
            calls: self.calls.or(other.calls),
            remaining: self.remaining.or(other.remaining),
            resets_at: self.resets_at.or(other.resets_at),
        }
    }
}

/// Reads headers in one pass. Values that are not plain ASCII, or longer than any such value, are not believed.
pub(super) fn read<'a>(
    headers: impl Iterator<Item = (&'a str, &'a [u8])>,
    now: Timestamp,
) -> HeaderReading {
    let mut heads = HeaderReading::default();
    let mut limits = [QuotaLimit::default(); 3];
    for (name, value) in headers {
        let Some(fact) = fact(name) else { continue };
        let Some(value) = plain(value) else { continue };
        match fact {
            HeaderKind::Wait => heads.wait = heads.wait.or_else(|| wait(value, now)),
            HeaderKind::WaitMillis => heads.wait = millis(value).or(heads.wait),
            HeaderKind::Limit(of) => set(&mut limits[of as usize].calls, count(value)),
            HeaderKind::Remaining(of) => set(&mut limits[of as usize].remaining, count(value)),
            HeaderKind::Reset(of) => set(&mut limits[of as usize].resets_at, moment(value, now)),
            HeaderKind::Fields => {
                let stated = fields(value, now);
                limits[QuotaUnit::Calls as usize] = stated.or(limits[QuotaUnit::Calls as usize]);
            }
            HeaderKind::Policy => policy(
                value,
                &mut limits[QuotaUnit::Calls as usize],
                &mut heads.window,
            ),
            HeaderKind::RequestId => set(&mut heads.request_id, id(value)),
            HeaderKind::Challenge => challenge(value, &mut heads),
            HeaderKind::ContentType => set(&mut heads.content_type, media_type(value)),
            HeaderKind::ErrorName => set(&mut heads.error_name, error_name(value)),
        }
    }
    heads.limit = hit(limits);
    heads
}

/// The limit that was hit: the one that is spent, or the one that takes longest to come back.
fn hit(limits: [QuotaLimit; 3]) -> QuotaLimit {
    let latest = |spent: bool| {
        let fit = move |limit: &QuotaLimit| limit.is_spent() || !spent;
        let told = |limit: &QuotaLimit| *limit != QuotaLimit::default();
        let fitting = limits.into_iter().filter(fit).filter(told);
        // The first of equals, since the general limit stands first.
        fitting.reduce(|a, b| if b.resets_at > a.resets_at { b } else { a })
    };
    latest(true).or_else(|| latest(false)).unwrap_or_default()
}

fn set<T>(place: &mut Option<T>, value: Option<T>) {
    if place.is_none() {
        *place = value;
    }
}

/// The meaning of a header.
#[derive(Debug, Clone, Copy, PartialEq)]
enum HeaderKind {
    Wait,
    WaitMillis,
    Limit(QuotaUnit),
    Remaining(QuotaUnit),
    Reset(QuotaUnit),
    /// `RateLimit`: everything in one.
    Fields,
    /// `RateLimit-Policy`: limit and window.
    Policy,
    RequestId,
    Challenge,
    ContentType,
    ErrorName,
}

/// The unit that a limit counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum QuotaUnit {
    Calls = 0,
    Requests = 1,
    Tokens = 2,
}

fn fact(name: &str) -> Option<HeaderKind> {
    // Most headers of an answer are about something else, and most of those are told by their length.
    let known = HEADERS
        .iter()
        .find(|(have, ..)| have.eq_ignore_ascii_case(name));
    known.map(|(_, fact, _)| *fact)
}

/// Every header that is understood, with a value as it is sent.
#[rustfmt::skip]
const HEADERS: &[(&str, HeaderKind, &str)] = &[
    ("retry-after", Wait, "120"),
    ("x-retry-after", Wait, "Sun, 06 Nov 2044 08:49:37 GMT"),
    ("x-ratelimit-reset-after", Wait, "64.57"),
    ("x-ratelimit-retry-after", Wait, "30"),
    ("retry-after-ms", WaitMillis, "1500"),
    ("x-ms-retry-after-ms", WaitMillis, "25"),
    ("ratelimit", Fields, "\"default\";r=0;t=50"),
    ("ratelimit-policy", Policy, "\"default\";q=100;w=60"),
    ("ratelimit-limit", Limit(Calls), "100, 100;w=60"),
    ("ratelimit-remaining", Remaining(Calls), "0"),
    ("ratelimit-reset", Reset(Calls), "50"),
    ("x-ratelimit-limit", Limit(Calls), "60"),
    ("x-ratelimit-remaining", Remaining(Calls), "0"),
    ("x-ratelimit-reset", Reset(Calls), "2372700000"),
    ("x-rate-limit-limit", Limit(Calls), "900"),
    ("x-rate-limit-remaining", Remaining(Calls), "0"),
    ("x-rate-limit-reset", Reset(Calls), "2372700000"),
    ("x-ratelimit-limit-requests", Limit(Requests), "60"),
    ("x-ratelimit-remaining-requests", Remaining(Requests), "0"),
    ("x-ratelimit-reset-requests", Reset(Requests), "1m30s"),
    ("x-ratelimit-limit-tokens", Limit(Tokens), "150000"),
    ("x-ratelimit-remaining-tokens", Remaining(Tokens), "0"),
    ("x-ratelimit-reset-tokens", Reset(Tokens), "6m0s"),
    ("anthropic-ratelimit-requests-limit", Limit(Requests), "50"),
    ("anthropic-ratelimit-requests-remaining", Remaining(Requests), "0"),
    ("anthropic-ratelimit-requests-reset", Reset(Requests), "2044-01-28T12:01:00Z"),
    ("anthropic-ratelimit-tokens-limit", Limit(Tokens), "40000"),
    ("anthropic-ratelimit-tokens-remaining", Remaining(Tokens), "0"),
    ("anthropic-ratelimit-tokens-reset", Reset(Tokens), "2044-01-28T12:01:00Z"),
    ("x-request-id", RequestId, "req_7"),
    ("x-correlation-id", RequestId, "0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11"),
    ("request-id", RequestId, "req_7"),
    ("x-amzn-requestid", RequestId, "b25f48e8-84fd"),
    ("x-github-request-id", RequestId, "E9D8:1F3A:77:9C:65"),
    ("cf-ray", RequestId, "7d4f0a1b2c3d4e5f-FRA"),
    ("www-authenticate", Challenge, "Bearer realm=\"x\", error=\"invalid_token\""),
    ("x-amzn-errortype", ErrorName, "ThrottlingException:http://internal.amazon.com/coral/com.amazon.coral.service/"),
    ("x-ms-error-code", ErrorName, "ServerBusy"),
    ("content-type", ContentType, "text/html; charset=utf-8"),
];

/// A value of visible ASCII and no more of it than such values have.
fn plain(value: &[u8]) -> Option<&str> {
    let visible = |b: &u8| b.is_ascii_graphic() || *b == b' ' || *b == b'\t';
    let fits = value.len() <= LONGEST && value.iter().all(visible);
    std::str::from_utf8(value).ok().filter(|_| fits)
}

const LONGEST: usize = 1024;

fn millis(value: &str) -> Option<Duration> {
    let wait = Duration::try_from_secs_f64(number(value.trim())? / 1000.0).ok()?;
    (!wait.is_zero()).then_some(wait)
}

/// The number a value starts with: some list the windows after it.
fn count(value: &str) -> Option<u64> {
    let value = value.trim();
    let end = value.find([',', ';', ' ']).unwrap_or(value.len());
    value[..end].parse().ok()
}

fn id(value: &str) -> Option<String> {
    let id = CorrelationId::new(value.trim()).ok()?;
    Some(id.as_str().to_owned())
}

fn media_type(value: &str) -> Option<String> {
    let bare = value.split(';').next().unwrap_or_default().trim();
    (!bare.is_empty()).then(|| bare.to_ascii_lowercase())
}

/// The name before the address of its namespace.
fn error_name(value: &str) -> Option<String> {
    let name = value.split(':').next().unwrap_or_default().trim();
    excerpt::line(name, excerpt::NAME)
}

/// Of a challenge only the scheme is kept. What it says about the credentials tells refused from expired.
fn challenge(value: &str, heads: &mut HeaderReading) {
    let token = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let end = value.bytes().take_while(token).count();
    if (1..=32).contains(&end) {
        set(&mut heads.scheme, Some(value[..end].to_owned()));
    }
    if value.contains("invalid_token") {
        let expired = value.to_ascii_lowercase().contains("expired");
        heads.challenge = Some(if expired {
            codes::AUTHENTICATION_EXPIRED
        } else {
            codes::AUTHENTICATION_INVALID_CREDENTIALS
        });
    }
}

/// `"default";r=0;t=50` of the current draft, `limit=100, remaining=0, reset=50` of earlier ones.
fn fields(value: &str, now: Timestamp) -> QuotaLimit {
    let mut named = [QuotaLimit::default(); 3];
    let mut older = QuotaLimit::default();
    for (at, member) in split(value, ',').enumerate() {
        let mut one = QuotaLimit::default();
        for part in split(member, ';') {
            match part.split_once('=').map(|(key, value)| (key.trim(), value)) {
                Some(("r", value)) => one.remaining = count(value),
                Some(("t", value)) => one.resets_at = moment(value, now),
                Some(("q", value)) => one.calls = count(value),
                Some(("limit", value)) => older.calls = count(value),
                Some(("remaining", value)) => older.remaining = count(value),
                Some(("reset", value)) => older.resets_at = moment(value, now),
                _ => {}
            }
        }
        if let Some(place) = named.get_mut(at) {
            *place = one;
        }
    }
    hit(named).or(older)
}

/// `"default";q=100;w=60`, `100;w=60`. Of several policies the first is taken.
fn policy(value: &str, limit: &mut QuotaLimit, window: &mut Option<Window>) {
    let Some(first) = split(value, ',').next() else {
        return;
    };
    for (at, part) in split(first, ';').enumerate() {
        match part.split_once('=').map(|(key, value)| (key.trim(), value)) {
            Some(("q", value)) => set(&mut limit.calls, count(value)),
            Some(("w", value)) => set(window, count(value).and_then(window_of)),
            None if at == 0 => set(&mut limit.calls, count(part)),
            Some(_) | None => {}
        }
    }
}

fn window_of(seconds: u64) -> Option<Window> {
    match seconds {
        1 => Some(Window::Second),
        60 => Some(Window::Minute),
        3600 => Some(Window::Hour),
        86_400 => Some(Window::Day),
        _ => None,
    }
}

/// Splits outside of quotes.
fn split(text: &str, at: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == at && !quoted
    })
    .map(str::trim)
}

#[cfg(test)]
mod tests;

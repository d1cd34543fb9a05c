//! The headers of a request: content type, accepted answers, headers of the protocol.

use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, StatusCode};

use breakfall::Fault;
use breakfall::wire::Rpc;

use super::refusal::{HttpRefusal, JSON};
use crate::protocol::Version;

/// Checks the headers of a POST. The form of the answer is not known yet, so the client must accept both.
pub(super) fn check_post(headers: &HeaderMap) -> Result<(), HttpRefusal> {
    if !is_json(headers) {
        let fault = Fault::invalid("The body is not declared as 'application/json'").remediation(
            "Send one JSON-RPC message as UTF-8 with 'Content-Type: application/json' and no 'Content-Encoding'.",
        );
        return Err(HttpRefusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Rpc::InvalidRequest,
            fault,
        ));
    }
    // The fast path: what SDKs send.
    if headers
        .get(ACCEPT)
        .is_some_and(|accept| accept == USUAL_ACCEPT)
        || accepts(headers, JSON) && accepts(headers, EVENTS)
    {
        return Ok(());
    }
    Err(unacceptable(
        "Send 'Accept: application/json, text/event-stream'; the method was not called.",
    ))
}

const USUAL_ACCEPT: &str = "application/json, text/event-stream";

/// Checks the headers of a GET.
pub(super) fn check_get(headers: &HeaderMap) -> Result<(), HttpRefusal> {
    if accepts(headers, EVENTS) {
        return Ok(());
    }
    Err(unacceptable("Send 'Accept: text/event-stream'."))
}

fn unacceptable(remedy: &'static str) -> HttpRefusal {
    let what = "The request does not accept every form an answer may take";
    let fault = Fault::invalid(what).remediation(remedy);
    HttpRefusal::new(StatusCode::NOT_ACCEPTABLE, Rpc::InvalidRequest, fault)
}

/// The value of a header that may appear once: a proxy might use another of several.
pub(super) fn single<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, HttpRefusal> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let refused = |what: String| match name {
        // These do not repeat anything of the body.
        name if *name == SESSION_ID || *name == LAST_EVENT_ID => {
            HttpRefusal::bad(what, "Send it once, as it was given to you.")
        }
        _ => HttpRefusal::mismatch(what),
    };
    let shown = display_name(name);
    if values.next().is_some() {
        return Err(refused(format!("There are two of the header '{shown}'")));
    }
    let text = value.to_str().map(str::trim);
    let text = text.map_err(|_| refused(format!("The header '{shown}' is no plain text")));
    text.map(Some)
}

/// The name of a header as the specification writes it.
pub(super) fn display_name(name: &HeaderName) -> String {
    let parts = name.as_str().split('-').map(|part| {
        // The specification writes `MCP-Protocol-Version`, but `Mcp-Session-Id`.
        if part == "mcp" && *name == PROTOCOL_VERSION {
            return "MCP".to_owned();
        }
        let (first, rest) = part.split_at_checked(1).unwrap_or((part, ""));
        first.to_ascii_uppercase() + rest
    });
    parts.collect::<Vec<_>>().join("-")
}

/// Refuses transfer codings other than `chunked`.
pub(super) fn check_transfer(headers: &HeaderMap) -> Result<(), HttpRefusal> {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked")) {
        return Ok(());
    }
    let fault = Fault::invalid("This transfer coding is not supported").remediation(
        "Send it with 'Content-Length', or with 'Transfer-Encoding: chunked' and nothing else.",
    );
    let refused = HttpRefusal::new(StatusCode::NOT_IMPLEMENTED, Rpc::InvalidRequest, fault);
    Err(refused.closing())
}

fn is_json(headers: &HeaderMap) -> bool {
    if headers.contains_key(CONTENT_ENCODING) {
        return false;
    }
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(first), None) = (types.next(), types.next()) else {
        return false;
    };
    if first == JSON {
        return true;
    }
    let Ok(text) = first.to_str() else {
        return false;
    };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts
        .next()
        .is_some_and(|kind| kind.eq_ignore_ascii_case(JSON));
    is_json && parts.all(|parameter| !is_other_charset(parameter))
}

fn is_other_charset(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return false;
    };
    let is_utf8 = value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8");
    name.trim().eq_ignore_ascii_case("charset") && !is_utf8
}

/// Whether `Accept` includes a media type, by name or by a wildcard.
fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let group = wanted.split_once('/').map_or(wanted, |(group, _)| group);
    let values = headers.get_all(ACCEPT).iter();
    let mut ranges = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    ranges.any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let is_meant = kind.eq_ignore_ascii_case(wanted)
            || kind == "*/*"
            || kind
                .strip_suffix("/*")
                .is_some_and(|kind| kind.eq_ignore_ascii_case(group));
        is_meant && !parts.any(excludes)
    })
}

/// Whether the client prefers a stream to JSON: it has the higher weight, or comes first.
pub(super) fn prefers_events(headers: &HeaderMap) -> bool {
    let Some(accept) = headers.get(ACCEPT).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    // The fast path: what SDKs send.
    if accept.starts_with(JSON) && !accept.contains(';') {
        return false;
    }
    let weight = |wanted: &str| {
        let mut ranges = accept
            .split(',')
            .map(|range| range.split(';').map(str::trim));
        ranges.find_map(|mut range| {
            let is_it = range
                .next()
                .is_some_and(|kind| kind.eq_ignore_ascii_case(wanted));
            let weight = range.find_map(|parameter| parameter.strip_prefix("q="));
            let weight = weight.and_then(|weight| weight.parse::<f32>().ok());
            is_it.then(|| weight.unwrap_or(1.0))
        })
    };
    let lower = accept.to_ascii_lowercase();
    match (weight(EVENTS), weight(JSON)) {
        (Some(events), Some(json)) if events < json => false,
        (Some(events), Some(json)) if events > json => true,
        (Some(_), Some(_)) => lower.find(EVENTS) < lower.find(JSON),
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// Whether a parameter excludes its media type: `q=0`.
fn excludes(parameter: &str) -> bool {
    let weight = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="));
    weight.is_some_and(|weight| weight.parse() == Ok(0.0_f32))
}

/// The protocol version a request names.
pub(super) fn version(headers: &HeaderMap) -> Option<Version> {
    headers
        .get(PROTOCOL_VERSION)?
        .to_str()
        .ok()
        .and_then(Version::of)
}

pub(super) const EVENTS: &str = "text/event-stream";
pub(super) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

#[cfg(test)]
mod tests {
    use super::*;

    fn post(accept: &[&str], kind: &str) -> u16 {
        let mut headers = HeaderMap::new();
        for accept in accept {
            headers.append(ACCEPT, accept.parse().expect("a value"));
        }
        headers.insert(CONTENT_TYPE, kind.parse().expect("a value"));
        check_post(&headers).map_or_else(|refused| refused.status().as_u16(), |()| 200)
    }

    #[test]
    fn a_post_must_accept_json_and_events() {
        let cases: [(&[&str], u16); 12] = [
            (&["application/json, text/event-stream"], 200),
            (&["text/event-stream,application/json"], 200),
            (&["application/json", "text/event-stream"], 200),
            (&["Application/JSON;q=0.9 , Text/Event-Stream; q=0.1"], 200),
            (&["*/*"], 200),
            (&["application/*, text/*;q=0.5"], 200),
            (&[], 406),
            (&["application/json"], 406),
            (&["text/event-stream"], 406),
            (&["application/json, text/event-stream;q=0"], 406),
            (&["application/jsonx, text/event-streams"], 406),
            (&["text/html"], 406),
        ];
        for (accept, want) in cases {
            assert_eq!(post(accept, JSON), want, "{accept:?}");
        }
    }

    #[test]
    fn a_stream_is_preferred_by_weight_and_then_by_order() {
        let cases = [
            ("application/json, text/event-stream", false),
            ("text/event-stream, application/json", true),
            ("Text/Event-Stream,*/*", true),
            ("application/json;q=0.5, text/event-stream;q=0.9", true),
            ("text/event-stream;q=0.5, application/json", false),
            ("application/json;q=0.5, text/event-stream", true),
            ("*/*", false),
        ];
        for (accept, want) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, accept.parse().expect("a value"));
            assert_eq!(prefers_events(&headers), want, "{accept}");
        }
    }

    #[test]
    fn a_body_must_be_declared_as_json_in_utf8() {
        let both = ["application/json, text/event-stream"];
        let cases = [
            ("application/json", 200),
            ("Application/Json; charset=UTF-8", 200),
            ("application/json;charset=\"utf-8\";x=y", 200),
            ("application/json; charset=latin1", 415),
            ("application/jsonp", 415),
            ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
            ("", 415),
        ];
        for (kind, want) in cases {
            assert_eq!(post(&both, kind), want, "{kind}");
        }
        let mut zipped = HeaderMap::new();
        zipped.insert(CONTENT_TYPE, JSON.parse().expect("a value"));
        zipped.insert(CONTENT_ENCODING, "gzip".parse().expect("a value"));
        assert_eq!(check_post(&zipped).expect_err("compressed").status(), 415);
    }
}

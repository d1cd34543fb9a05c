//! Redirects, followed only within the same server: a request may carry secrets.

use http::header::LOCATION;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderMap, Method, StatusCode, Uri};

/// Why a redirect is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectError {
    /// It leads to another server, or to the same one over another protocol.
    Elsewhere,
    /// It asks for a GET there, which is not how MCP works; the request may have been executed.
    Fetch,
    /// It has no usable `Location`.
    Nowhere,
    /// There were too many.
    Loop,
    /// The message is too big to be kept until the response.
    TooBig,
}

/// Where to send a request again; nothing without a redirect. Only 307 and 308 say that the request was not executed and
/// is to be sent unchanged. Browsers follow the others with a GET, and many servers use them for a request that is done.
pub(super) fn next(
    from: &Uri,
    method: &Method,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Uri>, RedirectError> {
    match status.as_u16() {
        307 | 308 => {}
        301 | 302 if method == Method::GET => {}
        301..=303 => return Err(RedirectError::Fetch),
        _ => return Ok(None),
    }
    let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let location = location.filter(|to| !to.is_empty());
    let location = location.ok_or(RedirectError::Nowhere)?;
    resolve(from, location).map(Some)
}

fn resolve(from: &Uri, location: &str) -> Result<Uri, RedirectError> {
    let location = location.split('#').next().unwrap_or_default();
    let scheme = from.scheme_str().unwrap_or_default();
    let whole = match location.strip_prefix("//") {
        Some(rest) => Some(format!("{scheme}://{rest}")),
        None => is_whole(location).then(|| location.to_owned()),
    };
    let Some(whole) = whole else {
        return at(from, &path(from, location));
    };
    let to: Uri = whole.parse().map_err(|_| RedirectError::Nowhere)?;
    if !is_same(from, &to) {
        return Err(RedirectError::Elsewhere);
    }
    at(from, to.path_and_query().map_or("/", PathAndQuery::as_str))
}

/// Whether a location begins with a scheme.
fn is_whole(location: &str) -> bool {
    let scheme = location.split(['/', '?']).next().unwrap_or_default();
    scheme.contains(':')
}

fn path(from: &Uri, location: &str) -> String {
    if location.starts_with('/') {
        return location.to_owned();
    }
    let here = from.path();
    if location.starts_with('?') {
        return format!("{here}{location}");
    }
    let folder = here.rfind('/').map_or("/", |at| &here[..=at]);
    format!("{folder}{location}")
}

fn at(from: &Uri, path: &str) -> Result<Uri, RedirectError> {
    let mut parts = from.clone().into_parts();
    parts.path_and_query = Some(path.parse().map_err(|_| RedirectError::Nowhere)?);
    Uri::from_parts(parts).map_err(|_| RedirectError::Nowhere)
}

fn is_same(from: &Uri, to: &Uri) -> bool {
    let host = |uri: &Uri| uri.host().map(str::to_ascii_lowercase);
    let has_credentials = to.authority().map(Authority::as_str);
    let has_credentials = has_credentials.is_some_and(|text| text.contains('@'));
    from.scheme() == to.scheme()
        && host(from) == host(to)
        && port(from) == port(to)
        && !has_credentials
}

fn port(uri: &Uri) -> Option<u16> {
    let usual = if uri.scheme() == Some(&Scheme::HTTPS) {
        443
    } else {
        80
    };
    uri.port_u16().or(Some(usual))
}

pub(super) const MAX_REDIRECTS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    fn to(from: &str, status: u16, location: &str) -> Result<Option<String>, RedirectError> {
        by(&Method::POST, from, status, location)
    }

    fn by(
        method: &Method,
        from: &str,
        status: u16,
        location: &str,
    ) -> Result<Option<String>, RedirectError> {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, location.parse().expect("a header"));
        let from = from.parse().expect("a URI");
        let status = StatusCode::from_u16(status).expect("a status");
        Ok(next(&from, method, status, &headers)?.map(|uri| uri.to_string()))
    }

    #[test]
    fn a_redirect_is_followed_only_at_the_same_server() {
        let from = "https://example.test/a/mcp?x=1";
        let good = [
            ("/b", "https://example.test/b"),
            ("b/", "https://example.test/a/b/"),
            ("?y", "https://example.test/a/mcp?y"),
            ("https://EXAMPLE.test:443/c?d#e", "https://example.test/c?d"),
            ("//example.test/c", "https://example.test/c"),
            ("https://example.test", "https://example.test/"),
        ];
        for (location, want) in good {
            assert_eq!(
                to(from, 308, location),
                Ok(Some(want.to_owned())),
                "{location}"
            );
        }
        let bad = [
            "http://example.test/b",
            "https://example.test:8443/b",
            "https://other.test/b",
            "//other.test/b",
            "https://a:b@example.test/b",
            "https://example.test.other.test/",
        ];
        for location in bad {
            assert_eq!(
                to(from, 307, location),
                Err(RedirectError::Elsewhere),
                "{location}"
            );
        }
        for location in ["https://", "javascript:alert(1)", "https://[", "/\u{e9}"] {
            let to = to(from, 308, location);
            assert!(
                matches!(to, Err(RedirectError::Nowhere | RedirectError::Elsewhere)),
                "{location}: {to:?}"
            );
        }
    }

    #[test]
    fn a_status_without_a_redirect_leads_nowhere() {
        for status in [200, 304, 400, 500] {
            assert_eq!(to("http://a.test/", status, "/b"), Ok(None), "{status}");
        }
        let from = "http://a.test/".parse().expect("a URI");
        let status = StatusCode::TEMPORARY_REDIRECT;
        let none = next(&from, &Method::POST, status, &HeaderMap::new());
        assert_eq!(none, Err(RedirectError::Nowhere));
    }

    #[test]
    fn a_request_that_may_have_been_executed_is_not_sent_again() {
        for status in [301, 302, 303] {
            let from = "http://a.test/";
            assert_eq!(
                to(from, status, "/b"),
                Err(RedirectError::Fetch),
                "{status}"
            );
            let fetched = by(&Method::GET, from, status, "/b");
            let is_followed = fetched == Ok(Some("http://a.test/b".to_owned()));
            assert_eq!(is_followed, status != 303, "{status}");
        }
    }
}

//! The checks of `Host` and `Origin`: a web page must not reach a gateway on its visitor's machine, neither by a name
//! that resolves to it (DNS rebinding) nor from another site.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Uri};

use super::refusal::{HttpRefusal, shorten};
use super::settings::Settings;

/// The names in `Host` and the origins that are accepted.
#[derive(Debug, Clone, Default)]
pub(super) struct OriginPolicy {
    /// Whether it listens on loopback, where a foreign name is a sign of DNS rebinding.
    is_loopback: bool,
    /// Names the operator has added, with or without a port.
    hosts: Vec<Box<str>>,
    /// Origins the operator has added: scheme, host and port as browsers write them, or `null`.
    origins: Vec<Box<str>>,
    /// The values of `Host` of nearly every request, which need no parsing.
    usual_hosts: [Box<str>; 2],
}

impl OriginPolicy {
    /// The policy of a server at an address.
    pub(super) fn for_server(address: SocketAddr, settings: &Settings) -> Self {
        Self::new(address, &settings.hosts, &settings.origins)
    }

    pub(super) fn new(
        listening: SocketAddr,
        hosts: impl IntoIterator<Item = impl AsRef<str>>,
        origins: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        let lower = |text: &str| {
            text.trim()
                .trim_end_matches('/')
                .to_ascii_lowercase()
                .into()
        };
        Self {
            is_loopback: listening.ip().is_loopback(),
            hosts: hosts.into_iter().map(|host| lower(host.as_ref())).collect(),
            origins: origins
                .into_iter()
                .map(|site| lower(site.as_ref()))
                .collect(),
            usual_hosts: ["127.0.0.1", "localhost"]
                .map(|name| format!("{name}:{}", listening.port()).into()),
        }
    }

    /// Checks `Host` and `Origin`.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), HttpRefusal> {
        if uri.authority().is_none() && self.is_usual(headers) {
            return Ok(());
        }
        let host = host_of(uri, headers)?;
        if !self.accepts_host(&host) {
            return Err(HttpRefusal::forbidden(
                "This gateway is not known under the name in 'Host'",
                "Call it as 'localhost' or '127.0.0.1', or let its operator add the name to 'hosts'.",
            ));
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Ok(()),
            (Some(origin), None) if self.accepts_origin(origin, &host) => Ok(()),
            // A proxy might check one of them, and the gateway the other.
            (Some(_), Some(_)) => Err(HttpRefusal::bad(
                "There are two of the header 'Origin'",
                "Send 'Origin' once, as browsers do, or not at all.",
            )),
            (Some(_), None) => Err(HttpRefusal::forbidden(
                "Pages of the site in 'Origin' may not call this gateway",
                "Call it from a program, or let its operator add the site to 'origins'.",
            )),
        }
    }

    /// The only origin of a request, if the operator has added it.
    pub(super) fn allowed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut sites = headers.get_all(ORIGIN).iter();
        let (Some(site), None) = (sites.next(), sites.next()) else {
            return None;
        };
        let name = site.to_str().ok()?.trim().to_ascii_lowercase();
        let is_named = self.origins.iter().any(|known| **known == *name);
        is_named.then(|| site.clone())
    }

    fn is_usual(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return false;
        };
        let mut usual = self.usual_hosts.iter();
        usual.any(|usual| usual.as_bytes() == host.as_bytes()) && !headers.contains_key(ORIGIN)
    }

    fn accepts_host(&self, host: &RequestHost<'_>) -> bool {
        match host.kind {
            _ if self.is_listed(host) => true,
            HostKind::Loopback => true,
            // DNS rebinding needs a name.
            HostKind::Address => !self.is_loopback,
            HostKind::Other => !self.is_loopback && self.hosts.is_empty(),
        }
    }

    fn is_listed(&self, host: &RequestHost<'_>) -> bool {
        let name = host.text.as_str().to_ascii_lowercase();
        let bare = host.text.host().to_ascii_lowercase();
        self.hosts
            .iter()
            .any(|known| **known == *name || **known == *bare)
    }

    fn accepts_origin(&self, origin: &HeaderValue, host: &RequestHost<'_>) -> bool {
        let Ok(origin) = origin.to_str() else {
            return false;
        };
        let origin = origin.trim().to_ascii_lowercase();
        if self.origins.iter().any(|known| **known == *origin) {
            return true;
        }
        let Some((scheme, rest)) = origin.split_once("://") else {
            return false;
        };
        let (true, Ok(site)) = (
            matches!(scheme, "http" | "https"),
            rest.parse::<Authority>(),
        ) else {
            return false;
        };
        match HostKind::of(site.host()) {
            // A page served by this machine.
            HostKind::Loopback => self.is_loopback,
            // A page of the gateway itself; a name must be listed, since any name can resolve to it.
            HostKind::Address => site == *host.text,
            HostKind::Other => site == *host.text && self.is_listed(host),
        }
    }
}

/// The host a request names.
struct RequestHost<'a> {
    text: Cow<'a, Authority>,
    kind: HostKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostKind {
    Loopback,
    Address,
    Other,
}

impl HostKind {
    fn of(host: &str) -> Self {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) if address.is_loopback() => Self::Loopback,
            Ok(IpAddr::V6(address)) if is_loopback(address) => Self::Loopback,
            Ok(_) => Self::Address,
            Err(_) if bare.eq_ignore_ascii_case("localhost") => Self::Loopback,
            Err(_) => Self::Other,
        }
    }
}

fn is_loopback(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address
            .to_ipv4_mapped()
            .is_some_and(|v4: Ipv4Addr| v4.is_loopback())
}

/// From `Host`, or in HTTP/2 from the request target.
fn host_of<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Result<RequestHost<'a>, HttpRefusal> {
    let mut given = headers.get_all(HOST).iter();
    let text = match (given.next(), given.next()) {
        (Some(_), Some(_)) => return Err(bad_host("There are two of the header 'Host'")),
        (Some(host), None) => {
            let host = host.to_str().ok().and_then(|host| host.parse().ok());
            let host: Authority =
                host.ok_or_else(|| bad_host("The header 'Host' is no name of a host"))?;
            // A proxy might use one of them, and the gateway the other.
            if uri.authority().is_some_and(|target| *target != host) {
                return Err(bad_host(
                    "The header 'Host' says something else than the address of the request",
                ));
            }
            Cow::Owned(host)
        }
        (None, _) => match uri.authority() {
            Some(authority) => Cow::Borrowed(authority),
            None => return Err(bad_host("The header 'Host' is missing")),
        },
    };
    let kind = HostKind::of(text.host());
    Ok(RequestHost { text, kind })
}

fn bad_host(what: &str) -> HttpRefusal {
    HttpRefusal::bad(
        shorten(what),
        "Send 'Host' once, with the name and port you connected to.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a value"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a value"));
        }
        headers
    }

    fn status(gate: &OriginPolicy, host: &str, origin: Option<&str>) -> u16 {
        let checked = gate.check(&Uri::from_static("/mcp"), &request(host, origin));
        checked.map_or_else(|refused| refused.status().as_u16(), |()| 200)
    }

    const LOCAL: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7332);
    const WIDE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 7332);

    #[test]
    fn on_loopback_only_names_of_this_machine_and_configured_names_are_accepted() {
        let gate = OriginPolicy::new(
            LOCAL,
            ["Tools.example:8443", "box.example"],
            ["https://app.example"],
        );
        let cases = [
            ("localhost", None, 200),
            ("LOCALHOST:7332", None, 200),
            ("127.0.0.1:7332", None, 200),
            ("127.8.8.8", None, 200),
            ("[::1]:7332", None, 200),
            ("[::ffff:127.0.0.1]", None, 200),
            ("evil.example", None, 403),
            ("localhost.evil.example", None, 403),
            ("127.0.0.1.evil.example:7332", None, 403),
            ("192.168.1.7", None, 403),
            ("[::2]", None, 403),
            ("0.0.0.0:7332", None, 403),
            ("tools.example:8443", None, 200),
            ("tools.example:8444", None, 403),
            ("box.example", None, 200),
            ("box.example:1", None, 200),
            ("two words", None, 400),
            ("", None, 400),
            ("localhost", Some("http://localhost:3000"), 200),
            ("localhost", Some("https://127.0.0.1"), 200),
            ("localhost", Some("http://[::1]:9"), 200),
            ("localhost", Some("https://app.example"), 200),
            ("localhost", Some("HTTPS://APP.example"), 200),
            ("localhost", Some("http://app.example"), 403),
            ("localhost", Some("https://app.example:444"), 403),
            ("localhost", Some("http://evil.example"), 403),
            ("localhost", Some("http://localhost.evil.example"), 403),
            ("localhost", Some("http://localhost@evil.example"), 403),
            ("localhost", Some("null"), 403),
            ("localhost", Some(""), 403),
            ("localhost", Some("file://"), 403),
            ("localhost", Some("chrome-extension://localhost"), 403),
            ("box.example", Some("https://box.example"), 200),
            ("box.example", Some("https://evil.example"), 403),
            ("evil.example", Some("http://evil.example"), 403),
        ];
        for (host, origin, want) in cases {
            assert_eq!(status(&gate, host, origin), want, "{host} {origin:?}");
        }
    }

    #[test]
    fn elsewhere_any_host_is_accepted_until_some_are_configured_but_no_origin_is_trusted_by_name() {
        let nameless: [&str; 0] = [];
        let open = OriginPolicy::new(WIDE, nameless, nameless);
        let named = OriginPolicy::new(WIDE, ["gate.example"], ["null"]);
        let cases = [
            ("gate.example", None, 200, 200),
            ("evil.example", None, 200, 403),
            ("10.0.0.7:7332", None, 200, 200),
            ("10.0.0.7:7332", Some("http://10.0.0.7:7332"), 200, 200),
            ("10.0.0.7:7332", Some("http://10.0.0.7:80"), 403, 403),
            ("evil.example", Some("http://evil.example"), 403, 403),
            ("gate.example", Some("http://gate.example"), 403, 200),
            ("gate.example", Some("http://localhost:3000"), 403, 403),
            ("gate.example", Some("null"), 403, 200),
        ];
        for (host, origin, open_to, named_to) in cases {
            assert_eq!(status(&open, host, origin), open_to, "{host} {origin:?}");
            assert_eq!(status(&named, host, origin), named_to, "{host} {origin:?}");
        }
    }

    #[test]
    fn a_request_names_one_host() {
        let gate = OriginPolicy::new(LOCAL, ["x"], ["y"]);
        let refused = |uri: &'static str, headers: &HeaderMap| {
            gate.check(&Uri::from_static(uri), headers).is_err()
        };
        assert!(refused("/mcp", &HeaderMap::new()));
        assert!(!refused("http://localhost/mcp", &HeaderMap::new()));
        let usual = request("localhost:7332", None);
        assert!(!refused("http://LOCALHOST:7332/mcp", &usual));
        assert!(refused("http://localhost/mcp", &usual));
        assert!(refused("http://evil.example/mcp", &usual));
        let mut twice = request("localhost", None);
        twice.append(HOST, HeaderValue::from_static("localhost"));
        assert!(refused("/mcp", &twice));
        let mut odd = HeaderMap::new();
        odd.insert(
            HOST,
            HeaderValue::from_bytes(b"local\xff").expect("a value"),
        );
        assert!(refused("/mcp", &odd));
    }
}

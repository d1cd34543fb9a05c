//! Addresses: where the gateway listens, where its state is, URLs of servers, hosts and origins of clients.

use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv6Addr};
use std::path::PathBuf;
use std::str::FromStr;

use breakfall_mcp::process::MaskedWord;
use serde_json::json;

use super::kinds::{defaulting, mapped, scalar, text};
use super::setting::Kind;

/// The address clients reach the gateway at.
///
/// ```
/// use breakfall_gateway::config::ListenAddress;
///
/// assert_eq!(ListenAddress::default().to_string(), "127.0.0.1:7332");
/// assert!(ListenAddress::default().is_loopback());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListenAddress {
    /// A name or an address; one of IPv6 has no brackets.
    pub host: String,
    /// The port; 0 lets the system choose.
    pub port: u16,
}

impl ListenAddress {
    /// Whether only this machine reaches it.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.host)
    }

    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let Some((host, port)) = text.rsplit_once(':') else {
            let port = text.parse::<u16>().is_ok();
            return Err(if port {
                "it has no host"
            } else {
                "it has no port"
            });
        };
        let port = port
            .parse()
            .map_err(|_| "its port is no number up to 65535")?;
        let bare = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        if let Some(address) = bare {
            let known = address.parse::<Ipv6Addr>();
            known.map_err(|_| "what stands in the brackets is no IPv6 address")?;
        } else if host.contains(':') {
            return Err("an IPv6 address stands in brackets: [::1]:7332");
        }
        let host = bare.unwrap_or(host);
        if host.is_empty() {
            return Err("it has no host");
        }
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if bare.is_none() && !host.chars().all(name) {
            return Err("its host has characters no host has");
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

impl Default for ListenAddress {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 7332,
        }
    }
}

impl FromStr for ListenAddress {
    type Err = String;

    /// Reads `HOST:PORT`.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
            .map_err(|why| format!("{why}; write HOST:PORT, for example 127.0.0.1:7332"))
    }
}

impl Display for ListenAddress {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// Where state is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum StoreLocation {
    /// In the memory of this process.
    Memory,
    /// In the default file, in the user's state directory.
    #[default]
    Default,
    /// In a file of `SQLite`.
    Sqlite(PathBuf),
    /// In a Redis or Valkey server.
    Redis(MaskedWord),
}

impl Display for StoreLocation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("memory"),
            Self::Default => f.write_str("sqlite, in the user's state directory"),
            Self::Sqlite(file) => write!(f, "sqlite:{}", file.display()),
            Self::Redis(url) => write!(f, "{url}"),
        }
    }
}

/// The address to listen at.
pub(super) fn listen_address() -> impl Kind<Value = ListenAddress> {
    let kind = mapped(scalar(), json!({"type": "string"}), |text, reader| {
        let word = reader.word(&text)?;
        match ListenAddress::parse(word.reveal_str().unwrap_or_default().trim()) {
            Ok(listen) => Some(listen),
            Err(reason) => {
                let message = format!("'{word}' is no address: {reason}");
                let problem = reader.here().problem(message);
                reader.report(problem.hint("write HOST:PORT, for example 127.0.0.1:7332"));
                None
            }
        }
    });
    defaulting(kind, Some(json!(ListenAddress::default().to_string())))
}

/// Where state is kept.
pub(super) fn store() -> impl Kind<Value = StoreLocation> {
    let examples = json!({"examples": ["memory", "sqlite", "sqlite:/var/lib/breakfall/state.db"]});
    let kind = mapped(text(), examples, |text, reader| {
        let word = reader.word(&text)?;
        match word.reveal_str().unwrap_or_default().split_once(':') {
            None if word.reveal_str() == Some("memory") => Some(StoreLocation::Memory),
            None if word.reveal_str() == Some("sqlite") => Some(StoreLocation::Default),
            Some(("memory", "")) => Some(StoreLocation::Memory),
            Some(("sqlite", "")) => Some(StoreLocation::Default),
            Some(("sqlite", file)) => Some(StoreLocation::Sqlite(reader.joined(file))),
            Some(("redis" | "rediss", rest))
                if rest.trim_start_matches('/').len() + 2 == rest.len() =>
            {
                let message = "redis is not available as a store in this version";
                let problem = reader.here().problem(message);
                reader.report(problem.hint("write memory, sqlite or sqlite:FILE"));
                None
            }
            _ => {
                let problem = reader.here().problem(format!("'{word}' is no store"));
                reader.report(problem.hint("write memory, sqlite or sqlite:FILE"));
                None
            }
        }
    });
    defaulting(kind, Some(json!("sqlite")))
}

/// The URL of a server. One that goes over an open network in the clear is a warning.
pub(super) fn url() -> impl Kind<Value = MaskedWord> {
    // A reference may stand for any part of it.
    let pattern = json!({"pattern": r"^https?://|\$\{"});
    mapped(text(), pattern, |text, reader| {
        let word = reader.word(&text)?;
        match check_url(word.reveal_str().unwrap_or_default()) {
            Ok(is_clear) => {
                if is_clear {
                    reader.warn(format!("{word} is not encrypted, and others on the way can read and change it; https:// is"));
                }
                Some(word)
            }
            Err((reason, hint)) => {
                // A URL may have a password in it, so it is not quoted.
                let message = format!("this is no URL to reach a server at: {reason}");
                let problem = reader.here().problem(message);
                reader.report(problem.hint(hint));
                None
            }
        }
    })
}

/// A name by which clients reach the gateway.
pub(super) fn host() -> impl Kind<Value = String> {
    let hint = "write the name clients use, for example mcp.example.test or mcp.example.test:8443";
    name_of("host", parse_host, hint)
}

/// The origin of a web page.
pub(super) fn origin() -> impl Kind<Value = String> {
    let hint = "write it as browsers send it, for example https://app.example.test or http://localhost:5173";
    name_of("origin", parse_origin, hint)
}

fn name_of(
    what: &'static str,
    parse: fn(&str) -> Result<String, &'static str>,
    hint: &'static str,
) -> impl Kind<Value = String> {
    mapped(scalar(), json!({}), move |text, reader| {
        let word = reader.word(&text)?;
        match parse(word.reveal_str().unwrap_or_default().trim()) {
            Ok(name) => Some(name),
            Err(reason) => {
                let message = format!("'{word}' is no {what}: {reason}");
                let problem = reader.here().problem(message);
                reader.report(problem.hint(hint));
                None
            }
        }
    })
}

fn check_url(text: &str) -> Result<bool, (&'static str, &'static str)> {
    const EXAMPLE: &str = "write it like https://mcp.example.test/mcp";
    let (secure, rest) = match text.split_once("://") {
        Some(("https", rest)) => (true, rest),
        Some(("http", rest)) => (false, rest),
        _ => return Err(("it starts with neither https:// nor http://", EXAMPLE)),
    };
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(("it has blanks or control characters in it", EXAMPLE));
    }
    if text.contains('#') {
        return Err(("it has a fragment", "leave out everything from # on"));
    }
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err((
            "it has credentials in it",
            "put them into a header: headers: { Authorization: \"Bearer ${TOKEN}\" }",
        ));
    }
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            if port.parse::<u16>().is_err() {
                return Err(("its port is no number up to 65535", EXAMPLE));
            }
            host
        }
        _ => authority,
    };
    if host.is_empty() {
        return Err(("it has no host", EXAMPLE));
    }
    let host = host.trim_matches(['[', ']']);
    Ok(!secure && !is_loopback(host))
}

fn parse_host(text: &str) -> Result<String, &'static str> {
    if text.contains("://") || text.contains('/') {
        return Err("it is a URL");
    }
    let (host, port) = match ListenAddress::parse(text) {
        Ok(listen) => (listen.host, Some(listen.port)),
        Err(_) => match ListenAddress::parse(&format!("{text}:0")) {
            Ok(listen) => (listen.host, None),
            Err(why) => return Err(why),
        },
    };
    let host = host.to_ascii_lowercase();
    let host = if host.contains(':') {
        format!("[{host}]")
    } else {
        host
    };
    Ok(match port {
        Some(port) => format!("{host}:{port}"),
        None => host,
    })
}

/// A web page as browsers name it: scheme and host in lower case, without the usual port.
fn parse_origin(text: &str) -> Result<String, &'static str> {
    let (scheme, rest) = text
        .split_once("://")
        .ok_or("it has no https:// in front")?;
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.contains(['/', '?', '#']) {
        return Err("it has a path, and an origin has none");
    }
    let scheme = scheme.to_ascii_lowercase();
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if scheme.is_empty() || !scheme.chars().all(is_scheme) {
        return Err("it has no https:// in front");
    }
    let usual = match scheme.as_str() {
        "https" => Some(443),
        "http" => Some(80),
        _ => None,
    };
    let ListenAddress { host, port } = match ListenAddress::parse(rest) {
        Ok(listen) => listen,
        Err(_) => ListenAddress::parse(&format!("{rest}:{}", usual.unwrap_or(0)))?,
    };
    let host = host.to_ascii_lowercase();
    let bare = Some(port) == usual || usual.is_none() && port == 0;
    let listen = ListenAddress { host, port }.to_string();
    let end = if bare {
        listen.rfind(':').unwrap_or(listen.len())
    } else {
        listen.len()
    };
    Ok(format!("{scheme}://{}", &listen[..end]))
}

fn is_loopback(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    address.map_or_else(
        || host == "localhost" || host.ends_with(".localhost"),
        |address| address.is_loopback(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_and_perhaps_a_port() {
        for (text, means) in [
            ("MCP.example.test", "mcp.example.test"),
            ("mcp.example.test:8443", "mcp.example.test:8443"),
            ("10.0.0.1", "10.0.0.1"),
            ("[fe80::1]", "[fe80::1]"),
            ("[fe80::1]:80", "[fe80::1]:80"),
        ] {
            assert_eq!(parse_host(text).as_deref(), Ok(means), "{text}");
        }
        for text in ["", "https://x", "x/y", "a b", "*", "::1"] {
            assert!(parse_host(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_address_has_a_host_and_a_port() {
        for (text, host, port) in [
            ("127.0.0.1:7332", "127.0.0.1", 7332),
            ("localhost:0", "localhost", 0),
            ("[::1]:80", "::1", 80),
            ("0.0.0.0:8080", "0.0.0.0", 8080),
        ] {
            let listen = ListenAddress::parse(text).unwrap();
            assert_eq!((listen.host.as_str(), listen.port), (host, port));
            assert_eq!(listen.to_string(), text);
        }
        for (text, why) in [
            ("7332", "it has no host"),
            ("localhost", "it has no port"),
            (":7332", "it has no host"),
            ("localhost:http", "its port is no number up to 65535"),
            ("localhost:70000", "its port is no number up to 65535"),
            ("::1:80", "an IPv6 address stands in brackets: [::1]:7332"),
            ("[::g]:80", "what stands in the brackets is no IPv6 address"),
            (
                "http://x:80",
                "an IPv6 address stands in brackets: [::1]:7332",
            ),
            ("a b:80", "its host has characters no host has"),
        ] {
            assert_eq!(ListenAddress::parse(text), Err(why), "{text}");
        }
    }

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (text, means) in [
            ("https://App.example.test", "https://app.example.test"),
            ("https://app.example.test:443/", "https://app.example.test"),
            ("http://localhost:5173", "http://localhost:5173"),
            ("http://[::1]:80", "http://[::1]"),
            ("vscode-webview://abc", "vscode-webview://abc"),
        ] {
            assert_eq!(parse_origin(text).as_deref(), Ok(means), "{text}");
        }
        for text in [
            "",
            "app.example.test",
            "https://",
            "https://x/y",
            "://x",
            "https://a b",
            "*",
            "null",
        ] {
            assert!(parse_origin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_url_leads_to_a_server() {
        for (text, clear) in [
            ("https://mcp.example.test/mcp", false),
            ("http://127.0.0.1:3000/mcp", false),
            ("http://[::1]:3000", false),
            ("http://localhost/x?y=1", false),
            ("http://example.test", true),
        ] {
            assert_eq!(check_url(text), Ok(clear), "{text}");
        }
        for text in [
            "",
            "example.test",
            "ftp://example.test",
            "https://",
            "https:///path",
            "https://u:p@example.test",
            "https://example.test#x",
            "https://example.test:port",
            "https://exa mple.test",
        ] {
            assert!(check_url(text).is_err(), "{text}");
        }
    }
}

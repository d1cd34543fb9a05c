//! How clients reach the gateway: its certificate, their keys, the names it goes by.

use super::address::{Listen, origin};
use super::{Checker, Given};
use crate::config::file::{self, File};
use crate::config::kinds::{List, Map, Plain};
use crate::config::names::{Clash, Names};
use crate::config::service::{Key, Tls};
use breakfall_mcp::http_server::SessionLimits;

impl Checker<'_> {
    pub(super) fn tls(&mut self, given: Option<&Given<file::Tls>>) -> Option<Tls> {
        let given = given?;
        let table = &given.value;
        for (key, missing) in [("cert", table.cert.is_none()), ("key", table.key.is_none())] {
            if missing && !self.reader.failed(&format!("tls.{key}")) {
                let problem = given.at.key_problem(format!("'tls' needs '{key}'"));
                self.add(problem.hint("for example tls: { cert: server.pem, key: server.key }"));
            }
        }
        let cert = table.cert.as_ref().map(|cert| self.existing(cert, "file"));
        let key = table.key.as_ref().map(|key| self.existing(key, "file"));
        Some(Tls {
            cert: cert??,
            key: key??,
        })
    }

    pub(super) fn keys(&mut self, given: Option<&Given<Map<Plain>>>) -> Vec<Key> {
        let mut out: Vec<Key> = Vec::new();
        let Some(given) = given else {
            return out;
        };
        if given.value.0.is_empty() && !self.reader.failed_below("keys") {
            let problem = given
                .at
                .key_problem("no key is given, so nobody could come in");
            self.add(problem.hint("remove 'keys' to let everybody in who reaches the gateway"));
        }
        for (principal, given) in &given.value.0 {
            if !is_principal(principal) {
                let problem = given
                    .at
                    .key_problem(format!("'{principal}' is no name for a client"));
                self.add(problem.hint("a name starts with a letter or digit and has letters, digits, '-', '_', '.' and '@', up to 64 of them"));
            }
            let Some(secret) = self.secret(&given.at, &given.value.0) else {
                continue;
            };
            if let Some(why) = unfit(secret.reveal()) {
                let problem = given.at.problem(format!("this is no key: {why}"));
                self.add(problem.hint("make one with `openssl rand -hex 32`"));
            }
            if let Some(other) = out.iter().find(|other| other.secret == secret) {
                let problem = given.at.problem(format!(
                    "'{principal}' and '{}' have the same key",
                    other.principal
                ));
                self.add(
                    problem.hint("give each client its own: the key is what tells them apart"),
                );
            }
            out.push(Key {
                principal: principal.clone(),
                secret,
            });
        }
        out
    }

    /// What a client shows to us is for us alone.
    pub(super) fn keys_stay(&mut self, file: &File) {
        let Some(keys) = &file.keys else {
            return;
        };
        let upstreams = file.upstreams.iter().flat_map(|given| &given.value.0);
        let passing = upstreams.filter_map(|(_, given)| given.value.pass_authorization.as_ref());
        for given in passing.filter(|given| given.value) {
            let problem = given.at.key_problem(
                "this would send the keys of clients to the server: both stand in the header Authorization",
            );
            self.add(
                problem
                    .beside(keys.at.key.clone(), "the keys")
                    .hint("give the server a header of its own under 'headers', or remove 'keys'"),
            );
        }
    }

    pub(super) fn hosts(&mut self, given: Option<&Given<List<Plain>>>) -> Vec<String> {
        let mut out = Vec::new();
        for given in given.into_iter().flat_map(|given| &given.value.0) {
            let Some(word) = self.word(&given.at, &given.value.0) else {
                continue;
            };
            match host(word.reveal_str().unwrap_or_default().trim()) {
                Ok(host) => out.push(host),
                Err(why) => {
                    let problem = given.at.problem(format!("'{word}' is no host: {why}"));
                    self.add(problem.hint("write the name clients use, for example mcp.example.test or mcp.example.test:8443"));
                }
            }
        }
        out
    }

    pub(super) fn origins(&mut self, given: Option<&Given<List<Plain>>>) -> Vec<String> {
        let mut out = Vec::new();
        for given in given.into_iter().flat_map(|given| &given.value.0) {
            let Some(word) = self.word(&given.at, &given.value.0) else {
                continue;
            };
            match origin(word.reveal_str().unwrap_or_default().trim()) {
                Ok(origin) => out.push(origin),
                Err(why) => {
                    let problem = given.at.problem(format!("'{word}' is no origin: {why}"));
                    self.add(problem.hint("write it as browsers send it, for example https://app.example.test or http://localhost:5173"));
                }
            }
        }
        out
    }

    pub(super) fn sessions(&mut self, given: Option<&Given<file::Sessions>>) -> SessionLimits {
        let mut sessions = SessionLimits::default();
        let Some(Given { value, .. }) = given else {
            return sessions;
        };
        if let Some(given) = &value.max {
            match usize::try_from(given.value.0) {
                Ok(max) if (1..=MAX_SESSIONS).contains(&max) => sessions.max = max,
                _ => {
                    let problem = given.at.problem("this limit is out of bounds");
                    self.add(problem.hint(format!("it is between 1 and {MAX_SESSIONS}")));
                }
            }
        }
        if let Some(idle) = self.positive(value.idle.as_ref()) {
            sessions.idle = idle;
        }
        sessions
    }

    /// What separates the name of a server from that of its tool. Two servers must not end up with the same names.
    pub(super) fn separator(&mut self, file: &File) -> String {
        let separator = match &file.separator {
            Some(given) if is_separator(&given.value) => &given.value,
            Some(given) => {
                let written = &given.value;
                let problem = given.at.problem(format!("'{written}' is no separator"));
                self.add(problem.hint("it has one to eight of the characters '_' and '-': most models take no others in the name of a tool"));
                return Names::SEPARATOR.to_owned();
            }
            None => Names::SEPARATOR,
        };
        let upstreams = file.upstreams.iter().flat_map(|given| &given.value.0);
        let upstreams: Vec<_> = upstreams.collect();
        let names = Names::named(upstreams.iter().map(|(name, _)| &**name), separator);
        for Clash(first, second) in names.clashes() {
            let [(name, given), (other, beside)] = [&upstreams[second], &upstreams[first]];
            let prefix = names.prefix(first);
            let problem = given.at.key_problem(format!(
                "a tool of '{other}' could have the same name as one of '{name}': both begin with '{prefix}'"
            ));
            self.add(
                problem
                    .beside(beside.at.key.clone(), "the other one")
                    .hint("rename one of them, or set another separator"),
            );
        }
        separator.to_owned()
    }
}

/// Why a text cannot be a key. A key that can be guessed is worse than none.
fn unfit(secret: &str) -> Option<&'static str> {
    let token = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
    let body = secret.trim_end_matches('=');
    if body.is_empty() || !body.chars().all(token) {
        Some("it has characters that cannot stand behind 'Bearer'")
    } else if secret.len() < SHORTEST_KEY {
        Some("it is shorter than 16 characters")
    } else if secret.len() > LONGEST_KEY {
        Some("it is longer than 512 characters")
    } else {
        None
    }
}

fn host(text: &str) -> Result<String, &'static str> {
    if text.contains("://") || text.contains('/') {
        return Err("it is a URL");
    }
    let (host, port) = match Listen::parse(text) {
        Ok(listen) => (listen.host, Some(listen.port)),
        Err(_) => match Listen::parse(&format!("{text}:0")) {
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

fn is_principal(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'@'))
}

/// The same as in the schema.
fn is_separator(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.chars().all(|c| matches!(c, '_' | '-'))
}

/// What nobody guesses.
const SHORTEST_KEY: usize = 16;

/// What a header has room for, and more than any key needs.
const LONGEST_KEY: usize = 512;

/// Each may be a process.
const MAX_SESSIONS: usize = 100_000;

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
            assert_eq!(host(text).as_deref(), Ok(means), "{text}");
        }
        for text in ["", "https://x", "x/y", "a b", "*", "::1"] {
            assert!(host(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_cannot_be_guessed_and_fits_a_header() {
        assert_eq!(unfit("0123456789abcdef"), None);
        assert_eq!(unfit("MDEyMzQ1Njc4OWFiYw=="), None);
        for text in [
            "",
            "short",
            "0123456789abcde\n",
            "=0123456789abcdef",
            "with blanks in the key",
        ] {
            assert!(unfit(text).is_some(), "{text}");
        }
        assert!(unfit(&"a".repeat(513)).is_some());
    }
}

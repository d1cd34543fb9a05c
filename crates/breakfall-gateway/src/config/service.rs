//! How clients reach the gateway: certificate, keys, sessions; and the names of tools they find there.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use breakfall_mcp::http_server::SessionLimits;
use serde_json::json;

use super::kinds::{defaulting, entries, keyed, mapped, path, secret, text};
use super::mask::shown_name;
use super::names::UpstreamNames;
use super::numbers::{limit, positive_duration, size};
use super::reader::Reader;
use super::secret::Secret;
use super::setting::{Kind, Section, Visitor, settings};
use super::units::show_duration;
use super::word::words;

settings! {
    /// The certificate of the gateway.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct TlsFiles {
        /// The chain of certificates, a file in PEM. A relative path starts at the directory of this file; a file that changes is read again.
        pub cert: PathBuf = PathBuf::new() => path("file");
        /// The private key, a file in PEM. A relative path starts at the directory of this file.
        pub key: PathBuf = PathBuf::new() => path("file");
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["cert", "key"];
        const SUBJECT: &'static str = "'tls'";
        const EXAMPLE: &'static str = "tls: { cert: server.pem, key: server.key }";
    }
}

/// A client that is let in, and the key that proves who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientKey {
    /// The name of the client.
    pub principal: String,
    /// What it sends as `Authorization: Bearer …`.
    pub secret: Secret,
}

/// The keys of clients, by their names.
pub(super) fn client_keys() -> impl Kind<Value = Vec<ClientKey>> {
    let names = json!({"minProperties": 1, "propertyNames": {"pattern": PRINCIPAL_PATTERN}});
    let keys = entries(keyed(client_key(), check_principal));
    mapped(keys, names, |entries, reader| {
        if entries.is_empty() && !reader.failed_entry() {
            let problem = reader.here();
            let problem = problem.key_problem("no key is configured, so no client could connect");
            reader
                .report(problem.hint("remove 'keys' to let everybody in who reaches the gateway"));
        }
        for (index, (principal, secret)) in entries.iter().enumerate() {
            let mut before = entries[..index].iter();
            if let Some((other, _)) = before.find(|(_, other)| other == secret) {
                let [name, other] = [principal, other].map(|name| shown_name(name));
                let message = format!("'{name}' and '{other}' have the same key");
                let position = reader.given(principal).unwrap_or_default();
                reader.report(
                    position
                        .problem(message)
                        .hint("give each client its own: the key is what tells them apart"),
                );
            }
        }
        let keys = entries.into_iter();
        let keys = keys.map(|(principal, secret)| ClientKey { principal, secret });
        Some(keys.collect())
    })
}

fn client_key() -> impl Kind<Value = Secret> {
    mapped(secret(), json!({}), |key, reader| {
        if let Err(reason) = check_key(key.reveal()) {
            let problem = reader.here().problem(format!("this is no key: {reason}"));
            reader.report(problem.hint("make one with `openssl rand -hex 32`"));
        }
        Some(key)
    })
}

/// Refuses keys that can be guessed.
fn check_key(key: &str) -> Result<(), &'static str> {
    let token = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
    let body = key.trim_end_matches('=');
    if body.is_empty() || !body.chars().all(token) {
        Err("it has characters that cannot stand behind 'Bearer'")
    } else if key.len() < MIN_KEY_BYTES {
        Err("it is shorter than 16 characters")
    } else if key.len() > MAX_KEY_BYTES {
        Err("it is longer than 512 characters")
    } else {
        Ok(())
    }
}

const MIN_KEY_BYTES: usize = 16;

/// Headers have room for it.
const MAX_KEY_BYTES: usize = 512;

/// The name of a client.
const PRINCIPAL_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$";

/// Checks the same as the pattern.
fn check_principal(reader: &mut Reader<'_>) {
    let name = reader.name();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    if name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_plain)
    {
        return;
    }
    let problem = reader.here().key_problem("this is no name for a client");
    reader.report(problem.hint("a name starts with a letter or digit and has letters, digits, '-', '_', '.' and '@', up to 64 of them"));
}

impl Section for SessionLimits {
    const NAME: &'static str = "SessionLimits";
    const TEXT: &'static str =
        "How many sessions clients may have. A server that is a command is started for each.";
    const EXAMPLE: &'static str = "sessions: { max: 1000, idle: 30m }";

    fn settings(&mut self, visitor: &mut impl Visitor) {
        let text = "At the same time.";
        visitor.setting("max", text, &mut self.max, limit(1..=MAX_SESSIONS));
        let text = "How long one is kept without a request.";
        visitor.setting("idle", text, &mut self.idle, positive_duration());
        let text = "The answers that clients have not read, of all sessions together; beyond that, the session with the most is closed.";
        visitor.setting("unread", text, &mut self.unread, size(UNREAD_BOUNDS));
    }
}

const UNREAD_BOUNDS: RangeInclusive<u64> = (1 << 20)..=(1 << 40);

/// Each may be a process.
const MAX_SESSIONS: u64 = 100_000;

/// The limits of sessions in one line.
pub fn show_sessions(sessions: SessionLimits) -> String {
    let idle = show_duration(sessions.idle);
    format!("up to {}, each {idle} without a request", sessions.max)
}

words! {
    /// What happens to the tools of a server that is lost, where several are served as one.
    LostUpstream: "ways to treat a lost upstream" {
        /// They stay listed as unavailable.
        Keep = "keep",
        /// They vanish from the lists until it is back.
        Hide = "hide",
    }
}

/// The separator between the name of a server and that of its tool, with the characters all clients accept.
pub(super) fn separator() -> impl Kind<Value = String> {
    let kind = mapped(text(), json!({"pattern": "^[_-]{1,8}$"}), |text, reader| {
        if (1..=8).contains(&text.len()) && text.chars().all(|c| matches!(c, '_' | '-')) {
            return Some(text);
        }
        let problem = reader.here().problem(format!("'{text}' is no separator"));
        reader.report(problem.hint("it has one to eight of the characters '_' and '-': most models take no others in the name of a tool"));
        None
    });
    defaulting(kind, Some(json!(UpstreamNames::SEPARATOR)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_cannot_be_guessed_and_fits_a_header() {
        assert_eq!(check_key("0123456789abcdef"), Ok(()));
        assert_eq!(check_key("MDEyMzQ1Njc4OWFiYw=="), Ok(()));
        for text in [
            "",
            "short",
            "0123456789abcde\n",
            "=0123456789abcdef",
            "with blanks in the key",
        ] {
            assert!(check_key(text).is_err(), "{text}");
        }
        assert!(check_key(&"a".repeat(513)).is_err());
    }
}

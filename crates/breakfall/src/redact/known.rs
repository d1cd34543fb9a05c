//! What a caller knows besides the arguments it sends.

use std::net::IpAddr;

use super::bytes::one_of;
use super::mark::Mark;

/// What the caller knows already, so that telling it is no leak: directories it named and addresses of its own machine.
/// Credentials are redacted all the same.
///
/// ```
/// use breakfall::redact::{KnownValues, Redactor};
///
/// let known = KnownValues::new().directory("/srv/notes").loopback();
/// let redactor = Redactor::client().knowing(&known);
/// assert_eq!(
///     redactor.text("/srv/notes/a.md and /srv/keys/b.pem: 127.0.0.1:5432 and 10.0.0.7 are down"),
///     "/srv/notes/a.md and [path]: 127.0.0.1:5432 and [address] are down"
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct KnownValues {
    directories: Vec<Box<str>>,
    has_loopback: bool,
}

impl KnownValues {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a directory, and with it all paths below. Ignored if every system has it, such as `/`, `/home` and `/tmp`.
    pub fn directory(mut self, path: &str) -> Self {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = path.trim_end_matches(is_separator);
        if is_specific(path)
            && !climbs(path)
            && !self.directories.iter().any(|have| **have == *path)
        {
            self.directories.push(path.into());
        }
        self
    }

    /// Adds the loopback addresses: the caller is on the machine of the server.
    pub fn loopback(mut self) -> Self {
        self.has_loopback = true;
        self
    }

    /// Adds what another one holds.
    pub fn and(self, other: &Self) -> Self {
        let directories = other.directories.iter();
        let mut both = directories.fold(self, |all, directory| all.directory(directory));
        both.has_loopback |= other.has_loopback;
        both
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.directories.is_empty() && !self.has_loopback
    }

    /// Whether a find is among them.
    pub(super) fn has(&self, text: &str, mark: Mark) -> bool {
        let is_address = matches!(mark, Mark::Host | Mark::Address);
        mark == Mark::Path && self.has_path(text)
            || is_address && self.has_loopback && is_loopback(text)
    }

    fn has_path(&self, path: &str) -> bool {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let is_within = |directory: &str| {
            let below = path.strip_prefix(directory);
            below.is_some_and(|below| below.is_empty() || below.starts_with(is_separator))
        };
        !climbs(path) && self.directories.iter().any(|one| is_within(one))
    }
}

/// Whether a sign separates the names of a path.
pub(super) fn is_separator(sign: char) -> bool {
    matches!(sign, '/' | '\\')
}

/// Whether a path may lead out of the directory it begins with. One with encoded dots or separators may.
pub(super) fn climbs(path: &str) -> bool {
    let is_encoded = |at: usize| {
        let code = path.get(at + 1..at + 3).unwrap_or_default();
        ["2e", "2f", "5c", "25"]
            .iter()
            .any(|sign| code.eq_ignore_ascii_case(sign))
    };
    path.split(is_separator).any(|name| name == "..")
        || path.match_indices('%').any(|(at, _)| is_encoded(at))
}

/// Whether a directory says more than that there is a machine: everything is below `/`, `/home` and `C:`.
pub(super) fn is_specific(directory: &str) -> bool {
    let directory = directory.strip_prefix("file://").unwrap_or(directory);
    let mut names = directory
        .split(is_separator)
        .filter(|name| !matches!(*name, "" | "." | "~") && !name.ends_with(':'));
    match (names.next(), names.next()) {
        (Some(only), None) => !one_of(only.as_bytes(), EVERYWHERE),
        (first, _) => first.is_some(),
    }
}

/// Directories that every system has.
const EVERYWHERE: &str = "bin dev etc home lib library media mnt opt private proc root run srv sys tmp users usr var volumes \
    windows";

/// A host, if a port follows it.
pub(super) fn without_port(text: &str) -> Option<&str> {
    let (host, port) = text.rsplit_once(':')?;
    (!port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())).then_some(host)
}

fn is_loopback(text: &str) -> bool {
    let is_own = |host: &str| {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let address = host.split('%').next().unwrap_or_default().parse::<IpAddr>();
        match address {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_) => host.eq_ignore_ascii_case("localhost"),
        }
    };
    is_own(text) || without_port(text).is_some_and(is_own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;

    /// What is left of a text for a caller who knows `/srv/notes` and its own machine.
    fn told(text: &str) -> String {
        let known = KnownValues::new().directory("/srv/notes/").loopback();
        Redactor::client().knowing(&known).text(text).into_owned()
    }

    #[test]
    fn a_secret_in_a_known_path_goes() {
        // Written in two parts, so that no scanner takes it for a leak.
        let key = concat!("AKIA", "QYLPMN5HHHFPZAM2");
        assert_eq!(
            told(&format!("cannot open /srv/notes/{key}/x.txt")),
            "cannot open /srv/notes/[redacted:api-key]/x.txt"
        );
        assert_eq!(
            told("cannot open /srv/notes/4111111111111111.txt"),
            "cannot open /srv/notes/[redacted:card].txt"
        );
    }

    #[test]
    fn what_the_caller_knows_is_shown_and_nothing_beside_it() {
        for same in [
            "ENOENT: no such file or directory, open '/srv/notes/a/b.md'",
            "not in /srv/notes",
            "file:///srv/notes/a.md is gone",
            "connect ECONNREFUSED 127.0.0.1:5432",
            "connect ECONNREFUSED ::1:5432",
            "dial tcp [::1]:5432: connection refused",
            "http://127.0.0.1:8080/x is down",
        ] {
            assert_eq!(told(same), same);
        }
        for (text, want) in [
            ("open '/srv/notes2/a.md'", "open '[path]'"),
            ("open '/srv/notes/../keys/a.pem'", "open '[path]'"),
            ("open '/srv/notes/%2e%2e/keys/a.pem'", "open '[path]'"),
            ("open '/srv/notes/..%2Fkeys/a.pem'", "open '[path]'"),
            ("open '/srv/other/a.md'", "open '[path]'"),
            ("connect to 10.0.0.7:5432", "connect to [address]"),
            (
                "/srv/notes/a.md: password=hunter2",
                "/srv/notes/a.md: password=[redacted:password]",
            ),
            (
                "postgresql://app:hunter2@127.0.0.1/x",
                "postgresql://app:[redacted:password]@127.0.0.1/x",
            ),
        ] {
            assert_eq!(told(text), want);
        }
    }

    #[test]
    fn directories_that_every_system_has_are_ignored() {
        for general in [
            "/", "", "/home", "/tmp/", "file:///", "C:\\", "~", ".", "a/../..",
        ] {
            assert!(
                KnownValues::new().directory(general).is_empty(),
                "{general}"
            );
        }
    }

    #[test]
    fn what_was_sent_and_what_is_known_add_up() {
        let known = KnownValues::new().directory("/srv/notes");
        let sent = serde_json::json!({"path": "/opt/x/y.txt"});
        let text = "/opt/x/y.txt /srv/notes/a /opt/z/b.txt";
        let want = "/opt/x/y.txt /srv/notes/a [path]";
        assert_eq!(
            Redactor::client().knowing(&known).sparing(&sent).text(text),
            want
        );
        assert_eq!(
            Redactor::client().sparing(&sent).knowing(&known).text(text),
            want
        );
        let more = KnownValues::new().directory("/opt/z").loopback();
        let all = known.and(&more).and(&more);
        assert_eq!(
            all,
            KnownValues::new()
                .directory("/srv/notes")
                .directory("/opt/z")
                .loopback()
        );
    }
}

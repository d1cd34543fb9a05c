//! What differs between any two runs of a server, and why.

use serde_json::Value;

use crate::clients::Reply;
use crate::servers::Server;

/// Something that is different every time.
#[derive(Debug)]
#[non_exhaustive]
pub struct Volatile {
    /// Whose messages it is in.
    pub server: Server,
    /// Where in them.
    pub place: Place,
    /// Why it cannot be expected to be the same.
    pub reason: &'static str,
}

/// Where in a message something is.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Place {
    /// In any text, after the first and before the second, or where the text ends.
    Between(&'static str, &'static str),
    /// The value of every field of that name.
    Field(&'static str),
    /// A message with that text: how often it is sent, and between which others, depends on a timer of the server.
    Timed(&'static str),
}

/// All there is.
#[rustfmt::skip]
pub const VOLATILE: &[Volatile] = &[
    Volatile { server: Server::Everything, place: Place::Between("This is a plaintext resource created at ", "\n"), reason: "the time of day" },
    Volatile { server: Server::Everything, place: Place::Timed("\"method\":\"roots/list\""), reason: "350 ms after the handshake it asks for the roots, again if a tool is doing so" },
    Volatile { server: Server::Everything, place: Place::Timed("Roots updated: "), reason: "what it says of the answer to that" },
    Volatile { server: Server::Filesystem, place: Place::Between("created: ", "\n"), reason: "files are made anew for each run" },
    Volatile { server: Server::Filesystem, place: Place::Between("modified: ", "\n"), reason: "files are made anew for each run" },
    Volatile { server: Server::Filesystem, place: Place::Between("accessed: ", "\n"), reason: "files are made anew for each run" },
    Volatile { server: Server::Filesystem, place: Place::Between("/play/empty.", ".tmp"), reason: "a temporary file has a random name" },
    Volatile { server: Server::Time, place: Place::Between("\"datetime\": \"", "\""), reason: "the time is what the tool is for" },
    Volatile { server: Server::Time, place: Place::Field("datetime"), reason: "the time is what the tool is for" },
];

/// The line as it came, or without what is volatile if there is something.
///
/// The id of a question that comes from the server belongs to the connection it came over, so another connection may
/// have another.
pub(super) fn still_line(server: Server, line: &str) -> String {
    let Ok(mut message) = serde_json::from_str::<Value>(line) else {
        return line.to_owned();
    };
    let asks = message.get("id").is_some() && message.get("method").is_some();
    if asks {
        message["id"] = "an id".into();
    }
    let failed = message.get("error").is_some() || message["result"]["isError"] == true;
    let changed = still(server, &mut message);
    // The bytes of a success are the server's own; of a failure, only what they mean.
    if asks || changed || failed {
        message.to_string()
    } else {
        line.to_owned()
    }
}

/// The messages in their order, and behind them those that a timer sends, each once.
pub(super) fn without_timing(server: Server, messages: Vec<String>) -> Vec<String> {
    let is_timed = |message: &String| {
        let mut listed = VOLATILE.iter().filter(|each| each.server == server);
        listed.any(|each| matches!(each.place, Place::Timed(text) if message.contains(text)))
    };
    let (mut timed, mut messages): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_timed);
    timed.sort_unstable();
    timed.dedup();
    messages.append(&mut timed);
    messages
}

pub(super) fn still_reply(server: Server, mut reply: Reply) -> Reply {
    match &mut reply {
        Reply::Result(value) | Reply::Error(value) => still(server, value),
        Reply::Refused(_) => false,
    };
    reply
}

/// Whether there was anything to change.
fn still(server: Server, value: &mut Value) -> bool {
    VOLATILE
        .iter()
        .filter(|each| each.server == server)
        .fold(false, |changed, each| cut(&each.place, value) | changed)
}

fn cut(place: &Place, value: &mut Value) -> bool {
    let mut changed = false;
    match value {
        Value::String(text) => {
            if let Place::Between(after, until) = place {
                changed = cut_text(after, until, text);
            }
        }
        Value::Array(values) => {
            for each in values {
                changed |= cut(place, each);
            }
        }
        Value::Object(fields) => {
            for (name, each) in fields {
                if matches!(place, Place::Field(volatile) if volatile == name) {
                    *each = "…".into();
                    changed = true;
                } else {
                    changed |= cut(place, each);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    changed
}

fn cut_text(start: &str, until: &str, text: &mut String) -> bool {
    let mut rest = text.as_str();
    let mut still = String::new();
    while let Some((before, after)) = rest.split_once(start) {
        let end = after.find(until).unwrap_or(after.len());
        still.extend([before, start, "…"]);
        rest = &after[end..];
    }
    let changed = !still.is_empty();
    if changed {
        still.push_str(rest);
        *text = still;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::{Server, still_line, without_timing};

    #[test]
    fn a_message_of_a_timer_counts_once_wherever_it_comes() {
        let told =
            |server, lines: [&str; 4]| without_timing(server, lines.map(str::to_owned).to_vec());
        let (asked, first, other) = (r#"{"id":"an id","method":"roots/list"}"#, "first", "other");
        let once = vec![first.to_owned(), other.to_owned(), asked.to_owned()];
        assert_eq!(told(Server::Everything, [asked, first, asked, other]), once);
        assert_eq!(told(Server::Everything, [first, asked, other, asked]), once);
        // Any other message counts as often as it comes, and in its order.
        assert_eq!(
            told(Server::Everything, [other, first, first, asked])[..3],
            [other, first, first]
        );
        assert_eq!(told(Server::Memory, [asked, first, asked, other])[2], asked);
    }

    #[test]
    fn only_what_is_listed_is_cut() {
        let line = r#"{"id":1,"result":{"a":"created: now\nsize: 3\nmodified: then","b":1.0}}"#;
        let still = still_line(Server::Filesystem, line);
        assert_eq!(
            still,
            r#"{"id":1,"result":{"a":"created: …\nsize: 3\nmodified: …","b":1.0}}"#
        );
        assert_eq!(still_line(Server::Memory, line), line);
    }
}

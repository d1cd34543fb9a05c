//! Events of a stream.

use serde_json::Value;

/// An event of a stream, or a comment that stood alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Its id.
    pub id: Option<String>,
    /// Its kind; `message` if it does not say.
    pub kind: Option<String>,
    /// Its lines of data, joined.
    pub data: String,
    /// How long to wait before asking again, in milliseconds.
    pub retry: Option<u64>,
    /// Its comments.
    pub comments: Vec<String>,
}

impl Event {
    /// The message in it.
    pub fn message(&self) -> Option<Value> {
        serde_json::from_str(&self.data).ok()
    }

    /// Reads one, without the empty line after it.
    fn read(text: &str) -> Self {
        let mut event = Self::default();
        let mut data = Vec::new();
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        for line in text.split(['\n', '\r']).filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
            match name {
                "" => event.comments.push(value),
                "id" => event.id = Some(value),
                "event" => event.kind = Some(value),
                "data" => data.push(value),
                "retry" => event.retry = value.parse().ok(),
                _ => {}
            }
        }
        event.data = data.join("\n");
        event
    }
}

/// Takes the first whole event out of the bytes.
pub(super) fn take(bytes: &mut Vec<u8>) -> Option<Event> {
    let (event, end) = first(bytes)?;
    bytes.drain(..end);
    Some(event)
}

/// All whole events, without one that is cut.
pub(super) fn all(mut bytes: &[u8]) -> Vec<Event> {
    let next = || {
        let (event, end) = first(bytes)?;
        bytes = &bytes[end..];
        Some(event)
    };
    std::iter::from_fn(next).collect()
}

/// The first whole event, and where it ends.
fn first(bytes: &[u8]) -> Option<(Event, usize)> {
    let gap_at = |at: usize| {
        let gaps = [&b"\n\n"[..], b"\r\n\r\n", b"\r\r"];
        gaps.into_iter().find(|gap| bytes[at..].starts_with(gap))
    };
    let mut ends = (0..bytes.len()).filter(|at| matches!(bytes[*at], b'\n' | b'\r'));
    let (end, gap) = ends.find_map(|at| Some((at, gap_at(at)?)))?;
    let event = Event::read(&String::from_utf8_lossy(&bytes[..end]));
    Some((event, end + gap.len()))
}

pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

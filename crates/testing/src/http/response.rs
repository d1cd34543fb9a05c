//! What came back, taken apart.

use std::io;

use serde_json::Value;

use super::event::{self, Event};

/// The head of a response.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Head {
    /// The status.
    pub status: u16,
    /// Names in lower case and values, in their order.
    pub headers: Vec<(String, String)>,
}

/// A whole response.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Its head.
    pub head: Head,
    /// Its body, without any chunking.
    pub body: Vec<u8>,
}

impl Head {
    /// Reads a head, without the empty line at its end.
    pub(super) fn read(bytes: &[u8]) -> io::Result<Self> {
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let text = str::from_utf8(bytes).map_err(|_| bad("the head is not UTF-8"))?;
        let mut lines = text.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let status = first
            .strip_prefix("HTTP/1.1 ")
            .and_then(|rest| rest.get(..3))
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| bad(&format!("no status line: {first:?}")))?;
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let colon = line.split_once(':');
            let (name, value) = colon.ok_or_else(|| bad(&format!("no header: {line:?}")))?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Self { status, headers })
    }

    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether it is of that type, whatever the parameters.
    pub fn is(&self, content_type: &str) -> bool {
        let essence = self
            .header("Content-Type")
            .and_then(|text| text.split(';').next());
        essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case(content_type))
    }
}

impl Response {
    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.header(name)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// When it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("no JSON ({error}) in {}: {}", self.status, self.text()))
    }

    /// The events of the body.
    pub fn events(&self) -> Vec<Event> {
        event::all(&self.body)
    }

    /// The messages of the body: the only one of a body that is JSON, those in the events of a stream, none of any other.
    pub fn messages(&self) -> Vec<Value> {
        if self.head.is("text/event-stream") {
            let events = self.events();
            events.iter().filter_map(Event::message).collect()
        } else {
            serde_json::from_slice(&self.body).into_iter().collect()
        }
    }

    /// The answer to an id, in either form.
    ///
    /// # Panics
    /// Unless there is exactly one.
    pub fn answer(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        let mut found = self.messages();
        found.retain(|message| message["id"] == id && message.get("method").is_none());
        assert_eq!(
            found.len(),
            1,
            "answers to {id} in {}: {}",
            self.status,
            self.text()
        );
        found.remove(0)
    }
}

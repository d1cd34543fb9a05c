//! A request, as bytes.

use serde_json::Value;

/// A request to be written. Headers stand in the order they were given; `Host` and `Content-Length` are added if they are
/// missing.
#[derive(Debug, Clone)]
pub struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    without: Vec<String>,
    body: Vec<u8>,
}

impl Request {
    /// A request with nothing in it.
    pub fn new(method: &str, target: &str) -> Self {
        Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            without: Vec::new(),
            body: Vec::new(),
        }
    }

    /// A message to an MCP server, with the headers every such request has.
    pub fn post(target: &str, message: &Value) -> Self {
        Self::new("POST", target)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .body(message.to_string())
    }

    /// Sets a header, in the place of all of that name.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.one_more(name, value)
    }

    /// Adds a header to those of that name.
    #[must_use]
    pub fn one_more(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Leaves a header out, even one that would be added.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.without.push(name.to_owned());
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The bytes, for a server of that name.
    pub fn bytes(&self, host: &str) -> Vec<u8> {
        let mut all = self.head(host);
        all.extend_from_slice(&self.body);
        all
    }

    /// The bytes up to the body.
    pub fn head(&self, host: &str) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        let length = self.body.len().to_string();
        let is_chunked = self.has("Transfer-Encoding");
        let with_length = !is_chunked && (!self.body.is_empty() || self.method == "POST");
        let added = [
            ("Host", host, true),
            ("Content-Length", &*length, with_length),
        ];
        for (name, value, is_wanted) in added {
            if is_wanted && !self.has(name) && !self.is_unwanted(name) {
                head.push_str(&line(name, value));
            }
        }
        for (name, value) in &self.headers {
            head.push_str(&line(name, value));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    fn has(&self, name: &str) -> bool {
        let mut names = self.headers.iter().map(|(name, _)| name);
        names.any(|other| other.eq_ignore_ascii_case(name))
    }

    fn is_unwanted(&self, name: &str) -> bool {
        let mut names = self.without.iter();
        names.any(|other| other.eq_ignore_ascii_case(name))
    }
}

fn line(name: &str, value: &str) -> String {
    format!("{name}: {value}\r\n")
}

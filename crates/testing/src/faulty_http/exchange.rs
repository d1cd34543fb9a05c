//! One request and the response to it.

use std::io;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::hub::Hub;
use super::request::Request;
use super::stream::Stream;

/// One request, and where its response goes.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub(super) hub: &'a Hub,
    pub(super) stream: &'a mut Stream,
    pub(super) request: Request,
    pub(super) message: Value,
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The next request.
    Next,
    /// The end.
    Close,
    /// The end at once.
    Reset,
    /// Nothing, until the client goes.
    Hold,
    /// Nothing, and no byte is read.
    Deaf,
    /// The end, when the next request comes.
    OnNext(End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Close,
    Reset,
}

impl End {
    pub(super) fn then(self) -> Then {
        match self {
            Self::Close => Then::Close,
            Self::Reset => Then::Reset,
        }
    }
}

impl Exchange<'_> {
    pub(super) fn id(&self) -> &Value {
        &self.message["id"]
    }

    /// Whether it says of itself that it is of the modern era.
    pub(super) fn is_modern(&self) -> bool {
        let meta = &self.message["params"]["_meta"];
        !meta["io.modelcontextprotocol/protocolVersion"].is_null()
    }

    pub(super) fn argument(&self, name: &str) -> &Value {
        &self.message["params"]["arguments"][name]
    }

    /// A number out of the arguments, else the default.
    pub(super) fn number(&self, name: &str, default: u64) -> u64 {
        self.argument(name).as_u64().unwrap_or(default)
    }

    /// What the effect of the call is counted by.
    pub(super) fn key(&self) -> String {
        let own = self.argument("key").as_str();
        let key = own.or(self.argument("how").as_str());
        key.unwrap_or("nothing in particular").to_owned()
    }

    /// The message that answers it, with what its era wants in a result.
    pub(super) fn answer(&self, mut result: Value) -> Value {
        if self.is_modern() {
            result["resultType"] = "complete".into();
            result["_meta"]["io.modelcontextprotocol/serverInfo"] = server_info();
            let method = self.message["method"].as_str().unwrap_or_default();
            if method.ends_with("/list") || method == "server/discover" {
                result["ttlMs"] = 0.into();
                result["cacheScope"] = "private".into();
            }
        }
        json!({"jsonrpc": "2.0", "id": self.id(), "result": result})
    }

    /// The right answer of the tool that misbehaves.
    pub(super) fn right(&self) -> Value {
        self.answer(told(&json!({"how": self.argument("how")})))
    }

    pub(super) fn error(&self, code: i64, text: &str) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id(), "error": {"code": code, "message": text}})
    }

    pub(super) fn say(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.say(bytes.as_ref())
    }

    /// Answers as it should be.
    pub(super) fn succeed(&mut self, result: Value) -> io::Result<Then> {
        let answer = self.answer(result);
        self.respond("200 OK", &[], &answer)
    }

    /// Responds with JSON.
    pub(super) fn respond(
        &mut self,
        status: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> io::Result<Then> {
        let json = [("Content-Type", "application/json")];
        let headers = [&json, headers].concat();
        self.say(response(status, &headers, body.to_string().as_bytes()))?;
        Ok(Then::Next)
    }

    /// Says something a byte at a time; stops when everything is over.
    pub(super) fn drip(&mut self, bytes: impl Iterator<Item = u8>) -> io::Result<()> {
        let pause = Duration::from_millis(self.number("ms", 1));
        for byte in bytes {
            self.say([byte])?;
            pause_for(pause);
            if self.hub.is_over() {
                break;
            }
        }
        Ok(())
    }

    /// Says so many bytes, made while they are said, so that we stay small ourselves.
    pub(super) fn pour(&mut self, mut bytes: u64) -> io::Result<()> {
        let piece = vec![b'a'; 1 << 16];
        while bytes > 0 {
            let now = piece
                .len()
                .min(usize::try_from(bytes).unwrap_or(usize::MAX));
            self.say(&piece[..now])?;
            bytes -= now as u64;
        }
        Ok(())
    }
}

/// The bytes of a response of known length.
pub(super) fn response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let length = body.len().to_string();
    let length = [("Content-Length", length.as_str())];
    let mut all = head(status, &[headers, &length].concat());
    all.extend_from_slice(body);
    all
}

/// The bytes of a head.
pub(super) fn head(status: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// The result of a tool that says the same twice, as text and as data.
pub(super) fn told(data: &Value) -> Value {
    json!({"content": [{"type": "text", "text": data.to_string()}], "structuredContent": data})
}

pub(super) fn server_info() -> Value {
    json!({"name": "fault-http", "version": "1.0.0"})
}

#[expect(
    clippy::disallowed_methods,
    reason = "a peer that is slow is slow by the clock"
)]
pub(super) fn pause_for(time: Duration) {
    thread::sleep(time);
}

//! The few requests the bench makes itself: the handshake, and a call to see that what is measured works.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Where a server is, and how to speak to it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) address: SocketAddr,
    pub(crate) path: &'static str,
    /// What the tool is called there.
    pub(crate) tool: &'static str,
    /// The session, once there is one.
    pub(crate) session: Option<String>,
}

impl Place {
    /// Begins a session, if the server has any.
    pub(crate) fn greet(&mut self) -> io::Result<()> {
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}"#;
        let answer = self.post(hello)?;
        if !answer.contains(r#""result""#) {
            return Err(wrong(&answer));
        }
        self.session = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("mcp-session-id")
                .then(|| value.trim().to_owned())
        });
        self.post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
        Ok(())
    }

    /// Calls the tool once; fails unless the result is there, in its full size.
    pub(crate) fn try_once(&self, size: usize) -> io::Result<()> {
        let answer = self.post(&self.call(2, size))?;
        if answer.len() < size || !answer.contains(r#""result""#) {
            return Err(wrong(&answer));
        }
        Ok(())
    }

    /// Calls the tool once; fails unless the call does, and is told of in the words of Breakfall. Gives the bytes that takes.
    pub(crate) fn fail_once(&self, size: usize) -> io::Result<usize> {
        let answer = self.post(&self.call(2, size))?;
        let is_told = [r#""isError":true"#, "NOT_FOUND", r#""correlation_id":"#];
        if !is_told.iter().all(|part| answer.contains(part)) {
            return Err(wrong(&answer));
        }
        Ok(answer.len())
    }

    /// A call of the tool.
    pub(crate) fn call(&self, id: u64, size: usize) -> String {
        let tool = self.tool;
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"size":{size}}}}}}}"#
        )
    }

    /// What stands in front of a body of some length.
    pub(crate) fn head(&self, length: usize) -> String {
        let Self { path, address, .. } = self;
        let session = self.session.as_ref();
        let session = session.map_or_else(String::new, |id| format!("Mcp-Session-Id: {id}\r\n"));
        format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n\
             {session}Content-Length: {length}\r\n"
        )
    }

    fn post(&self, body: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let head = self.head(body.len());
        stream.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        if answer.starts_with("HTTP/1.1 2") {
            Ok(answer)
        } else {
            Err(wrong(&answer))
        }
    }
}

fn wrong(answer: &str) -> io::Error {
    let shown: String = answer.chars().take(500).collect();
    io::Error::other(format!("instead of what is measured there came {shown}"))
}

const PATIENCE: Duration = Duration::from_secs(10);

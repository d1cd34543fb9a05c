//! Everything that leaves: lines of the protocol on standard output, complaints on standard error.
//!
//! An error while writing means that the reader has gone, which a server notices by the end of its input; so
//! it is only a reason to stop writing.

use std::io::{self, Write as _};

use serde_json::Value;

use super::behaviour::Behaviour;

/// One message, one line.
pub(super) fn send(message: &Value) {
    let mut line = serde_json::to_vec(message).expect("a value is JSON");
    line.push(b'\n');
    raw(&line);
}

/// Bytes as they are, at once and in one piece.
pub(super) fn raw(bytes: &[u8]) {
    let mut stdout = io::stdout().lock();
    let _gone = stdout.write_all(bytes).and_then(|()| stdout.flush());
}

pub(super) fn complain(text: &str) {
    let _gone = writeln!(io::stderr(), "fault-server: {text}");
}

pub(super) fn list() -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for behaviour in Behaviour::ALL {
        let (name, about) = (behaviour.name(), behaviour.about());
        writeln!(stdout, "{name:26} {about}")?;
    }
    stdout.flush()
}

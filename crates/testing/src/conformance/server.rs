//! The server that has all the suite asks for.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A `conformance-server` that serves HTTP. It ends with the value.
#[derive(Debug)]
pub struct Server {
    process: Child,
    url: String,
}

/// The path of the `conformance-server` that was built beside the running test.
///
/// # Panics
/// When it is not built: building another package alone does not build it.
pub fn program() -> PathBuf {
    crate::built::program("conformance-server", "conformance-server")
}

impl Server {
    /// Starts one at a free port, with further arguments such as `--era legacy`.
    ///
    /// # Panics
    /// When it does not start.
    pub fn http(arguments: &[&str]) -> Self {
        let mut process = Command::new(program())
            .args(["--http", "0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("the server does not start: {error}"));
        let stdout = process.stdout.take().expect("piped just above");
        let mut url = String::new();
        let read = BufReader::new(stdout).read_line(&mut url);
        // From here on it ends with the value, also when what follows fails.
        let server = Self {
            process,
            url: url.trim_end().to_owned(),
        };
        assert!(
            read.is_ok() && server.url.starts_with("http://"),
            "{server:?} says no address"
        );
        server
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ended = self.process.kill();
        let _status = self.process.wait();
    }
}

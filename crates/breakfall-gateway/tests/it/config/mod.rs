//! The configuration: what a file means, and what is told about one that means nothing.

mod valid;
mod hostile;
mod policies;
mod problems;
mod replies;
mod retention;
mod schema;
mod secrets;
mod unused;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use breakfall_gateway::config::{Config, ConfigError, Environment};

/// A machine with a few variables and files.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) variables: BTreeMap<&'static str, &'static str>,
    pub(crate) files: BTreeMap<&'static str, &'static str>,
}

impl Environment for World {
    fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.get(name).map(OsString::from)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = path.to_str().and_then(|path| self.files.get(path));
        found
            .map(|text| text.as_bytes().to_vec())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &Path) -> bool {
        true
    }
}

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse_with(text, "my.yaml", &World::default())
}

/// The configuration of a text that has one.
fn accepted(text: &str) -> Config {
    parse(text)
        .map_err(|problems| problems.to_string())
        .expect("it is accepted")
}

/// What is told about a text that has none, as `line:column message`.
fn told(text: &str) -> Vec<String> {
    let problems = parse(text).expect_err("it is refused");
    let lines = problems.iter().map(|problem| match problem.place() {
        Some(place) => format!("{}:{} {problem}", place.line, place.column),
        None => problem.to_string(),
    });
    lines.collect()
}

/// One upstream with one more line.
fn upstream(line: &str) -> String {
    format!("upstreams:\n  one:\n    command: [a]\n    {line}\n")
}

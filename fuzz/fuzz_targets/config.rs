//! Bytes → a configuration, or problems that have a place and say something.
#![no_main]

use std::ffi::OsString;
use std::io;
use std::path::Path;

use breakfall_gateway::config::{Config, Environment};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Config::from_slice(bytes, "fuzz.yaml", &Nowhere) {
        Ok(config) => {
            assert!(!config.upstreams.is_empty());
            assert!(!format!("{config:?}").contains(PLANTED));
        }
        Err(problems) => {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            for problem in problems.iter() {
                assert!(!problem.message().is_empty());
                if let Some(place) = problem.place() {
                    assert!(place.line <= place.end_line && place.end_line <= lines);
                }
            }
            let shown = problems.render(false, 80);
            assert!(
                !shown.chars().any(|c| c.is_control() && c != '\n'),
                "{shown:?}"
            );
            assert!(!shown.contains(PLANTED));
        }
    }
});

/// One variable, whose value nobody may see.
struct Nowhere;

const PLANTED: &str = "pl4nted-s3cret";

impl Environment for Nowhere {
    fn variable(&self, name: &str) -> Option<OsString> {
        (name == "A").then(|| PLANTED.into())
    }

    fn file(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }
}

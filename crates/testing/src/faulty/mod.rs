//! A stdio server that misbehaves on demand, to test programs against such servers.
//!
//! It is a small, correct MCP server of both protocol eras. Its tool `misbehave` takes the name of a [`Behaviour`] as
//! `how`; behaviours of the start are flags, `--start NAME`. Every number a behaviour uses can be set by an argument of the
//! name its description gives. The binary is `fault-server`; [`program`] finds it.
#![expect(
    clippy::exhaustive_enums,
    reason = "private to the workspace; a test walks over all of it"
)]

mod behaviour;
mod call;
mod canned;
mod methods;
mod misbehave;
mod notes;
mod options;
mod out;
mod program;
mod server;
mod start;
mod tools;
mod trail;

use std::io;
use std::process::ExitCode;

pub use behaviour::{Behaviour, Leaves, When, Yields};
pub use program::program;
pub use start::FAKE_SECRET;
pub use trail::Trail;

/// Runs the server until its standard input ends, or it dies of what it was told to do.
///
/// # Errors
/// When even the list of behaviours cannot be written.
pub fn run(arguments: impl Iterator<Item = String>) -> io::Result<ExitCode> {
    match options::Options::read(arguments) {
        Ok(options::Wanted::List) => {
            out::list()?;
            Ok(ExitCode::SUCCESS)
        }
        Ok(options::Wanted::Serve(options)) => Ok(start::begin(options)),
        Err(complaint) => {
            out::complain(&complaint);
            Ok(ExitCode::from(2))
        }
    }
}

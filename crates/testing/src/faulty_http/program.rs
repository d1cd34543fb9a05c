//! The server as a program of its own.

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use serde_json::json;

use super::behaviour::Behaviour;
use super::options::Options;
use super::server::Server;

/// Serves until standard input ends. The first line of standard output is JSON with `url`; the last one, with `executed`,
/// counts what was done. `--list` shows the behaviours.
///
/// # Errors
/// When standard output is closed.
pub fn run(arguments: impl Iterator<Item = String>) -> io::Result<ExitCode> {
    let arguments: Vec<_> = arguments.collect();
    let mut stdout = io::stdout();
    if arguments == ["--list"] {
        for behaviour in Behaviour::ALL {
            let (name, about) = (behaviour.name(), behaviour.about());
            writeln!(stdout, "{name:26} {about}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let options = match Options::read(arguments.into_iter()) {
        Ok(options) => options,
        Err(complaint) => {
            writeln!(io::stderr(), "fault-http: {complaint}")?;
            return Ok(ExitCode::from(2));
        }
    };
    let server = Server::of(options);
    writeln!(stdout, "{}", json!({"url": server.url()}))?;
    stdout.flush()?;
    let mut ignored = [0; 512];
    while io::stdin().read(&mut ignored).is_ok_and(|read| read > 0) {}
    writeln!(stdout, "{}", json!({"executed": server.all_executed()}))?;
    Ok(ExitCode::SUCCESS)
}

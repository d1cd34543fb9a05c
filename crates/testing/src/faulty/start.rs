//! From the command line to the loop, and what can go wrong on that way.

use std::fs::OpenOptions;
use std::io::{self, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use super::behaviour::Behaviour;
use super::options::Options;
use super::out;
use super::server::Server;
use super::trail;

/// What looks like a secret in the traceback of [`Behaviour::ExitAtStart`]. It must not reach a caller.
pub const FAKE_SECRET: &str = "hunter2-is-no-password";

pub(super) fn begin(options: Options) -> ExitCode {
    if options.shows(Behaviour::Stubborn) && !options.armoured {
        return armour();
    }
    let starts = trail::leave(options.trail.as_deref(), std::process::id());
    if options.shows(Behaviour::ExitAtStart)
        || options
            .starts(Behaviour::ExitFirstStarts, 1)
            .is_some_and(|bad| starts <= bad)
    {
        return traceback();
    }
    if options.shows(Behaviour::Banner) {
        out::raw("*** Fault server 1.0 ***\nListening on stdio ✓\n\n".as_bytes());
    }
    if options.shows(Behaviour::NeedsTerminal) {
        let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty");
        if let Err(error) = terminal {
            out::complain(&format!("a terminal is needed: /dev/tty: {error}"));
            return ExitCode::FAILURE;
        }
    }
    if options.shows(Behaviour::NeverReads) {
        forever();
    }
    serve(options)
}

fn serve(options: Options) -> ExitCode {
    let stubborn = options.shows(Behaviour::Stubborn);
    let pace = options.starts(Behaviour::ReadsSlowly, 512);
    let server = Server::new(options);
    let input = io::stdin().lock();
    let code = match pace {
        Some(pace) => server.serve(BufReader::new(Slow { input, pace })),
        None => server.serve(input),
    };
    if stubborn {
        forever();
    }
    code
}

/// Starts itself again with SIGTERM ignored. What is ignored stays ignored over `exec`, and the shell can do it without
/// unsafe code.
fn armour() -> ExitCode {
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap "" TERM; exec "$@""#, "sh"]);
    match std::env::current_exe() {
        Ok(program) => command.arg(program),
        Err(error) => {
            out::complain(&format!("cannot find itself: {error}"));
            return ExitCode::FAILURE;
        }
    };
    command.args(std::env::args_os().skip(1)).arg("--armoured");
    let error = command.exec();
    out::complain(&format!("cannot start itself: {error}"));
    ExitCode::FAILURE
}

/// The last words of a server that does not get to its first.
pub(super) fn traceback() -> ExitCode {
    out::complain(&trace());
    ExitCode::FAILURE
}

/// All that should stay where it is, in one text.
pub(super) fn trace() -> String {
    format!(
        "Traceback (most recent call last):\n  \
         File \"/srv/app/private/server.py\", line 12, in <module>\n    \
         engine = connect(\"postgresql://app:{FAKE_SECRET}@db.internal:5432/orders\")\n\
         ConnectionError: password={FAKE_SECRET} was refused"
    )
}

/// Runs until it is killed.
pub(super) fn forever() -> ! {
    loop {
        thread::park();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a peer that is slow is slow by the clock"
)]
pub(super) fn pause_for(time: Duration) {
    thread::sleep(time);
}

/// Some bytes, a pause, some bytes.
struct Slow<R> {
    input: R,
    pace: u64,
}

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        pause_for(Duration::from_millis(10));
        let most = usize::try_from(self.pace).map_or(buffer.len(), |pace| pace.min(buffer.len()));
        self.input.read(&mut buffer[..most])
    }
}

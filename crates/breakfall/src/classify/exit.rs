//! A server process that ended → a fault: how it ended, when, and what it said last.

use std::process::ExitStatus;

use super::excerpt;
use super::rule::Rule;
use crate::catalog::codes;
use crate::code::{Code, Retry};
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::{Phrase, PhraseText};

/// The end of a process.
///
/// ```
/// use breakfall::classify::exit::{Exit, fault};
/// use breakfall::codes;
///
/// let exit = Exit::code(127).during_start().stderr(b"sh: 1: nxp: not found");
/// let fault = fault(&exit);
/// assert_eq!(fault.code(), codes::INTERNAL_CONFIGURATION);
/// assert_eq!(fault.public().message(), "Command of the server was not found");
/// assert!(fault.report().to_string().contains("nxp"), "the log knows");
/// ```
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Exit<'a> {
    end: ProcessEnd,
    phase: ExitPhase,
    stderr: &'a [u8],
}

/// How the process ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ProcessEnd {
    Code(i32),
    Signal(i32),
    Unknown,
}

/// When the process ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ExitPhase {
    Start,
    Run,
}

impl<'a> Exit<'a> {
    /// A process that ended with an exit code. A shell's 128 and more stand for a signal.
    pub const fn code(code: i32) -> Self {
        // 137 is how a shell says that its child was killed by signal 9.
        let end = match code {
            129..=159 => ProcessEnd::Signal(code - 128),
            code => ProcessEnd::Code(code),
        };
        Self::new(end)
    }

    /// A process that a signal ended.
    pub const fn signal(signal: i32) -> Self {
        Self::new(ProcessEnd::Signal(signal))
    }

    /// A process that ended, as the standard library tells it.
    pub fn of(status: ExitStatus) -> Self {
        match (status.code(), signal_of(status)) {
            (Some(code), _) => Self::code(code),
            (None, Some(signal)) => Self::signal(signal),
            (None, None) => Self::new(ProcessEnd::Unknown),
        }
    }

    const fn new(end: ProcessEnd) -> Self {
        Self {
            end,
            phase: ExitPhase::Run,
            stderr: &[],
        }
    }

    /// It ended before it ever answered. Otherwise it is taken to have ended while a call was under way.
    pub const fn during_start(mut self) -> Self {
        self.phase = ExitPhase::Start;
        self
    }

    /// What it wrote to its standard error, or the end of that. It is for the operator alone.
    pub const fn stderr(mut self, bytes: &'a [u8]) -> Self {
        self.stderr = bytes;
        self
    }
}

/// Classifies the end of a process.
pub fn fault(exit: &Exit<'_>) -> Fault {
    let row = row(exit);
    let (key, number) = match exit.end {
        ProcessEnd::Code(code) => ("exit_code", Some(code)),
        ProcessEnd::Signal(signal) => ("signal", Some(signal)),
        ProcessEnd::Unknown => ("exit_code", None),
    };
    let message = PhraseText::from(row.message);
    let mut fault = Fault::new(row.code).say(match exit.end {
        ProcessEnd::Signal(signal) => message.with("signal", signal_name(signal)),
        ProcessEnd::Code(_) | ProcessEnd::Unknown => message,
    });
    if let Some(number) = number {
        fault = fault.detail(key, number);
    }
    if let Some(retry) = row.retry {
        fault = fault.retry(retry);
    }
    if let Some(said) = excerpt::tail(exit.stderr, excerpt::NOTE) {
        fault = fault.note(format!("standard error ended with: {said}"));
    }
    fault.provenance(Provenance::new(row.rule, row.confidence))
}

/// Every rule.
pub(super) fn rules() -> impl Iterator<Item = Rule<'static>> {
    let listed = |row: &'static ExitRow| {
        Rule::fixed(row.rule, row.message.english, row.code, row.confidence)
    };
    let others = [&OUT_OF_MEMORY, &KILLED, &START_FAILED, &OTHER];
    ROWS.iter().chain(others).map(listed)
}

/// The row of an end. What a process said of its memory counts whatever its code is; of other words, nothing does.
fn row(exit: &Exit<'_>) -> &'static ExitRow {
    let fitting = || ROWS.iter().find(|row| row.fits(exit));
    match (exit.end, exit.phase) {
        (ProcessEnd::Code(0), _) => fitting().unwrap_or(&OTHER),
        _ if lacked_memory(exit.stderr) => &OUT_OF_MEMORY,
        (ProcessEnd::Signal(1..), _) => fitting().unwrap_or(&KILLED),
        (ProcessEnd::Code(_), ExitPhase::Start) => fitting().unwrap_or(&START_FAILED),
        (ProcessEnd::Code(_) | ProcessEnd::Signal(_) | ProcessEnd::Unknown, _) => {
            fitting().unwrap_or(&OTHER)
        }
    }
}

/// Whether a process said that it ran out of memory.
fn lacked_memory(stderr: &[u8]) -> bool {
    let end = &stderr[stderr.len().saturating_sub(SEARCHED)..];
    let said = String::from_utf8_lossy(end).to_ascii_lowercase();
    MEMORY_WORDS.iter().any(|words| said.contains(words))
}

/// How runtimes say that they ran out of memory: V8, Python, C++, Rust, Go, the JVM, .NET.
const MEMORY_WORDS: &[&str] = &[
    "heap out of memory",
    "memoryerror",
    "std::bad_alloc",
    "memory allocation of",
    "cannot allocate memory",
    "runtime: out of memory",
    "java.lang.outofmemoryerror",
    "system.outofmemoryexception",
];

/// How many bytes at the end of the standard error are searched.
const SEARCHED: usize = 64 << 10;

/// `SIGKILL`; a signal without a name is a number.
fn signal_name(signal: i32) -> String {
    let names = SIGNALS.iter().find(|(number, _)| *number == signal);
    match names {
        Some((_, name)) => (*name).to_owned(),
        None => format!("signal {signal}"),
    }
}

/// The signals that have the same number everywhere.
const SIGNALS: &[(i32, &str)] = &[
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
];

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

struct ExitRow {
    rule: &'static str,
    ends: &'static [ProcessEnd],
    /// When; nothing for both.
    phase: Option<ExitPhase>,
    code: Code,
    message: Phrase,
    /// The retry class, where it is not that of the code.
    retry: Option<Retry>,
    confidence: Confidence,
}

impl ExitRow {
    fn fits(&self, exit: &Exit<'_>) -> bool {
        let then = self.phase.is_none_or(|phase| phase == exit.phase);
        then && self.ends.contains(&exit.end)
    }
}

/// Rows as `rule phase [ends]: code, phrase;`, and a retry class where it is not that of the code.
macro_rules! ends {
    ($($rule:literal $phase:tt [$($end:ident($number:literal)),*]: $code:ident, $phrase:ident $(, $retry:ident)?;)*) => {
        &[$(ExitRow {
            rule: $rule,
            ends: &[$(ProcessEnd::$end($number)),*],
            phase: ends!(@phase $phase),
            code: codes::$code,
            message: Phrase::$phrase,
            retry: ends!(@retry $($retry)?),
            confidence: Confidence::Structural,
        },)*]
    };
    (@phase Any) => { None };
    (@phase $phase:ident) => { Some(ExitPhase::$phase) };
    (@retry) => { None };
    (@retry $retry:ident) => { Some(Retry::$retry) };
}

/// The particular before the general.
const ROWS: &[ExitRow] = ends! {
    "exit.not-found" Any [Code(127)]: INTERNAL_CONFIGURATION, EXIT_NOT_FOUND;
    "exit.not-executable" Any [Code(126)]: INTERNAL_CONFIGURATION, EXIT_NOT_EXECUTABLE;
    "exit.configuration" Any [Code(78), Code(64)]: INTERNAL_CONFIGURATION, EXIT_CONFIGURATION;
    // It was asked to serve and saw nothing to do: it is not a server, or was not started as one.
    "exit.start-success" Start [Code(0)]: INTERNAL_CONFIGURATION, EXIT_START_SUCCESS;
    "exit.unexpected-end" Any [Code(0)]: UNAVAILABLE_SERVICE, EXIT_UNEXPECTED_END;
    "exit.temporary" Any [Code(75), Code(69)]: UNAVAILABLE_SERVICE, EXIT_TEMPORARY;
    "exit.stopped" Any [Signal(15), Signal(2), Signal(1), Signal(3)]: UNAVAILABLE_SERVICE, EXIT_STOPPED;
    // What crashed it is likely to crash it again, so once is enough. The last is the code Windows has for a bad access.
    "exit.crash" Any [Signal(11), Signal(6), Signal(7), Signal(10), Signal(4), Signal(8), Code(-1_073_741_819)]: UNAVAILABLE_SERVICE, EXIT_CRASH, Once;
};

/// Its own words, so the cause is not certain.
static OUT_OF_MEMORY: ExitRow = ExitRow {
    rule: "exit.out-of-memory",
    ends: &[],
    phase: None,
    code: codes::UNAVAILABLE_SERVICE,
    message: Phrase::EXIT_OUT_OF_MEMORY,
    retry: Some(Retry::Once),
    confidence: Confidence::Textual,
};

/// Any other signal, most of all SIGKILL. Who sent it is not known.
static KILLED: ExitRow = ExitRow {
    rule: "exit.killed",
    ends: &[],
    phase: None,
    code: codes::UNAVAILABLE_SERVICE,
    message: Phrase::EXIT_KILLED,
    retry: None,
    confidence: Confidence::Structural,
};

/// What fails at the start fails again until its operator changes something: a key is missing, a file is not there.
static START_FAILED: ExitRow = ExitRow {
    rule: "exit.start-failed",
    ends: &[],
    phase: Some(ExitPhase::Start),
    code: codes::UNAVAILABLE_SERVICE,
    message: Phrase::EXIT_START_FAILED,
    retry: Some(Retry::Never),
    confidence: Confidence::Default,
};

/// Any other end: it failed for an unknown reason.
static OTHER: ExitRow = ExitRow {
    rule: "exit.failed",
    ends: &[],
    phase: None,
    code: codes::UNAVAILABLE_SERVICE,
    message: Phrase::EXIT_FAILED,
    retry: Some(Retry::Once),
    confidence: Confidence::Default,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::lint;

    #[test]
    fn every_row_is_reached_and_speaks_in_public() {
        for row in ROWS {
            assert_eq!(
                lint::plain(&row.message.english.replace("{signal}", "SIGTERM")),
                [],
                "{}",
                row.message.english
            );
            for &end in row.ends {
                let exit = Exit {
                    phase: row.phase.unwrap_or(ExitPhase::Run),
                    ..Exit::new(end)
                };
                let fault = fault(&exit);
                let from = fault.public().provenance().expect("a rule");
                assert_eq!(from.rule, row.rule, "{end:?}");
            }
        }
        assert_eq!(lint::plain(OTHER.message.english), []);
    }
}

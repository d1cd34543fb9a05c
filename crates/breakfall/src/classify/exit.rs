//! A server process that ended → a fault: how it ended, when, and what it said last.

use std::process::ExitStatus;

use super::excerpt;
use super::rule::Rule;
use crate::catalog::codes;
use crate::code::{Code, Retry};
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;

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
    let row = ROWS.iter().find(|row| row.fits(exit)).unwrap_or(&OTHER);
    let (key, number) = match exit.end {
        ProcessEnd::Code(code) => ("exit_code", Some(code)),
        ProcessEnd::Signal(signal) => ("signal", Some(signal)),
        ProcessEnd::Unknown => ("exit_code", None),
    };
    let mut fault = Fault::new(row.code).say(row.message);
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
    ROWS.iter().chain([&OTHER]).map(listed)
}

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

const fn row(rule: &'static str, ends: &'static [ProcessEnd], message: Phrase) -> ExitRow {
    ExitRow {
        rule,
        ends,
        phase: None,
        code: codes::UNAVAILABLE_SERVICE,
        message,
        retry: None,
        confidence: Confidence::Structural,
    }
}

/// The particular before the general.
const ROWS: &[ExitRow] = &[
    ExitRow {
        code: codes::INTERNAL_CONFIGURATION,
        ..row(
            "exit.not-found",
            &[ProcessEnd::Code(127)],
            Phrase::EXIT_NOT_FOUND,
        )
    },
    ExitRow {
        code: codes::INTERNAL_CONFIGURATION,
        ..row(
            "exit.not-executable",
            &[ProcessEnd::Code(126)],
            Phrase::EXIT_NOT_EXECUTABLE,
        )
    },
    ExitRow {
        code: codes::INTERNAL_CONFIGURATION,
        ..row(
            "exit.configuration",
            &[ProcessEnd::Code(78), ProcessEnd::Code(64)],
            Phrase::EXIT_CONFIGURATION,
        )
    },
    ExitRow {
        // It was asked to serve and saw nothing to do: it is not a server, or was not started as one.
        phase: Some(ExitPhase::Start),
        code: codes::INTERNAL_CONFIGURATION,
        ..row(
            "exit.start-success",
            &[ProcessEnd::Code(0)],
            Phrase::EXIT_START_SUCCESS,
        )
    },
    row(
        "exit.unexpected-end",
        &[ProcessEnd::Code(0)],
        Phrase::EXIT_UNEXPECTED_END,
    ),
    row(
        "exit.temporary",
        &[ProcessEnd::Code(75), ProcessEnd::Code(69)],
        Phrase::EXIT_TEMPORARY,
    ),
    row("exit.killed", &[ProcessEnd::Signal(9)], Phrase::EXIT_KILLED),
    row(
        "exit.stopped",
        &[
            ProcessEnd::Signal(15),
            ProcessEnd::Signal(2),
            ProcessEnd::Signal(1),
            ProcessEnd::Signal(3),
        ],
        Phrase::EXIT_STOPPED,
    ),
    ExitRow {
        // What crashed it is likely to crash it again, so once is enough. The last is the code Windows has for a bad access.
        retry: Some(Retry::Once),
        ..row(
            "exit.crash",
            &[
                ProcessEnd::Signal(11),
                ProcessEnd::Signal(6),
                ProcessEnd::Signal(7),
                ProcessEnd::Signal(10),
                ProcessEnd::Signal(4),
                ProcessEnd::Signal(8),
                ProcessEnd::Code(-1_073_741_819),
            ],
            Phrase::EXIT_CRASH,
        )
    },
];

/// Any other end: it failed for an unknown reason.
static OTHER: ExitRow = ExitRow {
    retry: Some(Retry::Once),
    confidence: Confidence::Default,
    ..row("exit.failed", &[], Phrase::EXIT_FAILED)
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::lint;

    #[test]
    fn every_row_is_reached_and_speaks_in_public() {
        for row in ROWS {
            assert_eq!(
                lint::plain(row.message.english),
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

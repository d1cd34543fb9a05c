//! Exit codes. Scripts rely on them, so the numbers never change.

use std::process::ExitCode;

/// An exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandExit {
    /// Done.
    Ok,
    /// A defect of this program.
    Internal,
    /// Input or usage that cannot be used; the caller can fix it.
    BadInput,
    /// A configuration that cannot be used; the operator can fix it.
    BadConfig,
    /// Output that could not be written.
    Output,
    /// The server could not be started, exited before its first message, or does not speak MCP.
    Server,
    /// The call failed, and repeating it will not help.
    Failed,
    /// The call needs input or consent of a person.
    NeedsInput,
    /// The call failed, and may succeed when repeated.
    FailedForNow,
    /// The address cannot be bound: already in use, or not an address of this machine.
    Address,
    /// Interrupted by a signal.
    Interrupted,
}

impl CommandExit {
    /// The number.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Internal => 1,
            Self::BadInput => 2,
            Self::BadConfig => 3,
            Self::Output => 4,
            Self::Server => 5,
            Self::Failed => 6,
            Self::NeedsInput => 7,
            Self::FailedForNow => 8,
            Self::Address => 9,
            Self::Interrupted => 130,
        }
    }
}

impl From<CommandExit> for ExitCode {
    fn from(exit: CommandExit) -> Self {
        Self::from(exit.number())
    }
}

/// What `--help` and the man page say about it.
pub(crate) const HELP: &str = "\
Exit codes:
  0  done
  1  internal error: a defect of this program
  2  bad input: unknown code or tool, unreadable or malformed document, wrong usage
  3  bad configuration: a file that is unreadable, malformed or contradicts itself
  4  the output could not be written
  5  the server could not be started, exited before its first message, or does not speak MCP
  6  the call failed; repeating it does not help, or may execute it twice
  7  the call needs input or consent of a person
  8  the call failed, and may succeed when repeated
  9  the address cannot be bound: already in use, or not an address of this machine
  130  interrupted";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_every_exit_code() {
        for exit in [
            CommandExit::Ok,
            CommandExit::Internal,
            CommandExit::BadInput,
            CommandExit::BadConfig,
            CommandExit::Output,
            CommandExit::Server,
            CommandExit::Failed,
            CommandExit::NeedsInput,
            CommandExit::FailedForNow,
            CommandExit::Address,
            CommandExit::Interrupted,
        ] {
            let line = format!("\n  {}  ", exit.number());
            assert!(HELP.contains(&line), "{exit:?}");
        }
    }
}

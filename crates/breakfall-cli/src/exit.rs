//! How the process ends: a promise to scripts, so the numbers never change.

use std::process::ExitCode;

/// An exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Ok,
    /// A defect of this program.
    Internal,
    /// Input or usage that cannot be worked with; whoever called can fix it.
    BadInput,
    /// A configuration that cannot be worked with; whoever wrote it can fix it.
    BadConfig,
    /// Output that could not be written.
    Output,
    /// The server behind us could not be started, ended before it said anything, or does not speak the protocol.
    Server,
    /// The call failed, and simply repeating it will not help.
    Failed,
    /// The call needs an answer or the consent of a person.
    NeedsInput,
    /// The call failed, and may succeed when it is repeated.
    FailedForNow,
    /// The address cannot be listened at: somebody else does, or it is not ours.
    Address,
    /// Somebody had enough.
    Interrupted,
}

impl Exit {
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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
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
  5  the server could not be started, ended before it said anything, or does not speak MCP
  6  the call failed, and simply repeating it will not help, or may do something twice
  7  the call needs the answer or the consent of a person
  8  the call failed, and may succeed when it is repeated
  9  the address cannot be listened at: already in use, or not of this machine
  130  interrupted";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_every_exit_code() {
        for exit in [
            Exit::Ok,
            Exit::Internal,
            Exit::BadInput,
            Exit::BadConfig,
            Exit::Output,
            Exit::Server,
            Exit::Failed,
            Exit::NeedsInput,
            Exit::FailedForNow,
            Exit::Address,
            Exit::Interrupted,
        ] {
            let line = format!("\n  {}  ", exit.number());
            assert!(HELP.contains(&line), "{exit:?}");
        }
    }
}

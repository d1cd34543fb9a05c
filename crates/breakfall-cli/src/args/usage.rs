//! Mistakes in the arguments, and help: what clap prints, and better advice where it has none.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::exit::CommandExit;
use crate::output;
use crate::report::CommandError;

/// Commands of later versions, which documents mention already: not a typing error.
const PLANNED: [&str; 3] = ["check", "adapter", "approvals"];

/// Prints help and versions on stdout, mistakes on stderr.
pub(crate) fn usage(mut error: clap::Error) -> CommandExit {
    if let Some(command) = planned(&error) {
        let message = format!("breakfall {command} is planned, not in this version");
        let error = CommandError::input(message);
        return output::fail(&error.hint("breakfall --help has the commands there are"));
    }
    if let Some(tip) = missing_separator(&error, std::env::args_os()) {
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    let printed = error.print();
    if error.use_stderr() {
        // A failure of stderr cannot be reported anywhere.
        return CommandExit::BadInput;
    }
    output::written(printed)
}

/// The planned command that was asked for.
fn planned(error: &clap::Error) -> Option<&str> {
    let ContextValue::String(name) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    PLANNED.contains(&name.as_str()).then_some(name)
}

/// What to write if the command of a server lacks the `--` in front. The advice of clap would make it worse.
fn missing_separator(
    error: &clap::Error,
    mut given: impl Iterator<Item = OsString>,
) -> Option<String> {
    let command = given.nth(1)?.into_string().ok()?;
    let has_separator = given.any(|word| word == "--");
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    // A long option is more often a misspelt option of Breakfall than an option of a server.
    let is_misspelt = argument.starts_with("--");
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    (command == "call" && is_unknown && !has_separator && !is_misspelt).then(|| {
        format!("the command of a server follows '--': breakfall {command} -- npx -y some-server")
    })
}

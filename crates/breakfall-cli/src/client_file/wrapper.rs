//! `breakfall run` in front of the command of a server.

use std::path::Path;

use crate::shell;

/// A command line that starts with this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapped {
    /// `run`, in front of a command that begins at this argument.
    Command(usize),
    /// Something else: `serve --stdio`, or `run` with a configuration.
    Other,
}

/// How this program stands in a command line; `None` if the program is another.
pub(crate) fn wrapped(program: &str, args: &[&str]) -> Option<Wrapped> {
    let file = Path::new(program).file_name()?.to_str()?;
    // A file from Windows may be read on another system.
    let file = file.rsplit('\\').next().unwrap_or(file);
    let file = file.strip_suffix(".exe").unwrap_or(file);
    // A program of another name writes its whole path.
    if file != NAME && program != shell::program_path() {
        return None;
    }
    if args.first() != Some(&"run") {
        return Some(Wrapped::Other);
    }
    // Dashes after the beginning of the command belong to it. After options its place cannot be told from their values.
    let command = if args.get(1).is_some_and(|word| !word.starts_with('-')) {
        1
    } else if let Some(dashes) = args.iter().position(|word| *word == "--") {
        dashes + 1
    } else {
        return Some(Wrapped::Other);
    };
    let has_command = command < args.len();
    Some(if has_command {
        Wrapped::Command(command)
    } else {
        Wrapped::Other
    })
}

const NAME: &str = "breakfall";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_run_in_front_of_a_command_is_a_wrapper() {
        let of = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            wrapped(words[0], &words[1..])
        };
        let cases = [
            ("npx -y server", None),
            ("breakfall run -- npx -y server", Some(Wrapped::Command(2))),
            (
                "/opt/breakfall run --timeout 3s -- npx --",
                Some(Wrapped::Command(4)),
            ),
            (
                r"C:\bin\breakfall.exe run npx server",
                Some(Wrapped::Command(1)),
            ),
            (
                "breakfall run npm exec -- server-x /data",
                Some(Wrapped::Command(1)),
            ),
            ("breakfall run --demo", Some(Wrapped::Other)),
            ("breakfall run --", Some(Wrapped::Other)),
            ("breakfall serve --stdio", Some(Wrapped::Other)),
            ("breakfall-other run -- npx", None),
        ];
        for (line, want) in cases {
            assert_eq!(of(line), want, "{line}");
        }
        let own = shell::program_path();
        assert_eq!(
            wrapped(&own, &["run", "--", "npx"]),
            Some(Wrapped::Command(2))
        );
    }
}

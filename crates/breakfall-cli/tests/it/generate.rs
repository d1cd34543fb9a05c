//! Completions, man pages, help: all from the same definitions.

use crate::{breakfall, run, stdout};

const COMMANDS: [&str; 7] = [
    "run",
    "call",
    "explain",
    "convert",
    "config",
    "completions",
    "manpage",
];

#[test]
fn completions_know_the_commands_and_their_values() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(breakfall(&["completions", shell]));
        for word in COMMANDS.iter().chain(&["correlation-id"]) {
            assert!(script.contains(word), "{word} for {shell}");
        }
        // The other two complete no values.
        if ["bash", "zsh", "fish"].contains(&shell) {
            for word in ["response-v2", "after_change", "rate_limit"] {
                assert!(script.contains(word), "{word} for {shell}");
            }
        }
    }
}

#[test]
fn the_man_page_has_every_command_and_the_exit_codes() {
    let roff = stdout(breakfall(&["manpage"]));
    assert!(roff.contains(".TH breakfall 1"), "{roff}");
    for command in COMMANDS {
        let title = format!(".TH breakfall-{command} 1");
        assert!(roff.contains(&title), "{command}");
    }
    assert!(
        roff.contains(".TH breakfall-config-check 1"),
        "a command of a command"
    );
    assert!(roff.contains("Exit codes:"));
}

#[test]
fn help_documents_exit_codes_and_the_cap() {
    for command in [
        &["--help"][..],
        &["explain", "--help"],
        &["convert", "--help"],
        &["run", "--help"],
        &["call", "--help"],
        &["config", "check", "--help"],
    ] {
        let help = stdout(breakfall(command));
        for line in [
            "  0  done",
            "  2  bad input",
            "  3  bad configuration",
            "  4  the output could not be written",
            "  6  the call failed; repeating it does not help, or may execute it twice",
            "  130  interrupted",
        ] {
            assert!(help.contains(line), "{line} in {command:?}");
        }
    }
    assert!(stdout(breakfall(&["convert", "--help"])).contains("at most 1 MiB"));
}

#[test]
fn without_arguments_there_is_help_on_stderr() {
    let output = run(breakfall(&[]));
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("Start here"));
}

//! Completions, man pages, help: all from the same definitions.

use crate::{breakfall, run, stdout};

const COMMANDS: [&str; 10] = [
    "run",
    "call",
    "init",
    "doctor",
    "explain",
    "convert",
    "quota",
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
fn each_command_has_a_man_page_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man/man1");
    let written = stdout(breakfall(&[
        "manpage",
        "--dir",
        &pages.display().to_string(),
    ]));
    assert_eq!(written, "");
    let page = |name: &str| {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).expect("a page");
        assert!(page.contains(&format!(".TH {name} 1 ")), "{name}");
        assert_eq!(page.matches(".TH ").count(), 1, "{name}");
        page
    };
    assert!(page("breakfall").contains("Exit codes:"));
    assert!(page("breakfall-config-check").contains("gateway.yaml"));
    for command in COMMANDS {
        assert!(!page(&format!("breakfall-{command}")).contains("Exit codes:"));
    }
    let file = pages.join("breakfall.1").display().to_string();
    let output = run(breakfall(&["manpage", "--dir", &file]));
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn help_documents_exit_codes_once_and_the_cap() {
    let help = stdout(breakfall(&["--help"]));
    for line in [
        "  0  done",
        "  2  bad input",
        "  3  bad configuration",
        "  4  the output could not be written",
        "  6  the call failed; repeating it does not help, or may execute it twice",
        "  130  interrupted",
    ] {
        assert!(help.contains(line), "{line}");
    }
    for command in COMMANDS {
        let help = stdout(breakfall(&[command, "--help"]));
        assert!(!help.contains("  0  done"), "{command}");
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

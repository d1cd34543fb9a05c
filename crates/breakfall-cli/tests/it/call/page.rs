//! The page about the command line shows what really happens.

use std::path::Path;
use std::process::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");

/// Runs what stands behind a `$` and puts its output below it. `BREAKFALL_BLESS=1` rewrites the page.
#[test]
fn every_example_of_the_page_says_what_it_says_there() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (mut fresh, mut in_console, mut count) = (String::new(), false, 0);
    for line in page.lines() {
        let is_output = in_console && !line.starts_with("$ ") && line != "```";
        if is_output {
            continue;
        }
        fresh.push_str(line);
        fresh.push('\n');
        in_console = line == "```console" || (in_console && line != "```");
        if let Some(script) = line.strip_prefix("$ ").filter(|_| in_console) {
            fresh.push_str(&output(script));
            count += 1;
        }
    }
    assert!(count > 3, "the page has lost its examples");
    if std::env::var_os("BREAKFALL_BLESS").is_some() {
        return std::fs::write(PAGE, &fresh).unwrap();
    }
    assert!(
        page == fresh,
        "docs/command-line.md is stale; run ./check bless. It would be:\n{fresh}"
    );
}

/// What a person sees, both streams in one.
fn output(script: &str) -> String {
    let directory = Path::new(env!("CARGO_BIN_EXE_breakfall"))
        .parent()
        .expect("it lies in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{script} 2>&1")])
        .env("PATH", format!("{}:{path}", directory.display()))
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("there is a shell");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

//! What the README shows is what happens.

use std::path::Path;
use std::process::Command;

/// The commands of the README that need nothing but this program, each with the output shown below it.
fn shown() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("there is a README");
    let blocks = readme.split("```console\n$ ").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split_once("\n```"));
    let commands = blocks.filter_map(|(block, _)| block.split_once('\n'));
    commands
        .filter(|(command, output)| command.starts_with("breakfall ") && !output.starts_with("$ "))
        .map(|(command, output)| (command.to_owned(), format!("{output}\n")))
        .collect()
}

/// References differ from call to call.
fn masked(output: &str) -> String {
    let lines = output
        .lines()
        .map(|line| match line.split_once("reference: ") {
            Some((indent, _)) => format!("{indent}reference: 019f…\n"),
            None => format!("{line}\n"),
        });
    lines.collect()
}

#[test]
fn every_output_in_the_readme_is_real() {
    let shown = shown();
    assert!(shown.len() >= 4, "only {} outputs are shown", shown.len());
    let program = Path::new(env!("CARGO_BIN_EXE_breakfall"));
    let folder = program.parent().expect("a program lies somewhere");
    for (command, want) in shown {
        let ran = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
            .output()
            .expect("a shell");
        let got = masked(&String::from_utf8_lossy(&ran.stdout));
        assert_eq!(got, want, "$ {command}");
    }
}

/// A wrong snippet makes a client fail silently.
#[test]
fn the_snippets_for_clients_put_run_in_front_of_a_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("there is a README");
    let blocks = readme.split("```json\n").skip(1);
    let snippets: Vec<serde_json::Value> = blocks
        .filter_map(|rest| rest.split_once("```"))
        .map(|(block, _)| serde_json::from_str(block).expect("a snippet is JSON"))
        .collect();
    assert_eq!(snippets.len(), 5);
    let keys = ["mcpServers", "servers"];
    for (snippet, key) in snippets[2..4].iter().zip(keys) {
        assert_eq!(snippet[key]["all"]["url"], URL, "{snippet}");
    }
    let desktop = &snippets[4]["mcpServers"]["all"];
    assert_eq!(desktop["command"], "breakfall");
    assert_eq!(desktop["args"][0], "serve");
    assert_eq!(desktop["args"][1], "--stdio");
    for (snippet, key) in snippets[..2].iter().zip(keys) {
        let server = &snippet[key]["files"];
        assert_eq!(server["command"], "breakfall", "{snippet}");
        assert_eq!(server["args"][0], "run", "{snippet}");
        assert_eq!(server["args"][1], "--", "{snippet}");
    }
}

const URL: &str = "http://127.0.0.1:7332/mcp";

#[test]
fn what_serve_says_in_the_readme_is_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("there is a README");
    let (_, block) = readme
        .split_once("```text\n$ breakfall serve\n")
        .expect("it is shown");
    let (shown, _) = block.split_once("```").expect("a block ends");
    let gateway = crate::serving::Gateway::demo();
    let address = gateway.address().to_string();
    assert_eq!(
        gateway.greeting().replace(&address, "127.0.0.1:7332"),
        shown
    );
}

#[test]
fn the_configuration_in_the_readme_is_good() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("there is a README");
    let (_, block) = readme.split_once("```yaml\n").expect("it is shown");
    let (shown, _) = block.split_once("```").expect("a block ends");
    let check = crate::breakfall(&["config", "check", "-"]).stdin(shown.to_owned());
    let output = crate::run(check.env("TICKETS_TOKEN", "x"));
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

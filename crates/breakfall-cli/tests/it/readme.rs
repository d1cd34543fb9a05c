//! What the README shows is what happens.

use std::path::Path;
use std::process::Command;

use testing::wire::Wire;

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

/// What the model reads, directly and behind Breakfall.
#[test]
fn the_error_before_and_after_in_the_readme_is_real() {
    let readme = page("README.md");
    let (_, rest) = readme.split_once("<!-- one error").expect("it is shown");
    let blocks = rest.split("```text\n").skip(1);
    let blocks: Vec<&str> = blocks
        .filter_map(|block| Some(block.split_once("\n```")?.0))
        .collect();
    let folder = tempfile::tempdir().expect("there is room");
    let server = testing::servers::Server::Time.command(folder.path());
    let breakfall = [env!("CARGO_BIN_EXE_breakfall"), "run", "--"].map(str::to_owned);
    let behind = [&breakfall[..], &server].concat();
    for (command, shown) in [server, behind].iter().zip(blocks) {
        let mut wire = Wire::start(
            Command::new(&command[0])
                .args(&command[1..])
                .env("XDG_STATE_HOME", folder.path()),
        );
        wire.initialize();
        wire.call(1, "get_current_time", &serde_json::json!({}));
        let answer = wire.answer(1);
        let text = answer["result"]["content"][0]["text"]
            .as_str()
            .expect("a text");
        let lines = text
            .lines()
            .map(|line| match line.split_once("Reference: ") {
                Some(_) => "Reference: 019f…",
                None => line,
            });
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), shown);
    }
}

/// A symptom is found by its words only if they are those of the program.
#[test]
fn every_line_in_the_page_on_troubleshooting_is_one_of_the_program() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let page = page("docs/troubleshooting.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut count = 0;
    let symptoms = cells.filter_map(|cell| Some(cell.split_once(" | ")?.0));
    // What stands between quotation marks, one or several.
    let lines = symptoms.flat_map(|symptom| symptom.split('`').step_by(2));
    for line in lines {
        for part in line.split(['\'', '(', ':']) {
            let words: Vec<&str> = part.split_whitespace().collect();
            for fixed in words.split(|word| is_value(word)) {
                let fixed = fixed.join(" ");
                let is_known = sources.contains(&fixed) || OF_OTHERS.contains(&&*fixed);
                assert!(is_known, "'{fixed}' of '{line}' is in no source");
                count += 1;
            }
        }
    }
    assert!(count > 30, "only {count} phrases are compared");
}

/// Words of shells and clients.
const OF_OTHERS: [&str; 2] = ["command not found", "spawn breakfall"];

/// A number, or the name of what differs.
fn is_value(word: &str) -> bool {
    let word = word.trim_matches(',');
    word.ends_with('…')
        || word.chars().any(|c| c.is_ascii_digit())
        || (word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase()))
}

/// All code below a folder, without tests.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("it is there") {
            let path = entry.expect("it is read").path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&std::fs::read_to_string(path).expect("it is text"));
            }
        }
    }
    text
}

/// The examples of a service have to work.
#[test]
fn the_configuration_in_the_page_on_deployment_is_good() {
    let page = page("docs/deployment.md");
    let (_, block) = page.split_once("```yaml\n").expect("it is shown");
    let (shown, _) = block.split_once("```").expect("a block ends");
    let check = crate::breakfall(&["config", "check", "-"]).stdin(shown.to_owned());
    let output = crate::run(
        check
            .env("TEAM_KEY", "x".repeat(40))
            .env("TICKETS_TOKEN", "x"),
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(!said.contains("no effect"), "{said}");
}

/// A block of the page on deployment.
fn deployment(page: &str, kind: &str) -> String {
    let (_, block) = page
        .split_once(&format!("```{kind}\n"))
        .expect("it is shown");
    let (block, _) = block.split_once("```").expect("a block ends");
    block.to_owned()
}

#[test]
fn the_commands_in_the_page_on_deployment_are_those_of_the_program() {
    let page = page("docs/deployment.md");
    let unit = deployment(&page, "ini");
    let container = deployment(&page, "dockerfile");
    let started = unit
        .lines()
        .filter_map(|line| line.strip_prefix("ExecStart"));
    let started = started.filter_map(|line| line.split_once("/usr/local/bin/breakfall "));
    let mut commands: Vec<Vec<&str>> = started.map(|(_, line)| line.split(' ').collect()).collect();
    let (_, words) = container.split_once("CMD ").expect("it has a command");
    commands.push(serde_json::from_str(words.trim()).expect("it is a list"));
    assert_eq!(commands.len(), 3);
    for command in &commands {
        // Words that it does not know come before the help.
        let output = crate::run(crate::breakfall(&[command, &["--help"][..]].concat()));
        assert_eq!(output.status.code(), Some(0), "{command:?}: {output:?}");
    }
}

/// What the unit, the container and the proxy say of this program has to hold.
#[test]
fn the_ports_paths_and_times_in_the_page_on_deployment_fit_each_other_and_the_program() {
    let page = page("docs/deployment.md");
    let [config, container, proxy] =
        ["yaml", "dockerfile", "nginx"].map(|kind| deployment(&page, kind));
    let after = |text: &'static str| {
        let rest = page.split_once(text).map(|(_, rest)| rest);
        let rest = rest.unwrap_or_else(|| panic!("no {text}"));
        rest.split(|c: char| c.is_whitespace() || c == ';')
            .next()
            .unwrap_or_default()
    };

    let port = config
        .lines()
        .find_map(|line| line.strip_prefix("listen: 127.0.0.1:"));
    let port = port.expect("it has a port");
    assert_eq!(after("EXPOSE "), port);
    assert!(
        container.contains(&format!("\"0.0.0.0:{port}\"")),
        "{container}"
    );
    assert_eq!(after("    server 127.0.0.1:"), port);
    assert_eq!(after("-p 127.0.0.1:"), format!("{port}:{port}"));
    let state = format!("/var/lib/{}", after("StateDirectory="));
    assert!(config.contains(&format!("sqlite:{state}/")), "{config}");
    assert_eq!(after("VOLUME "), state);
    assert!(page.contains(&format!("-v breakfall:{state} ")));

    let seconds = |text: &str| text.trim_end_matches('s').parse::<u64>().expect("a number");
    let drain = seconds(after("drain: "));
    assert!(seconds(after("TimeoutStopSec=")) > drain);
    assert!(seconds(after("--stop-timeout ")) > drain);
    let settings =
        breakfall_gateway::config::Config::parse("upstreams: { a: { demo: true } }", "it");
    let limits = settings.expect("it is good").limits;
    assert_eq!(
        after("client_max_body_size "),
        format!("{}m", limits.request >> 20)
    );

    let gateway = crate::serving::Gateway::demo();
    let paths = proxy
        .lines()
        .filter_map(|line| line.trim().strip_prefix("location "));
    let paths = paths.filter_map(|line| line.trim_start_matches("= ").split(' ').next());
    let mut count = 0;
    for path in paths {
        assert_ne!(gateway.get(path).status, 404, "{path}");
        count += 1;
    }
    assert_eq!(count, 4);
}

fn page(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    std::fs::read_to_string(path).expect("there is such a page")
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

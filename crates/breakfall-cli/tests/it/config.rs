//! `breakfall config`: what is printed where, and how it ends.

use std::path::Path;
use std::process::Output;

use snapbox::str;

use crate::{breakfall, run, stdout};

const GOOD: &str = "\
listen: 127.0.0.1:7332
upstreams:
  files:
    command: [sh, -y, \"@modelcontextprotocol/server-filesystem\", \"my files\"]
    timeout: 30s
    env: { TOKEN: pl4nted }
    tools:
      \"write_*\": { timeout: 2s }
      \"list_*\": { timeout: fast, retry: off, concurrency: { limit: 3 }, fallback_tool: tree }
  ledger:
    url: https://mcp.example.test/mcp
    headers: { Authorization: Bearer pl4nted }
    retry: off
    concurrency: { limit: 10 }
";

const BAD: &str = "\
upstreams:
  files:
    comand: npx
    timeout: 30
    env: { TOKEN: pl4nted, PORT: [1] }
";

fn check(text: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("there is room for a file");
    std::fs::write(folder.path().join("my.yaml"), text).expect("there is room for a file");
    let args = [&["config", "check", "my.yaml"], args].concat();
    run(breakfall(&args).current_dir(folder.path()))
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_was_understood_is_shown() {
    let output = check(GOOD, &[]);
    assert_eq!(output.status.code(), Some(0));
    snapbox::assert_data_eq!(
        String::from_utf8_lossy(&output.stdout).into_owned(),
        str![[r#"
my.yaml  no problems, 2 upstreams

Listen    127.0.0.1:7332
Sessions  up to 1000, each 30m without a request
Drain     30s
Names     SERVER__TOOL; a lost server: keep
Store     sqlite, in the user's state directory
Audit     the last 100000, for 30d
Reports   the last 10000, for 7d
Dialect   native
Limits    requests 16MiB, responses 64MiB, depth 128
Log       info, as text

files  sh -y @modelcontextprotocol/server-filesystem 'my files'
Env       TOKEN
Restart   after 100ms, then twice as long up to 30s
Timeout   30s without progress, 30m in all
Retry     3 attempts, pauses from 100ms to 5s, 10s if the server asks for it
Breaker   opens for 30s when 50% of 10 calls or more fail in 1m; 2 must work again
Trust     validated
Tools     list_*   timeout fast; retry off; 3 at once, 20 wait up to 5s; else tree
          write_*  timeout 2s

ledger  https://mcp.example.test/mcp
Headers   Authorization
Timeout   5m without progress, 30m in all
Retry     off
Breaker   opens for 30s when 50% of 10 calls or more fail in 1m; 2 must work again
Places    10 at once, 20 wait up to 5s
Trust     validated

"#]]
    );
    assert_eq!(error(&output), "");
}

#[test]
fn a_key_without_effect_in_this_version_is_an_error() {
    let line = "quotas: [{ metric: requests_per_hour, warn: 800, pause: 950 }]";
    let output = check(
        &format!("upstreams:\n  one:\n    demo: true\n    {line}\n"),
        &[],
    );
    assert_eq!(output.status.code(), Some(3));
    let said = error(&output);
    let want = "error: 'pause' is not available in this version\n";
    assert!(said.starts_with(want), "{said}");
    let output = check(
        "store: redis://127.0.0.1\nupstreams: { one: { demo: true } }\n",
        &[],
    );
    assert_eq!(output.status.code(), Some(3));
    assert!(error(&output).contains("redis is not available as a store"));
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let said = |upstream: &str| {
        let output = check(&format!("upstreams: {{ one: {{ {upstream} }} }}\n"), &[]);
        assert_eq!(output.status.code(), Some(0), "{upstream}");
        error(&output)
    };
    assert_eq!(
        said("command: [no-such-program, -y]"),
        "warning: upstreams.one.command: there is no program 'no-such-program' in PATH\n"
    );
    assert_eq!(
        said("command: ./no-such-program, cwd: /bin"),
        "warning: upstreams.one.command: there is no program './no-such-program' on this machine\n"
    );
    assert_eq!(
        said("command: sh, env: { PATH: /no/such/place }"),
        "warning: upstreams.one.command: there is no program 'sh' in PATH\n"
    );
    for there in [
        "command: sh",
        "command: [/bin/sh]",
        "command: ./sh, cwd: /bin",
    ] {
        assert_eq!(said(there), "", "{there}");
    }
}

#[test]
fn a_value_of_the_wrong_type_is_told_what_to_write() {
    let one = "upstreams: { one: { command: sh } }";
    for (text, hint) in [
        (
            format!("log: debug\n{one}"),
            "for example log: { level: debug, format: text }",
        ),
        (
            format!("hosts: a.test b.test\n{one}"),
            "write [a.test, b.test]",
        ),
        (
            "upstreams: { one: { command: sh, args: -c exit } }".to_owned(),
            "write [-c, exit]",
        ),
        (
            "upstreams: { one: { command: sh, env: [A=pl4nted] } }".to_owned(),
            "write a line `NAME: VALUE` for each, indented and without '-'",
        ),
    ] {
        let output = check(&text, &[]);
        assert_eq!(output.status.code(), Some(3), "{text}");
        let said = error(&output);
        assert!(said.contains(&format!("= help: {hint}\n")), "{said}");
        assert!(!said.contains("pl4nted"), "{said}");
    }
}

#[test]
fn the_complete_example_of_the_manual_runs_as_it_stands() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let manual = std::fs::read_to_string(manual).expect("there is a manual");
    let (_, rest) = manual.split_once("## Complete example").expect("a heading");
    let (_, rest) = rest.split_once("```yaml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("an end");
    let output = check(example, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    let told = error(&output);
    let is_expected = |line: &str| line.contains(".command: there is no program '");
    assert!(told.lines().all(is_expected), "{told}");
    let gateway = crate::serving::Gateway::of(example);
    let listed = breakfall(&[
        "call",
        "--list",
        &format!("http://{}/mcp/shop", gateway.address()),
    ]);
    assert!(stdout(listed).contains("search_products"));
}

#[test]
fn all_that_is_wrong_is_shown_and_ends_with_its_own_exit_code() {
    let output = check(BAD, &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
    snapbox::assert_data_eq!(
        error(&output),
        str![[r#"
error: unknown key 'comand'
 --> my.yaml:3:5
  |
3 |     comand: npx
  |     ^^^^^^ did you mean 'command'?
  |
  = help: the keys here are command, args, env, inherit_env, cwd, url, headers, pass_authorization, ca, resend_on_lost_session, adapter, demo, trust, hints, timeout, max_timeout, retry, breaker, concurrency, bridge, wire_only, restart, stuck_after, validate, unlisted, tools, dialect, format, strict, hidden_failures, redact, format_argument, rate, quotas and cost

error: 30 has no unit
 --> my.yaml:4:14
  |
4 |     timeout: 30
  |              ^^ did you mean 30s?
  |
  = help: write a number and a unit, for example 250ms, 30s, 5m or 1h30m

error: expected a text, got a list
 --> my.yaml:5:34
  |
5 |     env: { TOKEN: *******, PORT: [*] }
  |                                  ^^^

error: my.yaml has 3 problems

"#]]
    );
}

#[test]
fn programs_get_json() {
    let output = check(BAD, &["--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(error(&output), "error: my.yaml has 3 problems\n");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["ok"], &answer["file"]),
        (&false.into(), &"my.yaml".into())
    );
    assert_eq!(answer["problems"].as_array().map(Vec::len), Some(3));
    let problem = &answer["problems"][1];
    assert_eq!(
        (&problem["line"], &problem["column"]),
        (&4.into(), &14.into())
    );
    assert_eq!(problem["path"], "upstreams.files.timeout");

    let output = check(GOOD, &["--json"]);
    assert_eq!(output.status.code(), Some(0));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["config"]["upstreams"][0]["timeout_seconds"], 30.0);
    assert_eq!(answer["config"]["upstreams"][1]["kind"], "url");
    assert_eq!(answer["notes"], serde_json::json!([]));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("pl4nted"));
}

#[test]
fn an_unreadable_file_is_one_clear_message() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str]| {
        let output =
            run(breakfall(&[&["config", "check"], args].concat()).current_dir(folder.path()));
        assert_eq!(output.status.code(), Some(3));
        assert!(output.stdout.is_empty());
        error(&output)
    };
    assert_eq!(
        refused(&[]),
        "error: breakfall.yaml: cannot read the file: No such file or directory\n  \
         hint: name the file, or make one: `breakfall config schema` has its keys\n"
    );
    assert!(refused(&["."]).contains("cannot read the file: Is a directory"));
    std::fs::write(folder.path().join("breakfall.yaml"), "").unwrap();
    assert!(refused(&[]).contains("the file is empty"));
    let large = std::fs::File::create(folder.path().join("large.yaml")).unwrap();
    large.set_len(50 << 20).unwrap();
    assert!(refused(&["large.yaml"]).contains("the file is larger than 1 MiB"));
}

#[test]
fn standard_input_can_be_checked() {
    let check = |text: &str| breakfall(&["config", "check", "-"]).stdin(text.to_owned());
    assert!(stdout(check(GOOD)).starts_with("standard input  no problems, 2 upstreams"));
    let output = run(check(BAD));
    assert_eq!(output.status.code(), Some(3));
    assert!(error(&output).contains("--> standard input:3:5"));
    let output = run(check(&"# \n".repeat(1 << 20)));
    assert!(error(&output).contains("larger than 1 MiB"));
}

#[test]
fn the_schema_is_the_published_one() {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/config.json");
    let published = std::fs::read_to_string(published).unwrap();
    assert!(stdout(breakfall(&["config", "schema"])) == published);
}

#[test]
fn colours_are_for_terminals() {
    let output = check(BAD, &[]);
    assert!(!error(&output).contains('\u{1b}'));
    let folder = tempfile::tempdir().unwrap();
    let command = breakfall(&["config", "check"]).current_dir(folder.path());
    let output = run(command.env("CLICOLOR_FORCE", "1"));
    assert!(error(&output).contains('\u{1b}'));
}

#[test]
fn colours_can_be_asked_for_and_refused() {
    let coded = |args: &[&str]| {
        let output = run(breakfall(args).env("CLICOLOR_FORCE", "1"));
        let plain = run(breakfall(args));
        let is_coloured = |output: &Output| {
            let all = [&output.stdout[..], &output.stderr].concat();
            assert!(!all.is_empty());
            all.contains(&0x1b)
        };
        [is_coloured(&output), is_coloured(&plain)]
    };
    for command in [
        &["explain", "TOKEN_EXPIRED"][..],
        &["explain", "NOPE"],
        &["--help"],
    ] {
        let with = |mode: &[&'static str]| coded(&[mode, command].concat());
        assert_eq!(with(&[]), [true, false], "{command:?}");
        assert_eq!(with(&["--color", "always"]), [true, true], "{command:?}");
        assert_eq!(with(&["--color=never"]), [false, false], "{command:?}");
    }
}

#[test]
fn columns_sets_the_width() {
    let lines = |columns: &str| {
        let command = breakfall(&["explain", "TOKEN_EXPIRED"]).env("COLUMNS", columns);
        stdout(command).lines().count()
    };
    assert!(lines("50") > lines("100"));
}

#[test]
fn what_cannot_be_served_is_a_problem() {
    let tls = "tls: { cert: none.pem, key: none.key }\nupstreams: { shop: { demo: true } }";
    let ca = "upstreams: { far: { url: 'https://mcp.example.test', ca: none.pem } }";
    let adapter = "upstreams: { ledger: { adapter: ledger-adapter.md } }";
    for (text, words) in [
        (tls, "cannot read the certificate"),
        (ca, "the server 'far': `ca` cannot be used"),
        (
            adapter,
            "the server 'ledger': a server with `adapter` is planned",
        ),
    ] {
        let output = check(text, &[]);
        assert_eq!(output.status.code(), Some(3), "{text}");
        let told = error(&output);
        assert!(
            told.contains("error: my.yaml: ") && told.contains(words),
            "{told}"
        );
        assert!(told.contains("hint: "), "{told}");
        assert!(output.stdout.is_empty());
        let output = check(text, &["--json"]);
        assert_eq!(output.status.code(), Some(3), "{text}");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["ok"], false);
        let told = answer["problems"][0]["message"].as_str().expect("words");
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn the_file_of_a_client_is_told_what_is_called_otherwise_here() {
    let check = |file: &str| run(breakfall(&["config", "check", "-"]).stdin(file.to_owned()));
    let pasted = r#"{"mcpServers": {"files": {"command": "npx", "env": {"KEY": "s3cr3t"}}}}"#;
    for (name, pasted) in [
        ("mcpServers", pasted.to_owned()),
        ("servers", pasted.replace("mcpServers", "servers")),
    ] {
        let output = check(&pasted);
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(
            said.starts_with(&format!("error: unknown key '{name}'\n")),
            "{said}"
        );
        assert!(said.contains("here it is called 'upstreams'"), "{said}");
        assert!(
            said.contains("error: standard input has a problem\n"),
            "{said}"
        );
        assert!(!said.contains("s3cr3t"), "{said}");
    }
    let output = check(r#"{"upstreams": {"files": {"command": "npx", "type": "stdio"}}}"#);
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("leave it out"), "{said}");
    assert!(
        said.contains("error: standard input has a problem\n"),
        "{said}"
    );
}

//! `breakfall doctor`: each way in which a server can fail to start, what is said about it, and the exit code.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use testing::{built, faulty, faulty_http};

use crate::{breakfall, run};

/// A directory with a file that lists servers.
struct Checked {
    folder: TempDir,
    file: PathBuf,
}

/// What `doctor` said.
struct Told {
    exit: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Checked {
    /// Servers as Cursor, Claude Desktop and Claude Code list them.
    fn client(servers: &Value) -> Self {
        Self::file("mcp.json", &json!({"mcpServers": servers}).to_string())
    }

    fn file(name: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("below the folder")).expect("there is room");
        fs::write(&file, text).expect("there is room");
        Self { folder, file }
    }

    fn doctor(&self, args: &[&str]) -> Told {
        let file = self.file.to_str().expect("it is UTF-8");
        let command = breakfall(&[&["doctor", file], args].concat());
        let command = command
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path());
        let output = run(command.env_remove("NO_SUCH_API_KEY"));
        let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
        Told {
            exit: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// The problems of the only server.
    fn problems(&self, args: &[&str]) -> Vec<[String; 3]> {
        let told = self.doctor(&[&["--json"], args].concat());
        let answer: Value = serde_json::from_str(&told.stdout).expect("it is JSON");
        assert_eq!(answer["ok"], false, "{answer:#}");
        assert_eq!(told.exit, Some(5), "{}", told.stderr);
        let problems = answer["servers"][0]["problems"].as_array().expect("a list");
        let words =
            |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        let rows = problems
            .iter()
            .map(|problem| ["problem", "said", "fix"].map(|key| words(problem, key)));
        rows.collect()
    }
}

fn command(program: &str, args: &[&str]) -> Value {
    json!({"command": program, "args": args})
}

/// A server that prints words on stderr and ends.
fn dying(words: &str) -> Value {
    command("sh", &["-c", &format!("echo '{words}' >&2; exit 3")])
}

fn fault_server(args: &[&str]) -> Value {
    let program = faulty::program();
    command(program.to_str().expect("it is UTF-8"), args)
}

#[track_caller]
fn one(servers: &Value, args: &[&str]) -> [String; 3] {
    let problems = Checked::client(servers).problems(args);
    let [only] = problems.as_slice() else {
        panic!("{problems:?}");
    };
    only.clone()
}

#[test]
fn servers_that_work_are_counted_and_the_exit_code_is_zero() {
    let modern = fault_server(&["--era", "modern"]);
    let servers = json!({"old": fault_server(&["--era", "legacy"]), "new": modern});
    let told = Checked::client(&servers).doctor(&[]);
    assert_eq!(told.exit, Some(0), "{}{}", told.stdout, told.stderr);
    assert_eq!(
        told.stdout.matches("Works     14 tools").count(),
        2,
        "{}",
        told.stdout
    );
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let [problem, _, fix] = one(&json!({"a": command("no-such-program", &[])}), &[]);
    assert_eq!(problem, "there is no program no-such-program");
    assert!(fix.starts_with("install no-such-program"), "{fix}");
}

#[test]
fn a_server_that_ends_at_start_is_quoted_without_secrets() {
    let [problem, said, fix] = one(
        &json!({"a": fault_server(&["--start", "exit-at-start"])}),
        &[],
    );
    assert_eq!(problem, "it ends at start (exit status: 1)");
    assert!(
        said.contains("ConnectionError") && !said.contains(faulty::FAKE_SECRET),
        "{said}"
    );
    assert!(fix.starts_with("run it alone"), "{fix}");
    let mut own = dying("cannot log in with pl4nted-value");
    own["env"] = json!({"LOGIN": "pl4nted-value"});
    let [_, said, _] = one(&json!({"a": own}), &[]);
    assert_eq!(said, "cannot log in with [redacted]");
}

#[test]
fn a_missing_key_is_named_with_the_line_to_write() {
    let words = "Error: NO_SUCH_API_KEY environment variable is required";
    let [problem, said, fix] = one(&json!({"a": dying(words)}), &[]);
    assert_eq!(
        problem,
        "it ends at start (exit status: 3): it lacks the variable NO_SUCH_API_KEY"
    );
    assert_eq!(said, words);
    assert!(
        fix.ends_with(r#""env": { "NO_SUCH_API_KEY": "…" }"#),
        "{fix}"
    );
    let yaml = format!("upstreams:\n  a:\n    command: [sh, -c, \"echo {words} >&2; exit 3\"]\n");
    let problems = Checked::file("breakfall.yaml", &yaml).problems(&[]);
    assert!(
        problems[0][2].ends_with("env: { NO_SUCH_API_KEY: … }"),
        "{problems:?}"
    );
    let mut held = command("true", &[]);
    held["env"] = json!({"SOME_API_KEY": "<your key>"});
    let problems = Checked::client(&json!({"a": held})).problems(&[]);
    assert_eq!(problems[0][0], "the value of SOME_API_KEY is a placeholder");
}

#[test]
fn a_key_that_is_set_here_and_kept_from_the_server_is_missing() {
    let start = "test -n \"$$SOME_TEST_API_KEY\" || echo SOME_TEST_API_KEY is required >&2; exit 3";
    let doctor = |inherit: &str| {
        let command = format!("command: [sh, -c, '{start}'], inherit_env: {inherit}");
        let yaml = format!("upstreams:\n  a: {{ {command} }}\n");
        let checked = Checked::file("breakfall.yaml", &yaml);
        let command = breakfall(&["doctor", "breakfall.yaml"]);
        let command = command.current_dir(checked.folder.path());
        let output = run(command.env("SOME_TEST_API_KEY", "value"));
        String::from_utf8(output.stdout).expect("it is UTF-8")
    };
    let told = doctor("listed");
    assert!(
        told.contains("it lacks the variable SOME_TEST_API_KEY"),
        "{told}"
    );
    assert!(
        told.contains("inherit_env keeps it from the server"),
        "{told}"
    );
    assert!(
        told.contains("SOME_TEST_API_KEY: ${SOME_TEST_API_KEY}"),
        "{told}"
    );
    let told = doctor("filtered");
    assert!(told.contains("it ends at start"), "{told}");
    assert!(!told.contains("lacks the variable"), "{told}");
}

#[test]
fn lines_on_stdout_that_are_no_messages_are_shown() {
    let [problem, said, fix] = one(&json!({"a": fault_server(&["--start", "banner"])}), &[]);
    assert_eq!(
        problem,
        "it prints 2 lines that are not messages to stdout, which belongs to the protocol"
    );
    assert!(said.starts_with("*** Fault server 1.0 ***"), "{said}");
    assert!(fix.contains("stderr"), "{fix}");
}

#[test]
fn a_server_that_does_not_answer_is_not_waited_for_long() {
    let silent = json!({"a": fault_server(&["--start", "silent-start"])});
    let [problem, _, fix] = one(&silent, &["--timeout", "300ms"]);
    assert_eq!(problem, "it does not answer within 0.3 s");
    assert!(fix.contains("--timeout"), "{fix}");
    let [problem, ..] = one(&json!({"a": command("cat", &[])}), &[]);
    assert_eq!(
        problem,
        "it sends back what it is sent, so it is not an MCP server"
    );
    let [problem, ..] = one(
        &json!({"a": fault_server(&["--start", "refuse-handshake"])}),
        &[],
    );
    assert!(problem.starts_with("it refuses initialize: "), "{problem}");
}

/// A server of something else: every path leads nowhere.
fn a_web_server() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("the system has a port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            // Up to the end of the head; a client that goes away is no matter.
            while stream.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            let _gone = stream.get_mut().write_all(
                b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 4\r\n\r\nnone",
            );
        }
    });
    address
}

#[test]
fn a_wrong_url_and_a_closed_port_and_an_unknown_host_are_told_apart() {
    let wrong = format!("http://{}/nowhere", a_web_server());
    let [problem, _, fix] = one(&json!({"a": {"url": wrong}}), &[]);
    assert_eq!(
        problem,
        format!("it answers 404: there is no MCP server at {wrong}")
    );
    assert!(fix.contains("/mcp"), "{fix}");
    let closed = faulty_http::Options::default().start(faulty_http::Behaviour::ConnectionRefused);
    let closed = faulty_http::Server::of(closed).url();
    let [problem, ..] = one(&json!({"a": {"url": closed}}), &[]);
    assert!(
        problem.starts_with("no connection to http://127.0.0.1:"),
        "{problem}"
    );
    let [problem, _, fix] = one(&json!({"a": {"url": "http://nowhere.invalid/mcp"}}), &[]);
    assert!(problem.ends_with("is not known (DNS)"), "{problem}");
    assert!(fix.contains("typing error"), "{fix}");
}

#[test]
fn credentials_that_are_missing_or_wrong_are_told_apart_and_never_shown() {
    let locked = faulty_http::Options::default().start(faulty_http::Behaviour::Locked);
    let server = faulty_http::Server::of(locked);
    let [problem, _, fix] = one(&json!({"a": {"url": server.url()}}), &[]);
    assert_eq!(problem, "it answers 401: it wants credentials");
    assert!(
        fix.ends_with(r#""headers": { "Authorization": "…" }"#),
        "{fix}"
    );
    let entry = json!({"url": server.url(), "headers": {"Authorization": "Bearer pl4nted-token"}});
    let told = Checked::client(&json!({"a": entry})).doctor(&[]);
    assert!(
        told.stdout
            .contains("it does not accept the credentials it is given"),
        "{}",
        told.stdout
    );
    assert!(!format!("{}{}", told.stdout, told.stderr).contains("pl4nted"));
}

#[test]
fn certificates_are_explained() {
    for (behaviour, want) in [
        (
            faulty_http::Behaviour::SelfSigned,
            "not signed by a trusted authority",
        ),
        (faulty_http::Behaviour::NotTls, "does not speak TLS"),
    ] {
        let server = faulty_http::Server::of(faulty_http::Options::default().start(behaviour));
        let [problem, _, fix] = one(&json!({"a": {"url": server.url()}}), &[]);
        assert!(
            problem.starts_with("no secure connection: ") && problem.contains(want),
            "{problem}"
        );
        assert!(fix.contains("certificate"), "{fix}");
    }
}

#[test]
fn entries_of_vs_code_are_expanded_and_inputs_are_skipped() {
    let program = faulty::program();
    let program = program.to_str().expect("it is UTF-8");
    let text = r#"{ // servers
        "servers": {
            "works": {"command": "${workspaceFolder}/server"},
            "asks": {"command": "x", "env": {"KEY": "${input:key}"}},
            "lacks": {"command": "x", "env": {"KEY": "${env:NO_SUCH_API_KEY}"}},
            "bent": {"args": [1]},
        }
    }"#;
    let checked = Checked::file(".vscode/mcp.json", text);
    std::os::unix::fs::symlink(program, checked.folder.path().join("server"))
        .expect("there is room");
    let told = checked.doctor(&[]);
    assert_eq!(told.exit, Some(5), "{}", told.stderr);
    for want in [
        "Works     14 tools",
        "Skipped   the client alone knows the value of ${input:key}",
        "Problem   its entry refers to the variable NO_SUCH_API_KEY, which is not set",
        "Problem   its entry has neither a command nor a URL",
    ] {
        assert!(told.stdout.contains(want), "{want}: {}", told.stdout);
    }
    assert!(
        told.stderr.contains("2 of 4 servers need attention"),
        "{}",
        told.stderr
    );
}

#[test]
fn behind_breakfall_the_server_itself_is_checked() {
    let program = faulty::program();
    let program = program.to_str().expect("it is UTF-8");
    let wrapped = |breakfall: &str| command(breakfall, &["run", "--timeout", "3s", "--", program]);
    let breakfall = built::program("breakfall", "breakfall-cli");
    let breakfall = breakfall.to_str().expect("it is UTF-8");
    let told = Checked::client(&json!({"a": wrapped(breakfall)})).doctor(&[]);
    assert_eq!(told.exit, Some(0), "{}{}", told.stdout, told.stderr);
    let [problem, ..] = one(&json!({"a": wrapped("/no/breakfall")}), &[]);
    assert_eq!(
        problem,
        "there is no program /no/breakfall, which stands in front of it"
    );
}

#[test]
fn one_server_can_be_chosen_and_the_configuration_of_the_directory_is_found() {
    let yaml = "upstreams:\n  bad: { command: no-such-program }\n  good: { demo: true }\n";
    let checked = Checked::file("breakfall.yaml", yaml);
    let here = |args: &[&str]| {
        let command = breakfall(&[&["doctor"], args].concat());
        run(command.current_dir(checked.folder.path()))
    };
    assert_eq!(here(&[]).status.code(), Some(5));
    assert_eq!(here(&["--server", "good"]).status.code(), Some(0));
    let unknown = here(&["--server", "ugly"]);
    assert_eq!(unknown.status.code(), Some(2));
    let error = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(
        error.contains("no server is called 'ugly'") && error.contains("bad, good"),
        "{error}"
    );
    fs::write(Path::new(&checked.file), "upstreams: [").expect("there is room");
    assert_eq!(here(&[]).status.code(), Some(3));
}

#[test]
fn values_of_references_in_arguments_and_urls_are_never_shown() {
    let servers = json!({
        "a": command("sh", &["-c", "echo no login with $0 >&2; exit 3", "${SHOP_WORD}"]),
        "b": {"url": "http://127.0.0.1:9/${SHOP_WORD}"},
        "c": {"command": "${SHOP_WORD}/server"},
    });
    let checked = Checked::client(&servers);
    let file = checked.file.to_str().expect("it is UTF-8");
    for json in [&["--json"][..], &[]] {
        let command = breakfall(&[&["doctor", file], json].concat());
        let output = run(command.env("SHOP_WORD", "pl4nted-word"));
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(
            !format!("{stdout}{stderr}").contains("pl4nted"),
            "{stdout}{stderr}"
        );
        assert!(stdout.contains("no login with [redacted]"), "{stdout}");
        assert!(
            stdout.contains("there is no program ${SHOP_WORD}/server"),
            "{stdout}"
        );
    }
}

#[test]
fn a_secret_at_the_end_of_what_is_shown_of_a_line_is_removed_whole() {
    for (words, stream) in [(97, ""), (665, " >&2")] {
        let script = format!("echo '{}'$LOGIN{stream}; exit 3", "no ".repeat(words));
        let mut server = command("sh", &["-c", &script]);
        server["env"] = json!({"LOGIN": "pl4nted-value-of-the-login"});
        let problems = Checked::client(&json!({"a": server})).problems(&[]);
        let said: String = problems.iter().map(|problem| &*problem[1]).collect();
        assert!(
            said.contains("no no") && !said.contains("pl4nted"),
            "{said}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_used_is_told_whatever_else_is_found() {
    let bad = Checked::file("bad.yaml", "upstreams: [");
    let told = bad.doctor(&["--json"]);
    let answer: Value = serde_json::from_str(&told.stdout).expect("it is JSON");
    assert_eq!((told.exit, &answer["ok"]), (Some(3), &json!(false)));
    let told = bad.doctor(&["--server", "x"]);
    assert_eq!(told.exit, Some(3), "{}", told.stderr);
    assert!(told.stderr.contains("bad.yaml"), "{}", told.stderr);
    let told = Checked::file("package.json", r#"{"scripts": {}}"#).doctor(&[]);
    assert_eq!(told.exit, Some(3), "{}", told.stderr);
    assert!(
        told.stderr.contains("has no list of servers"),
        "{}",
        told.stderr
    );
    let ill = json!({"mcpServers": {"a": command("no-such-program", &[])}});
    let ill = Checked::file(".cursor/mcp.json", &ill.to_string());
    fs::write(ill.folder.path().join(".claude.json"), "{").expect("there is room");
    let told = without_file(&ill);
    assert_eq!(told.exit, Some(5), "{}", told.stderr);
    for want in [".claude.json:1:2", "1 of 1 servers need attention"] {
        assert!(told.stderr.contains(want), "{want}: {}", told.stderr);
    }
}

/// `doctor` in a directory `project` below the home directory, without a file.
fn without_file(checked: &Checked) -> Told {
    let project = checked.folder.path().join("project");
    fs::create_dir_all(&project).expect("there is room");
    let command = breakfall(&["doctor"]).current_dir(project);
    let command = command.env("HOME", checked.folder.path());
    let output = run(command
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("CLAUDE_CONFIG_DIR"));
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    Told {
        exit: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

#[test]
fn the_servers_of_a_project_are_started_only_if_its_file_is_named() {
    let server = command("sh", &["-c", "touch started"]);
    let text = json!({"mcpServers": {"a": server}}).to_string();
    let checked = Checked::file("project/.mcp.json", &text);
    let project = checked.folder.path().join("project");
    let told = without_file(&checked);
    assert_eq!(told.exit, Some(2), "{}", told.stderr);
    assert!(
        told.stderr.contains("breakfall doctor .mcp.json"),
        "{}",
        told.stderr
    );
    assert!(!project.join("started").exists());
    assert_eq!(checked.doctor(&[]).exit, Some(5));
    assert!(project.join("started").exists());
}

//! The `requirements` tool, run as a process on small workspaces, and on the data of this one.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

#[test]
fn a_workspace_whose_page_was_written_passes_until_something_changes() {
    let workspace = Workspace::new();
    let written = workspace.run(&["write", "--tests", "tests.json"]);
    assert_eq!(written.code, 0, "{}", written.err);
    let checked = workspace.run(&["check", "--tests", "tests.json"]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert!(
        checked
            .out
            .contains("297 ids: 1 proven (0 without a test; 1 tests), 296 wait, 0 not ours"),
        "{}",
        checked.out
    );

    workspace.put("crates/a/tests/it/main.rs", "#[test] fn it_holds() {}");
    let checked = workspace.run(&["check", "--tests", "tests.json"]);
    assert_eq!(checked.code, 1);
    assert!(checked.err.contains("S0-01: proven"), "{}", checked.err);
    assert!(
        checked.err.contains("docs/requirements.md: stale"),
        "{}",
        checked.err
    );
    assert!(checked.out.is_empty(), "{}", checked.out);
}

#[test]
fn unsound_data_is_not_written() {
    let workspace = Workspace::new();
    workspace.put("docs/requirements.json", "[]");
    let written = workspace.run(&["write", "--tests", "tests.json"]);
    assert_eq!(written.code, 1);
    assert!(
        written.err.contains("S4-81: has no entry"),
        "{}",
        written.err
    );
    assert!(!workspace.root().join("docs/requirements.md").exists());
}

#[test]
fn input_that_cannot_be_read_is_named_with_its_place() {
    for (file, content, said) in [
        (
            "docs/requirements.json",
            Some("[{]"),
            "requirements.json: key must be a string at line 1 column 3",
        ),
        (
            "docs/requirements.json",
            Some(r#"[{"id": "S0-01", "due": 1}]"#),
            "unknown field `due`",
        ),
        (
            "docs/requirements.json",
            None,
            "requirements.json: No such file",
        ),
        (
            "tests.json",
            Some("{"),
            "tests.json: EOF while parsing an object at line 1 column 1",
        ),
        (
            "tests.json",
            Some("{}"),
            "tests.json: missing field `rust-suites` at line 1 column 2",
        ),
        ("tests.json", None, "tests.json: No such file"),
    ] {
        let workspace = Workspace::new();
        match content {
            Some(content) => workspace.put(file, content),
            None => fs::remove_file(workspace.root().join(file)).unwrap(),
        }
        let checked = workspace.run(&["check", "--tests", "tests.json"]);
        assert_eq!(checked.code, 2, "{said}: {}", checked.err);
        assert!(checked.err.contains(said), "{said}: {}", checked.err);
        assert!(checked.out.is_empty(), "{}", checked.out);
    }
}

#[test]
fn a_source_that_is_not_text_is_named() {
    let workspace = Workspace::new();
    fs::write(workspace.root().join("crates/a/tests/it/main.rs"), b"\xff").unwrap();
    let checked = workspace.run(&["check", "--tests", "tests.json"]);
    assert_eq!(checked.code, 2);
    assert!(
        checked.err.contains("crates/a/tests/it/main.rs: "),
        "{}",
        checked.err
    );
}

#[test]
#[cfg(unix)]
fn without_a_list_the_test_runner_is_asked() {
    let workspace = Workspace::new();
    let runner = workspace.program(
        "runner",
        r#"[ "$1 $2" = "nextest list" ] && cat tests.json"#,
    );
    let written = workspace.run_with(&["write"], Some(&runner));
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(
        written.out.contains("(0 without a test; 1 tests)"),
        "{}",
        written.out
    );

    let runner = workspace.program("broken", "echo no such toolchain >&2; exit 9");
    let checked = workspace.run_with(&["check"], Some(&runner));
    assert_eq!(checked.code, 2);
    assert!(checked.err.contains("no such toolchain"), "{}", checked.err);
    assert!(
        checked.err.contains("cargo nextest list"),
        "{}",
        checked.err
    );
}

#[test]
fn the_root_can_be_named_from_elsewhere() {
    let workspace = Workspace::new();
    let elsewhere = Workspace::new();
    elsewhere.put("docs/requirements.json", "[]");
    let root = workspace.root().to_str().unwrap();
    let list = workspace.root().join("tests.json");
    let args = ["write", "--root", root, "--tests", list.to_str().unwrap()];
    let written = elsewhere.run(&args);
    assert_eq!(written.code, 0, "{}", written.err);
    let page = fs::read_to_string(workspace.root().join("docs/requirements.md")).unwrap();
    assert!(
        page.contains("[`a::it it_holds`](../crates/a/tests/it/main.rs)"),
        "{page}"
    );
    assert!(!elsewhere.root().join("docs/requirements.md").exists());
}

/// The data of this workspace, held against no tests at all: whatever else is missing, the data itself is sound.
#[test]
fn the_data_of_this_workspace_accounts_for_every_id() {
    let workspace = Workspace::new();
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/requirements.json");
    workspace.put("docs/requirements.json", &fs::read_to_string(ours).unwrap());
    let written = workspace.run(&["write", "--tests", "tests.json"]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(written.out.contains("297 ids"), "{}", written.out);
}

/// A workspace of one crate, whose one test proves the first requirement; all others wait.
struct Workspace(TempDir);

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Workspace {
    fn new() -> Self {
        let workspace = Self(tempfile::tempdir().unwrap());
        let mut entries = Vec::new();
        for (document, count) in [93, 46, 36, 41, 81].into_iter().enumerate() {
            for number in 1..=count {
                let state = if entries.is_empty() {
                    r#""proven""#
                } else {
                    r#""waits", "for": "gateway""#
                };
                entries.push(format!(
                    r#"{{"id": "S{document}-{number:02}", "force": "FACT", "text": "Words.", "state": {state}}}"#
                ));
            }
        }
        workspace.put(
            "docs/requirements.json",
            &format!("[{}]", entries.join(",\n")),
        );
        workspace.put(
            "crates/a/tests/it/main.rs",
            "#[test]\nfn it_holds() {\n    testing::proves!(\"S0-01\");\n}\n",
        );
        workspace.put(
            "tests.json",
            r#"{"rust-suites": {"a::it": {"package-name": "a", "binary-name": "it", "kind": "test", "testcases":
                {"it_holds": {"kind": "test", "ignored": false, "filter-match": {"status": "matches"}}}}}}"#,
        );
        workspace
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, file: &str, content: &str) {
        let path = self.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A shell script that stands in for another program.
    #[cfg(unix)]
    fn program(&self, name: &str, script: &str) -> std::path::PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        self.put(name, &format!("#!/bin/sh\n{script}\n"));
        let path = self.root().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, None)
    }

    fn run_with(&self, args: &[&str], cargo: Option<&Path>) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_requirements"));
        command.args(args).current_dir(self.root());
        if let Some(cargo) = cargo {
            command.env("CARGO", cargo);
        }
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Ran {
            code: status.code().unwrap(),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }
}

//! `breakfall init` on the file of each client: what changes, what stays, and that all of it can be taken back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use snapbox::str;
use tempfile::TempDir;

use crate::{breakfall, run};

/// Claude Desktop, as its documentation has it.
const DESKTOP: &str = r#"{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/home/you/Desktop"
      ]
    },
    "brave-search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": { "BRAVE_API_KEY": "pl4nted-in-the-file" }
    }
  }
}
"#;

/// Cursor: a command, a command without arguments, and a URL.
const CURSOR: &str = r#"{"mcpServers": {
    "git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "${workspaceFolder}"]},
    "plain": {"command": "my-server"},
    "remote": {"url": "https://mcp.example.test/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}}
}}
"#;

/// VS Code: `servers`, inputs, comments, trailing commas, and ends of lines of Windows.
const VS_CODE: &str = "{\r\n\t// asked once\r\n\t\"inputs\": [\r\n\t\t{ \"type\": \"promptString\", \"id\": \"key\", \"description\": \"Key\", \"password\": true },\r\n\t],\r\n\t\"servers\": {\r\n\t\t/* the first */\r\n\t\t\"perplexity\": {\r\n\t\t\t\"type\": \"stdio\",\r\n\t\t\t\"command\": \"npx\", // from npm\r\n\t\t\t\"args\": [\r\n\t\t\t\t// no questions\r\n\t\t\t\t\"-y\",\r\n\t\t\t\t\"server-perplexity-ask\",\r\n\t\t\t],\r\n\t\t\t\"env\": { \"KEY\": \"${input:key}\" },\r\n\t\t},\r\n\t\t\"github\": { \"type\": \"http\", \"url\": \"https://api.example.test/mcp/\" },\r\n\t},\r\n}\r\n";

/// Claude Code, `.mcp.json` of a project.
const MCP_JSON: &str = r#"{
  "mcpServers": {
    "db": {"type": "stdio", "command": "${TOOLS:-/opt}/db", "args": [], "env": {"DSN": "${DSN}"}},
    "events": {"type": "sse", "url": "https://mcp.example.test/sse"}
  }
}"#;

/// Claude Code, `~/.claude.json`: much else, servers of the user, and servers of projects.
const CLAUDE_JSON: &str = r#"{
  "numStartups": 7,
  "oauthAccount": {"accountUuid": "x"},
  "projects": {
    "/work/shop": {
      "allowedTools": [],
      "mcpServers": {
        "local": {
          "type": "stdio",
          "command": "python3",
          "args": ["-m", "shop"],
          "env": {}
        }
      }
    },
    "/work/none": {"allowedTools": []}
  },
  "mcpServers": {"user": {"type": "stdio", "command": "uvx", "args": ["mcp-server-time"]}}
}
"#;

/// A home directory with one file.
struct Home {
    folder: TempDir,
    file: PathBuf,
}

impl Home {
    fn with(file: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().expect("below the folder")).expect("there is room");
        fs::write(&file, text).expect("there is room");
        Self { folder, file }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.file).expect("it is there")
    }

    /// `init` with arguments, in an empty directory.
    fn init(&self, args: &[&str]) -> Output {
        let away = self.folder.path().join("away");
        fs::create_dir_all(&away).expect("there is room");
        let command = breakfall(&[&["init"], args].concat()).current_dir(away);
        let command = command.env("HOME", self.folder.path());
        run(command
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CLAUDE_CONFIG_DIR"))
    }

    fn path(&self) -> &str {
        self.file.to_str().expect("it is UTF-8")
    }

    /// Copies of the file before a change, oldest first.
    fn backups(&self) -> Vec<PathBuf> {
        let folder = self.file.parent().expect("below the folder");
        let entries = fs::read_dir(folder).expect("it is there");
        let mut all: Vec<_> = entries
            .map(|entry| entry.expect("it is read").path())
            .collect();
        all.retain(|path| *path != self.file && path.is_file());
        all.sort();
        all
    }

    /// A text with the folder and the time of a backup replaced.
    fn masked(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let text = text.replace(&*self.folder.path().to_string_lossy(), "~");
        let program = env!("CARGO_BIN_EXE_breakfall");
        text.replace(program, "/bin/breakfall")
    }
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The words that start each server: its command and its arguments.
fn lines(servers: &Value) -> Vec<String> {
    let servers = servers.as_object().expect("a table of servers");
    let lines = servers.values().map(|server| {
        let args = server["args"].as_array().cloned().unwrap_or_default();
        let words = std::iter::once(&server["command"]).chain(&args);
        words
            .map(|word| word.as_str().unwrap_or_default())
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines.collect()
}

#[test]
fn claude_desktop_gets_the_whole_path_of_breakfall_and_the_difference_is_shown_without_secrets() {
    let home = Home::with("Claude/claude_desktop_config.json", DESKTOP);
    let output = home.init(&["--yes", home.path()]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    snapbox::assert_data_eq!(
        home.masked(&output.stdout),
        str![[r#"
~/Claude/claude_desktop_config.json  Claude Desktop
Servers   filesystem    gets breakfall in front
          brave-search  gets breakfall in front
  line 5
-       "command": "npx",
+       "command": "/bin/breakfall",
  line 7
+         "run",
+         "--",
+         "npx",
  line 13
-       "command": "npx",
-       "args": ["-y", "@modelcontextprotocol/server-brave-search"],
+       "command": "/bin/breakfall",
+       "args": ["run", "--", "npx", "-y", "@modelcontextprotocol/server-brave-search"],


"#]]
    );
    let text = home.text();
    let servers: Value = serde_json::from_str(&text).expect("it is JSON still");
    let program = env!("CARGO_BIN_EXE_breakfall");
    let npx = format!("{program} run -- npx -y @modelcontextprotocol");
    // By name.
    let want = [
        format!("{npx}/server-brave-search"),
        format!("{npx}/server-filesystem /home/you/Desktop"),
    ];
    assert_eq!(lines(&servers["mcpServers"]), want);
    assert_eq!(
        servers["mcpServers"]["brave-search"]["env"]["BRAVE_API_KEY"],
        "pl4nted-in-the-file"
    );
    let backups = home.backups();
    assert_eq!(backups.len(), 1);
    assert_eq!(
        fs::read_to_string(&backups[0]).expect("it is there"),
        DESKTOP
    );
}

#[test]
fn a_secret_on_a_changed_line_is_not_shown() {
    let line = r#"{"mcpServers":{"a":{"command":"npx","args":["--api-key","pl4nted1pl4nted1"],"env":{"KEY":"pl4nted2"}}}}"#;
    let home = Home::with("servers.json", line);
    let output = home.init(&["--dry-run", home.path()]);
    let shown = home.masked(&output.stdout);
    assert!(
        shown.contains(r#"+ {"mcpServers""#) && !shown.contains("pl4nted"),
        "{shown}"
    );
}

#[test]
fn comments_order_and_layout_of_vs_code_stay_and_a_project_gets_the_name_of_breakfall() {
    let home = Home::with("shop/.vscode/mcp.json", VS_CODE);
    let output = home.init(&["--yes", home.path()]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    let want = VS_CODE
        .replace("\"command\": \"npx\"", "\"command\": \"breakfall\"")
        .replace(
            "\"-y\",",
            "\"run\",\r\n\t\t\t\t\"--\",\r\n\t\t\t\t\"npx\",\r\n\t\t\t\t\"-y\",",
        );
    assert_eq!(home.text(), want);
    let shown = home.masked(&output.stdout);
    assert!(
        shown.contains("github") && shown.contains("left alone: it is reached by URL"),
        "{shown}"
    );
}

#[test]
fn every_file_is_the_same_after_an_undo_and_a_second_time_changes_nothing() {
    let files = [
        (".config/Claude/claude_desktop_config.json", DESKTOP),
        (".cursor/mcp.json", CURSOR),
        ("shop/.vscode/mcp.json", VS_CODE),
        ("shop/.mcp.json", MCP_JSON),
        (".claude.json", CLAUDE_JSON),
    ];
    for (file, text) in files {
        let home = Home::with(file, text);
        assert_eq!(code(&home.init(&["--yes", home.path()])), Some(0), "{file}");
        let changed = home.text();
        assert_ne!(changed, text, "{file}");
        assert_eq!(code(&home.init(&["--yes", home.path()])), Some(0), "{file}");
        assert_eq!(home.text(), changed, "{file}");
        assert_eq!(home.backups().len(), 1, "{file}");
        assert_eq!(
            code(&home.init(&["--undo", "--yes", home.path()])),
            Some(0),
            "{file}"
        );
        assert_eq!(home.text(), text, "{file}");
        assert_eq!(home.backups().len(), 2, "{file}");
    }
}

#[test]
fn servers_of_projects_in_claude_code_are_found_and_everything_else_stays() {
    let home = Home::with(".claude.json", CLAUDE_JSON);
    let output = home.init(&["--yes", home.path()]);
    let shown = home.masked(&output.stdout);
    assert!(shown.contains("local (/work/shop)"), "{shown}");
    let servers: Value = serde_json::from_str(&home.text()).expect("it is JSON");
    let program = env!("CARGO_BIN_EXE_breakfall");
    assert_eq!(
        lines(&servers["projects"]["/work/shop"]["mcpServers"]),
        [format!("{program} run -- python3 -m shop")]
    );
    assert_eq!(
        lines(&servers["mcpServers"]),
        [format!("{program} run -- uvx mcp-server-time")]
    );
    assert_eq!(servers["numStartups"], 7);
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_file_the_documented_places_are_looked_in() {
    let home = Home::with(".cursor/mcp.json", CURSOR);
    let other = home.folder.path().join("away/.vscode/mcp.json");
    fs::create_dir_all(other.parent().expect("below the folder")).expect("there is room");
    fs::write(&other, VS_CODE).expect("there is room");
    let output = home.init(&["--yes"]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    let shown = home.masked(&output.stdout);
    assert!(shown.contains("~/.cursor/mcp.json  Cursor\n"), "{shown}");
    assert!(shown.contains(".vscode/mcp.json  VS Code\n"), "{shown}");
    assert!(home.text().contains("\"run\", \"--\", \"uvx\""));
    assert!(
        fs::read_to_string(&other)
            .expect("it is there")
            .contains("breakfall")
    );

    let empty = tempfile::tempdir().expect("there is room");
    let nowhere = breakfall(&["init", "--yes"])
        .current_dir(empty.path())
        .env("HOME", empty.path());
    let output = run(nowhere
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("CLAUDE_CONFIG_DIR"));
    assert_eq!(code(&output), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("no client has a file") && error.contains(".cursor/mcp.json"),
        "{error}"
    );
}

#[test]
fn nothing_is_written_without_consent() {
    let home = Home::with("mcp.json", CURSOR);
    let output = home.init(&[home.path()]);
    assert_eq!(code(&output), Some(2));
    let error = home.masked(&output.stderr);
    assert!(
        error.contains("there is no terminal to ask at") && error.contains("--yes"),
        "{error}"
    );
    let output = home.init(&["--dry-run", home.path()]);
    assert_eq!(code(&output), Some(0));
    assert!(
        home.masked(&output.stdout).contains("+ "),
        "the difference is shown"
    );
    assert_eq!((home.text().as_str(), home.backups().len()), (CURSOR, 0));
}

#[test]
fn a_broken_file_is_untouched_and_its_place_is_named() {
    let cases: [(&[u8], &str); 4] = [
        (
            b"{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\" \"args\": []}\n  }\n}",
            ":3:26: expected ',' or '}' here",
        ),
        (
            b"{\"mcpServers\": {",
            ":1:17: expected a key in quotes, or '}'",
        ),
        (b"{\n\"mcpServers\": \"\xff\"}", ":2:16: this is not UTF-8"),
        (b"{\"scripts\": {}}", "has no list of servers"),
    ];
    for (bytes, want) in cases {
        let home = Home::with("mcp.json", "");
        fs::write(&home.file, bytes).expect("there is room");
        let output = home.init(&["--yes", home.path()]);
        assert_eq!(code(&output), Some(3), "{want}");
        let error = home.masked(&output.stderr);
        assert!(error.contains(want), "{error}");
        assert_eq!(fs::read(&home.file).expect("it is there"), bytes);
        assert!(home.backups().is_empty());
    }
}

#[test]
fn the_mode_of_the_file_is_kept_and_a_link_stays_one() {
    let home = Home::with("real/mcp.json", CURSOR);
    fs::set_permissions(&home.file, fs::Permissions::from_mode(0o640)).expect("it is ours");
    let link = home.folder.path().join("mcp.json");
    std::os::unix::fs::symlink(&home.file, &link).expect("there is room");
    let output = home.init(&["--yes", link.to_str().expect("it is UTF-8")]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    assert!(
        fs::symlink_metadata(&link)
            .expect("it is there")
            .is_symlink()
    );
    assert!(home.text().contains("breakfall"));
    let mode = |path: &Path| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(&home.file), 0o640);
    assert_eq!(mode(&home.backups()[0]), 0o640);
}

#[test]
fn an_undo_says_which_options_go_with_it() {
    let text = r#"{"mcpServers": {"a": {"command": "/opt/breakfall", "args": ["run", "--timeout", "3s", "--", "npx", "x"]}, "b": {"command": "breakfall", "args": ["serve", "--stdio"]}}}"#;
    let home = Home::with("mcp.json", text);
    let output = home.init(&["--undo", "--yes", home.path()]);
    let shown = home.masked(&output.stdout);
    assert!(shown.contains("this goes too: --timeout 3s"), "{shown}");
    assert!(
        shown.contains("left alone: its breakfall does not stand in front of a command"),
        "{shown}"
    );
    assert!(
        home.text()
            .contains(r#""a": {"command": "npx", "args": ["x"]}"#),
        "{}",
        home.text()
    );
}

#[test]
fn a_program_of_another_name_recognises_what_it_wrote() {
    let home = Home::with("mcp.json", CURSOR);
    let program = home.folder.path().join("breakfall-new");
    let built = env!("CARGO_BIN_EXE_breakfall");
    if fs::hard_link(built, &program).is_err() {
        fs::copy(built, &program).expect("there is room");
    }
    let init = |args: &[&str]| {
        let command =
            snapbox::cmd::Command::new(&program).args([&["init", "--yes"], args].concat());
        code(&run(command.env("HOME", home.folder.path())))
    };
    assert_eq!(init(&[home.path()]), Some(0));
    let changed = home.text();
    assert!(changed.contains("breakfall-new"), "{changed}");
    assert_eq!(init(&[home.path()]), Some(0));
    assert_eq!(home.text(), changed);
    assert_eq!(init(&["--undo", home.path()]), Some(0));
    assert_eq!(home.text(), CURSOR);
}

#[test]
fn a_file_of_the_user_is_recognised_by_a_relative_path() {
    let home = Home::with(".cursor/mcp.json", CURSOR);
    let command = breakfall(&["init", "--yes", ".cursor/mcp.json"]);
    let command = command.current_dir(home.folder.path());
    let output = run(command.env("HOME", home.folder.path()));
    assert_eq!(code(&output), Some(0), "{output:?}");
    let program = env!("CARGO_BIN_EXE_breakfall");
    assert!(home.text().contains(program), "{}", home.text());
}

/// The proof that the edited line is one a client can use.
#[test]
fn a_wrapped_server_answers() {
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/call/server.py");
    let text = serde_json::json!({"mcpServers": {"a": {"command": "python3", "args": [server]}}});
    let home = Home::with("mcp.json", &text.to_string());
    assert_eq!(code(&home.init(&["--yes", home.path()])), Some(0));
    let servers: Value = serde_json::from_str(&home.text()).expect("it is JSON");
    let line = lines(&servers["mcpServers"]).remove(0);
    let mut words = line.split(' ');
    let mut command = std::process::Command::new(words.next().expect("a program"));
    let mut wire = testing::wire::Wire::start(command.args(words));
    assert!(wire.initialize()["result"]["serverInfo"].is_object());
}

//! Which servers are called, and how badly.

use std::path::Path;

use serde_json::{Value, json};
use testing::faulty;
use testing::servers::Server;

/// A bad call.
#[derive(Clone)]
pub(super) struct Case {
    /// What is wrong with it, in a few words.
    pub(super) about: &'static str,
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
    pub(super) words: Words,
    /// The server does not answer, and the case does not wait for it.
    pub(super) is_silent: bool,
    /// The server hangs, so only a timeout ends the call.
    pub(super) hangs: bool,
}

/// Whether the server has something to say that has to be kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    Kept,
    /// It is never asked, or does not answer.
    None,
}

impl Case {
    pub(super) fn new(
        about: &'static str,
        tool: &'static str,
        arguments: Value,
        words: Words,
    ) -> Self {
        Self {
            about,
            tool,
            arguments,
            words,
            is_silent: false,
            hangs: false,
        }
    }
}

/// A server that is called badly.
#[derive(Clone, Copy)]
pub(super) enum Subject {
    Public(Server),
    /// Ours, which fails on demand.
    Fault,
}

/// All of them; ours is the last.
pub(super) fn subjects() -> Vec<Subject> {
    let public = Server::ALL.into_iter().map(Subject::Public);
    public.chain([Subject::Fault]).collect()
}

impl Subject {
    pub(super) fn command(self, play: &Path) -> Vec<String> {
        match self {
            Self::Public(server) => server.command(play),
            Self::Fault => {
                let program = faulty::program();
                vec![program.to_str().expect("a plain name").to_owned()]
            }
        }
    }

    pub(super) fn prepare(self, play: &Path) {
        if let Self::Public(server) = self {
            server.prepare(play);
        }
    }

    /// Its name and version.
    pub(super) fn title(self) -> String {
        const NODE: &str = include_str!("../../../../../tools/servers/package.json");
        const PYTHON: &str = include_str!("../../../../../tools/servers/requirements.in");
        let node = |name: &str| {
            let package: Value = serde_json::from_str(NODE).expect("a package is JSON");
            let version = &package["dependencies"][format!("@modelcontextprotocol/{name}")];
            let version = version.as_str().expect("it is pinned");
            format!("`{name}` {version}")
        };
        let python = |name: &str| {
            let pin = |line: &'static str| line.strip_prefix(name)?.strip_prefix("==");
            let version = PYTHON.lines().find_map(pin).expect("it is pinned");
            format!("`{name}` {version}")
        };
        match self {
            Self::Public(Server::Everything) => node("server-everything"),
            Self::Public(Server::Filesystem) => node("server-filesystem"),
            Self::Public(Server::Memory) => node("server-memory"),
            Self::Public(Server::Time) => python("mcp-server-time"),
            Self::Public(Server::Git) => python("mcp-server-git"),
            Self::Public(Server::FastMcp) => format!("a server on {}", python("fastmcp")),
            Self::Fault => "a server made to fail".to_owned(),
        }
    }

    /// What goes wrong with it. A call without an answer comes first, so that all others are answered after it.
    pub(super) fn cases(self, play: &Path) -> Vec<Case> {
        let at = |name: &str| format!("{}/{name}", play.display());
        match self {
            Self::Public(Server::Everything) => everything(),
            Self::Public(Server::Filesystem) => filesystem(at),
            Self::Public(Server::Memory) => memory(),
            Self::Public(Server::Time) => time(),
            Self::Public(Server::Git) => git(&play.display().to_string()),
            Self::Public(Server::FastMcp) => fastmcp(),
            Self::Fault => fault(),
        }
    }
}

/// Something the gateway knows better than to send on.
fn refused(about: &'static str, tool: &'static str, arguments: Value) -> Case {
    Case::new(about, tool, arguments, Words::None)
}

/// Something the server answers.
fn answered(about: &'static str, tool: &'static str, arguments: Value) -> Case {
    Case::new(about, tool, arguments, Words::Kept)
}

/// Something the server does not live to answer.
fn lost(about: &'static str, tool: &'static str, arguments: Value) -> Case {
    Case::new(about, tool, arguments, Words::None)
}

/// Something the server does not answer.
fn hangs(tool: &'static str, arguments: Value) -> Case {
    let case = Case::new("a tool that hangs", tool, arguments, Words::None);
    Case {
        is_silent: true,
        hangs: true,
        ..case
    }
}

fn everything() -> Vec<Case> {
    vec![
        hangs(
            "trigger-long-running-operation",
            json!({"duration": 3600, "steps": 1}),
        ),
        refused("an unknown tool", "ecko", json!({"message": "hi"})),
        refused("an argument is missing", "echo", json!({})),
        refused(
            "arguments of the wrong type",
            "get-sum",
            json!({"a": "one", "b": {}}),
        ),
        refused(
            "a choice there is not",
            "get-structured-content",
            json!({"location": "Atlantis"}),
        ),
        answered(
            "a value it does not take",
            "get-resource-reference",
            json!({"resourceId": -1}),
        ),
    ]
}

fn filesystem(at: impl Fn(&str) -> String) -> Vec<Case> {
    let edits = json!([{"oldText": "absent", "newText": ""}]);
    vec![
        refused(
            "an unknown tool",
            "read_fil",
            json!({"path": at("hello.txt")}),
        ),
        refused("an argument is missing", "read_text_file", json!({})),
        refused(
            "an argument of the wrong type",
            "read_text_file",
            json!({"path": ["a"]}),
        ),
        answered(
            "no such file",
            "read_text_file",
            json!({"path": at("missing.txt")}),
        ),
        answered(
            "a folder instead of a file",
            "read_text_file",
            json!({"path": at("empty")}),
        ),
        answered(
            "a place it may not read",
            "read_text_file",
            json!({"path": "/etc/hosts"}),
        ),
        answered(
            "an edit of what is not there",
            "edit_file",
            json!({"path": at("hello.txt"), "edits": edits}),
        ),
    ]
}

fn memory() -> Vec<Case> {
    let nobody = json!([{"entityName": "Bob", "contents": ["more"]}]);
    vec![
        refused("an unknown tool", "read_grap", json!({})),
        refused("an argument is missing", "create_entities", json!({})),
        refused(
            "a part of an argument is missing",
            "create_entities",
            json!({"entities": [{"name": "nobody"}]}),
        ),
        answered(
            "one text where a list is due",
            "delete_entities",
            json!({"entityNames": "Bob"}),
        ),
        answered(
            "no such entity",
            "add_observations",
            json!({"observations": nobody}),
        ),
    ]
}

fn time() -> Vec<Case> {
    let convert = |time: &str| json!({"source_timezone": "UTC", "time": time, "target_timezone": "Asia/Tokyo"});
    vec![
        refused("an unknown tool", "get_time", json!({})),
        refused("an argument is missing", "get_current_time", json!({})),
        refused(
            "an argument of the wrong type",
            "get_current_time",
            json!({"timezone": {}}),
        ),
        answered(
            "no such time zone",
            "get_current_time",
            json!({"timezone": "Mars/Base"}),
        ),
        answered("an invalid time", "convert_time", convert("25:61")),
    ]
}

fn git(folder: &str) -> Vec<Case> {
    vec![
        refused("an unknown tool", "git_stats", json!({"repo_path": folder})),
        refused("an argument is missing", "git_status", json!({})),
        refused(
            "an argument of the wrong type",
            "git_log",
            json!({"repo_path": folder, "max_count": "many"}),
        ),
        answered(
            "a repository it may not read",
            "git_status",
            json!({"repo_path": "/nowhere"}),
        ),
        answered(
            "no such revision",
            "git_show",
            json!({"repo_path": folder, "revision": "nowhere"}),
        ),
        answered(
            "a revision that is an option",
            "git_show",
            json!({"repo_path": folder, "revision": "--exec=x"}),
        ),
    ]
}

fn fastmcp() -> Vec<Case> {
    let order = json!({"order": 7});
    vec![
        hangs("hang", order.clone()),
        refused("an unknown tool", "ad", json!({"a": 1, "b": 2})),
        refused("an argument is missing", "add", json!({"a": 1})),
        refused(
            "an argument of the wrong type",
            "add",
            json!({"a": "one", "b": 2}),
        ),
        answered("the tool says no", "refuse", json!({"reason": "closed"})),
        answered("an exception", "divide", json!({"a": 1, "b": 0})),
        answered(
            "an exception that holds a password",
            "connect",
            order.clone(),
        ),
        answered("a failure told as a success", "pretend", order.clone()),
        lost("the server dies", "die", order),
    ]
}

fn fault() -> Vec<Case> {
    let say = |about, what: &str| answered(about, "say", json!({"what": what}));
    let dies = |about, how: &str| lost(about, "misbehave", json!({"how": how}));
    let nonsense = |about, how: &str| Case {
        is_silent: true,
        ..dies(about, how)
    };
    vec![
        hangs("park", json!({})),
        refused("an unknown tool", "sai", json!({})),
        refused("an argument is missing", "say", json!({})),
        refused(
            "an argument of the wrong type",
            "wait",
            json!({"ms": "long"}),
        ),
        say("a stack trace with a password", "a trace"),
        say("an error with a password in its data", "a login"),
        say("five kilobytes of a compiler", "a compiler"),
        say("a limit, in words", "a limit"),
        say("a code of its own, with data", "a quota"),
        say("an error in an error", "a wrapped error"),
        say("a failure with everything there is", "everything"),
        say("a failure told as a success, in words", "a table"),
        say("a failure told as a success, as JSON", "an envelope"),
        say("a failure told as a success, as a page", "a page"),
        answered(
            "a failure where results have a schema",
            "typed",
            json!({"with": "a failure"}),
        ),
        answered(
            "the same, with data that breaks the schema",
            "typed",
            json!({"with": "a failure with data"}),
        ),
        answered(
            "the same, told as a success",
            "typed",
            json!({"with": "a table"}),
        ),
        nonsense("an answer that is not UTF-8", "invalid-utf8"),
        nonsense("an answer that says nothing", "neither-result-nor-error"),
        dies(
            "half an answer, then the server dies",
            "half-a-line-then-exit",
        ),
        dies("the server dies", "exit-3"),
        dies("the server is killed", "killed"),
    ]
}

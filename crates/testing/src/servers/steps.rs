//! What a client does with each server: every method it knows, and every way to call a tool badly.

use serde_json::{Value, json};

use super::Server;
use crate::clients::Step;

pub(super) fn steps(server: Server, folder: &str) -> Vec<Step> {
    let mut steps = vec![Step::Ping, Step::Tools];
    steps.extend(match server {
        Server::Everything => everything(),
        Server::Filesystem => filesystem(folder),
        Server::Memory => memory(),
        Server::Time => time(),
        Server::Git => git(folder),
        Server::FastMcp => fastmcp(),
    });
    // Whatever a server has of these, and however it says that it has none.
    steps.extend([
        call("no-such-tool", json!({})),
        Step::Resources,
        Step::Templates,
        read("nothing://here"),
        Step::Prompts,
        prompt("no-such-prompt", json!({})),
        complete("no-such-prompt", "a", "b"),
        subscribe("nothing://here"),
        level("debug"),
        level("shouting"),
        Step::Ping,
    ]);
    steps
}

fn everything() -> Vec<Step> {
    let dynamic = "demo://resource/dynamic/text/1";
    vec![
        call("echo", json!({"message": "ä 𝄞 \u{2028}"})),
        call("echo", json!({})),
        call("echo", json!({"message": 7})),
        call("echo", json!({"message": "x", "unknown": [1.0, 1e300]})),
        call("get-sum", json!({"a": 0.1, "b": 0.2})),
        call("get-sum", json!({"a": "one", "b": {}})),
        call("get-tiny-image", json!({})),
        call(
            "get-annotated-message",
            json!({"messageType": "error", "includeImage": true}),
        ),
        call("get-resource-links", json!({"count": 2})),
        call(
            "get-resource-reference",
            json!({"resourceType": "Text", "resourceId": 1}),
        ),
        call("get-resource-reference", json!({"resourceId": -1})),
        call("get-structured-content", json!({"location": "Chicago"})),
        call("get-structured-content", json!({"location": "Atlantis"})),
        progress(
            "trigger-long-running-operation",
            json!({"duration": 0.03, "steps": 3}),
        ),
        call(
            "trigger-sampling-request",
            json!({"prompt": "hello", "maxTokens": 5}),
        ),
        call("trigger-elicitation-request", json!({})),
        call("get-roots-list", json!({})),
        read(dynamic),
        read("demo://resource/static/document/features.md"),
        subscribe(dynamic),
        Step::Unsubscribe {
            uri: dynamic.to_owned(),
        },
        prompt("simple-prompt", json!({})),
        prompt("args-prompt", json!({"city": "Ulm"})),
        prompt("args-prompt", json!({})),
        complete("completable-prompt", "department", "S"),
    ]
}

fn filesystem(folder: &str) -> Vec<Step> {
    let at = |name: &str| format!("{folder}/{name}");
    let path = |name: &str| json!({"path": at(name)});
    vec![
        call("list_allowed_directories", json!({})),
        call("list_directory", path("")),
        call("directory_tree", path("")),
        call("read_text_file", path("hello.txt")),
        call(
            "read_text_file",
            json!({"path": at("hello.txt"), "head": 1, "tail": 1}),
        ),
        call("read_text_file", path("missing.txt")),
        call("read_text_file", path("empty")),
        call("read_text_file", json!({"path": "/etc/passwd"})),
        call("read_text_file", json!({"path": "../../etc/passwd"})),
        call("read_text_file", json!({})),
        call("read_text_file", json!({"path": 7})),
        call(
            "read_multiple_files",
            json!({"paths": [at("hello.txt"), at("missing.txt")]}),
        ),
        call(
            "write_file",
            json!({"path": at("new.txt"), "content": "ä\n"}),
        ),
        call("write_file", json!({"path": at("empty"), "content": ""})),
        call(
            "edit_file",
            json!({"path": at("hello.txt"), "edits": [{"oldText": "world", "newText": "you"}]}),
        ),
        call(
            "edit_file",
            json!({"path": at("hello.txt"), "edits": [{"oldText": "absent", "newText": ""}]}),
        ),
        call(
            "move_file",
            json!({"source": at("new.txt"), "destination": at("hello.txt")}),
        ),
        call("search_files", json!({"path": folder, "pattern": "*.txt"})),
        call("get_file_info", path("hello.txt")),
        call("get_file_info", path("missing.txt")),
    ]
}

fn memory() -> Vec<Step> {
    let ada = json!({"name": "Ada", "entityType": "person", "observations": ["wrote"]});
    let relation = json!({"from": "Ada", "to": "Charles", "relationType": "knows"});
    vec![
        call("read_graph", json!({})),
        call("create_entities", json!({"entities": [ada]})),
        call("create_entities", json!({"entities": [ada]})),
        call("create_entities", json!({"entities": [{"name": "nobody"}]})),
        call("create_relations", json!({"relations": [relation]})),
        call(
            "add_observations",
            json!({"observations": [{"entityName": "Ada", "contents": ["more"]}]}),
        ),
        call(
            "add_observations",
            json!({"observations": [{"entityName": "Bob", "contents": []}]}),
        ),
        call("search_nodes", json!({"query": "person"})),
        call("open_nodes", json!({"names": ["Ada", "Bob"]})),
        call("delete_entities", json!({"entityNames": ["Bob"]})),
        call("delete_entities", json!({"entityNames": "Bob"})),
        call("read_graph", json!({"unknown": true})),
    ]
}

fn time() -> Vec<Step> {
    let convert = |from: &str, time: &str| {
        let arguments =
            json!({"source_timezone": from, "time": time, "target_timezone": "Asia/Tokyo"});
        call("convert_time", arguments)
    };
    vec![
        call("get_current_time", json!({"timezone": "Europe/Berlin"})),
        call("get_current_time", json!({"timezone": "Mars/Base"})),
        call("get_current_time", json!({})),
        call("get_current_time", json!({"timezone": 7})),
        convert("UTC", "12:30"),
        convert("UTC", "25:61"),
        convert("", "12:30"),
    ]
}

fn git(folder: &str) -> Vec<Step> {
    let git = |tool: &str, more: Value| {
        let mut arguments = json!({"repo_path": folder});
        if let (Value::Object(all), Value::Object(more)) = (&mut arguments, more) {
            all.extend(more);
        }
        call(tool, arguments)
    };
    vec![
        git("git_status", json!({})),
        git("git_diff_unstaged", json!({})),
        git("git_diff", json!({"target": "nowhere"})),
        git("git_add", json!({"files": ["hello.txt"]})),
        git("git_add", json!({"files": ["missing.txt"]})),
        git("git_add", json!({"files": []})),
        git("git_diff_staged", json!({"context_lines": 1})),
        git("git_commit", json!({"message": "Second"})),
        git("git_log", json!({"max_count": 2})),
        git("git_log", json!({"max_count": "many"})),
        git("git_show", json!({"revision": "HEAD"})),
        git("git_show", json!({"revision": "--exec=evil"})),
        git("git_create_branch", json!({"branch_name": "side"})),
        git("git_checkout", json!({"branch_name": "absent"})),
        git("git_branch", json!({"branch_type": "local"})),
        call("git_status", json!({"repo_path": "/nowhere"})),
        call("git_status", json!({})),
    ]
}

fn fastmcp() -> Vec<Step> {
    vec![
        call("add", json!({"a": 1, "b": 2})),
        call("add", json!({"a": "one", "b": 2})),
        call("add", json!({"a": 1})),
        call("add", json!({"a": 1, "b": 2, "c": 3})),
        call("divide", json!({"a": 1, "b": 3})),
        call("divide", json!({"a": 1, "b": 0})),
        call("refuse", json!({"reason": "closed"})),
        call("nested", json!({"depth": 40})),
        progress("steps", json!({"count": 3})),
        read("note://first"),
        read("note://other"),
        read("note://missing"),
        subscribe("note://first"),
        prompt("greet", json!({"name": "Ada"})),
        prompt("greet", json!({})),
        complete("greet", "name", "A"),
    ]
}

fn call(tool: &str, arguments: Value) -> Step {
    let (tool, progress) = (tool.to_owned(), false);
    Step::Call {
        tool,
        arguments,
        progress,
    }
}

fn progress(tool: &str, arguments: Value) -> Step {
    let (tool, progress) = (tool.to_owned(), true);
    Step::Call {
        tool,
        arguments,
        progress,
    }
}

fn read(uri: &str) -> Step {
    let uri = uri.to_owned();
    Step::Read { uri }
}

fn subscribe(uri: &str) -> Step {
    let uri = uri.to_owned();
    Step::Subscribe { uri }
}

fn prompt(name: &str, arguments: Value) -> Step {
    let name = name.to_owned();
    Step::Prompt { name, arguments }
}

fn complete(prompt: &str, argument: &str, value: &str) -> Step {
    Step::Complete {
        prompt: prompt.to_owned(),
        argument: argument.to_owned(),
        value: value.to_owned(),
    }
}

fn level(level: &str) -> Step {
    let level = level.to_owned();
    Step::Level { level }
}

//! The tools that behave.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::behaviour::Behaviour;
use super::call::{Call, notify, said, told};
use super::canned;
use super::methods::GREETING;
use super::misbehave;
use super::notes::Notes;
use super::server::Server;

/// Answers the call, at once or from a thread of its own.
pub(super) fn call(server: &Arc<Server>, mut call: Call) {
    call.number = server.board.note(|notes| {
        notes.calls += 1;
        notes.calls
    });
    note_key(server, &call);
    if server.options.starts(Behaviour::CrashOnCall, 3) == Some(call.number) {
        misbehave::exit(101);
    }
    match call.params["name"].as_str().unwrap_or_default() {
        "echo" => server.reply(&call, told(&call.params["arguments"])),
        "pid" => server.reply(&call, told(&json!({"pid": std::process::id()}))),
        "count" => match count(server) {
            Ok(count) => server.reply(&call, told(&json!({"count": count}))),
            Err(error) => server.reply(&call, failed(&error.to_string())),
        },
        "state" => {
            let state = server.board.look().told();
            server.reply(&call, told(&state));
        }
        "wait" => aside(server, call, wait),
        "progress" => progress(server, &call),
        "park" => server.board.note(|notes| notes.parked.push(call)),
        "release" => release(server, &call),
        "fail" => server.reply(&call, failed("It failed, as it was told to.")),
        "error" => error(server, &call),
        "say" => tell(server, &call, canned::say),
        "typed" => tell(server, &call, canned::typed),
        "touch" => touch(server, &call),
        "misbehave" => misbehave::call(server, call),
        name => call.fail(-32602, &format!("Unknown tool: {name}")),
    }
}

impl Server {
    /// Answers a call of a tool.
    pub(super) fn reply(&self, call: &Call, result: Value) {
        call.succeed(result);
        self.answered(call);
    }

    fn answered(&self, call: &Call) {
        self.board.note(|notes| {
            notes.answered += 1;
            notes.latest = notes.latest.max(call.number);
        });
    }
}

/// Does something on a thread of its own. The stack is small, because there may be thousands.
pub(super) fn aside(server: &Arc<Server>, call: Call, work: fn(&Server, &Call)) {
    let server = Arc::clone(server);
    thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || work(&server, &call))
        .expect("the system has threads left");
}

fn failed(text: &str) -> Value {
    let mut result = said(text);
    result["isError"] = true.into();
    result
}

/// A line in a file for every call with a key, so that a test can see what was executed, and how often.
fn note_key(server: &Server, call: &Call) {
    let (Some(path), Some(key)) = (&server.options.keys, call.argument("key").as_str()) else {
        return;
    };
    let opened = OpenOptions::new().create(true).append(true).open(path);
    if let Err(error) = opened.and_then(|mut file| file.write_all(format!("{key}\n").as_bytes())) {
        super::out::complain(&format!("{}: {error}", path.display()));
    }
}

/// A byte in a file for every run: appending is atomic and survives us.
fn count(server: &Server) -> io::Result<u64> {
    let Some(path) = &server.options.count else {
        return Err(io::Error::other("started without --count-file"));
    };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(b"x")?;
    Ok(file.metadata()?.len())
}

fn wait(server: &Server, call: &Call) {
    let time = Duration::from_millis(call.number("ms", 100));
    let is_cancelled = |notes: &Notes| notes.cancelled.contains(&call.id);
    if !server.board.wait_within(time, is_cancelled) {
        server.reply(call, said("waited"));
    }
}

fn progress(server: &Server, call: &Call) {
    let steps = call.number("steps", 3);
    for step in 1..=steps {
        call.progress(step, steps);
    }
    server.reply(call, said("done"));
}

/// Answers what is parked, the last first if told so, and then itself.
fn release(server: &Server, call: &Call) {
    let mut parked = server.board.note(|notes| std::mem::take(&mut notes.parked));
    if call.argument("reversed") == true {
        parked.reverse();
    }
    for waiting in &parked {
        server.reply(waiting, told(&waiting.params["arguments"]));
    }
    server.reply(call, told(&json!({"released": parked.len()})));
}

/// A JSON-RPC error made of the arguments.
fn error(server: &Server, call: &Call) {
    let error = call.params["arguments"].clone();
    super::out::send(&json!({"jsonrpc": "2.0", "id": call.id, "error": error}));
    server.answered(call);
}

/// Something that is ready to be said.
fn tell(server: &Server, call: &Call, tell: fn(&Call) -> bool) {
    if tell(call) {
        server.answered(call);
    } else {
        call.fail(-32602, "there is nothing of that name to say");
    }
}

/// Notifies subscribers that the resource changed.
fn touch(server: &Server, call: &Call) {
    let uri = call.argument("uri").as_str().unwrap_or(GREETING);
    let method = "notifications/resources/updated";
    let (subscribed, listens) = {
        let notes = server.board.look();
        (notes.subscriptions.contains(uri), notes.listens.clone())
    };
    if subscribed {
        notify(method, &json!({"uri": uri}));
    }
    for (id, filter) in listens {
        let uris = filter["resourceSubscriptions"].as_array();
        if uris.is_some_and(|uris| uris.iter().any(|each| each == uri)) {
            let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
            notify(method, &json!({"uri": uri, "_meta": meta}));
        }
    }
    server.reply(call, said("touched"));
}

pub(super) fn list() -> Vec<Value> {
    let names: Vec<_> = Behaviour::of(super::When::Call)
        .map(Behaviour::name)
        .collect();
    let number = json!({"type": "integer", "minimum": 0});
    #[rustfmt::skip]
    let table = [
        ("echo", "Returns its arguments.", json!({})),
        ("pid", "Tells the id of the process.", json!({})),
        ("count", "Tells how often it ran, over all starts.", json!({})),
        ("state", "Tells what the server knows.", json!({})),
        ("wait", "Answers after some milliseconds.", json!({"ms": number})),
        ("progress", "Reports progress, then answers.", json!({"steps": number})),
        ("park", "Answers when `release` is called, with its arguments.", json!({})),
        ("release", "Answers all that is parked.", json!({"reversed": {"type": "boolean"}})),
        ("fail", "Fails as a tool.", json!({})),
        ("error", "Answers with its arguments as a JSON-RPC error.", json!({})),
        ("touch", "Announces a change of a resource.", json!({"uri": {"type": "string"}})),
        ("misbehave", "Misbehaves.", json!({"how": {"type": "string", "enum": names}})),
    ];
    let tool = |(name, about, properties): &(&str, &str, Value)| {
        let schema = json!({"type": "object", "properties": properties});
        json!({"name": name, "description": about, "inputSchema": schema})
    };
    table.iter().map(tool).chain(ready()).collect()
}

/// The tools that say what is ready to be said.
fn ready() -> [Value; 2] {
    let schema = |name: &str, words: &[&str]| {
        let properties = json!({name: {"type": "string", "enum": words}});
        json!({"type": "object", "properties": properties, "required": [name]})
    };
    let say = json!({
        "name": "say",
        "description": "Says what servers say when something fails.",
        "inputSchema": schema("what", &canned::SAID),
    });
    let typed = json!({
        "name": "typed",
        "description": "Answers with a result that has a schema.",
        "inputSchema": schema("with", &canned::TYPED),
        "outputSchema": canned::schema(),
    });
    [say, typed]
}

//! Questions to the client in the middle of a call.

use serde_json::{Value, json};

use crate::faulty::call::{Call, notify, told};
use crate::faulty::out;
use crate::faulty::server::Server;

/// Asks, waits, and answers with what it was told.
pub(super) fn ask(server: &Server, call: &Call, method: &str) {
    let id = next_id(server);
    let reply = asked(server, &id, method);
    server.reply(call, told(&json!({"reply": reply})));
}

pub(super) fn with_the_same_id(server: &Server, call: &Call) {
    let reply = asked(server, &call.id, "ping");
    server.reply(call, told(&json!({"reply": reply})));
}

pub(super) fn then_cancel(server: &Server, call: &Call) {
    let id = next_id(server);
    send(&id, "sampling/createMessage");
    notify(
        "notifications/cancelled",
        &json!({"requestId": id, "reason": "never mind"}),
    );
    server.reply(call, told(&json!({"reply": null})));
}

fn next_id(server: &Server) -> Value {
    let number = server.board.note(|notes| {
        notes.asked += 1;
        notes.asked
    });
    format!("question-{number}").into()
}

fn asked(server: &Server, id: &Value, method: &str) -> Value {
    send(id, method);
    let key = id.to_string();
    server.board.wait(|notes| notes.replies.remove(&key))
}

fn send(id: &Value, method: &str) {
    let params = params(method);
    out::send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
}

fn params(method: &str) -> Value {
    match method {
        "sampling/createMessage" => {
            let content = json!({"type": "text", "text": "Say hello."});
            json!({"messages": [{"role": "user", "content": content}], "maxTokens": 10})
        }
        "elicitation/create" => {
            let properties = json!({"name": {"type": "string"}});
            let schema = json!({"type": "object", "properties": properties});
            json!({"message": "Who are you?", "requestedSchema": schema})
        }
        _ => json!({}),
    }
}

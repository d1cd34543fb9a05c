//! Whole lines of JSON that are not the one right answer.

use serde_json::{Value, json};

use crate::faulty::call::{Call, notify, said};
use crate::faulty::out;
use crate::faulty::server::Server;

pub(super) fn with_id(call: &Call, id: Value) {
    let mut answer = call.answer(said("for somebody else"));
    answer["id"] = id;
    out::send(&answer);
}

pub(super) fn id_of_another_type(_: &Server, call: &Call) {
    let id = match call.id.as_str() {
        Some(text) => text.parse().unwrap_or(7_u64).into(),
        None => call.id.to_string().into(),
    };
    with_id(call, id);
}

pub(super) fn id_with_a_point(_: &Server, call: &Call) {
    let id = call.id.as_f64().map_or(call.id.clone(), Value::from);
    with_id(call, id);
}

pub(super) fn no_id(_: &Server, call: &Call) {
    without(call, "id");
}

pub(super) fn after_cancel(server: &Server, call: &Call) {
    server
        .board
        .wait(|notes| notes.cancelled.contains(&call.id).then_some(()));
    server.reply(call, said("too late"));
}

pub(super) fn several(server: &Server, call: &Call) {
    for number in 1..=call.number("times", 2) {
        server.reply(call, said(&format!("answer {number}")));
    }
}

pub(super) fn then_progress(server: &Server, call: &Call) {
    server.reply(call, said("done already"));
    let token = call.token().cloned().unwrap_or("nobody".into());
    let params = json!({"progressToken": token, "progress": 99, "total": 100});
    notify("notifications/progress", &params);
}

pub(super) fn progress_of_unknown_token(server: &Server, call: &Call) {
    let params = json!({"progressToken": "nobody", "progress": 1});
    notify("notifications/progress", &params);
    server.reply(call, said("done"));
}

pub(super) fn cancels_the_call(server: &Server, call: &Call) {
    let params = json!({"requestId": call.id, "reason": "changed its mind"});
    notify("notifications/cancelled", &params);
    server.reply(call, said("done all the same"));
}

pub(super) fn out_of_order(server: &Server, call: &Call) {
    server
        .board
        .wait(|notes| (notes.latest > call.number).then_some(()));
    server.reply(call, said("after you"));
}

pub(super) fn result_and_error(_: &Server, call: &Call) {
    let mut answer = call.answer(said("it worked"));
    answer["error"] = json!({"code": -32603, "message": "it did not"});
    out::send(&answer);
}

pub(super) fn null_error(_: &Server, call: &Call) {
    let mut answer = call.answer(said("it worked"));
    answer["error"] = Value::Null;
    out::send(&answer);
}

pub(super) fn neither(_: &Server, call: &Call) {
    without(call, "result");
}

pub(super) fn text_error_code(_: &Server, call: &Call) {
    error(call, &json!({"code": "E_FAILED", "message": "it failed"}));
}

pub(super) fn no_error_message(_: &Server, call: &Call) {
    error(call, &json!({"code": -32603}));
}

pub(super) fn error_is_text(_: &Server, call: &Call) {
    error(call, &json!("it failed"));
}

pub(super) fn result_is_text(_: &Server, call: &Call) {
    let mut answer = call.answer(json!({}));
    answer["result"] = "it worked".into();
    out::send(&answer);
}

pub(super) fn no_version(_: &Server, call: &Call) {
    without(call, "jsonrpc");
}

pub(super) fn batch(_: &Server, call: &Call) {
    out::send(&json!([call.answer(said("one of one"))]));
}

fn error(call: &Call, error: &Value) {
    out::send(&json!({"jsonrpc": "2.0", "id": call.id, "error": error}));
}

fn without(call: &Call, field: &str) {
    let mut answer = call.answer(said("not all there"));
    if let Value::Object(fields) = &mut answer {
        fields.remove(field);
    }
    out::send(&answer);
}

//! Both directions of what is rewritten, on whole messages.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::inward::{self, BrokenSealError, SubjectName};
use super::outward::{self, ServerView};
use super::{Seal, UpstreamNames};
use breakfall_mcp::jsonrpc::{Edit, Frame, FrameLimits};

fn frame(value: &Value) -> Frame {
    raw(&value.to_string())
}

fn raw(text: &str) -> Frame {
    Frame::parse(text.into(), &FrameLimits::REQUEST).expect("a message")
}

fn value(frame: &Frame) -> Value {
    serde_json::from_slice(frame.bytes()).expect("still JSON")
}

struct World {
    names: UpstreamNames,
    seal: Seal,
}

impl World {
    fn new() -> Self {
        Self {
            names: UpstreamNames::new(["files", "shop"], "__").expect("they differ"),
            seal: Seal::with_key(&[9; 32]),
        }
    }

    fn view(&self, at: usize) -> ServerView<'_> {
        ServerView {
            names: &self.names,
            at,
            seal: &self.seal,
            principal: "ann",
        }
    }

    fn answered(&self, result: &Value) -> Value {
        let frame = frame(&json!({"jsonrpc": "2.0", "id": 1, "result": result}));
        let answer = outward::answer(self.view(1), frame, false);
        assert_eq!(answer.id().expect("it stays").as_json(), "1");
        let value = value(&answer);
        assert_eq!(answer.body(), Some(&*value["result"].to_string()));
        value["result"].clone()
    }

    fn inward(&self, at: usize, frame: &Frame, own: &str) -> Result<Vec<Edit>, BrokenSealError> {
        let place = inward::subject(frame).and_then(|subject| subject.at);
        inward::request(self.view(at), frame, place, own)
    }

    fn told(&self, method: &str, params: &Value) -> Value {
        let frame = frame(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
        value(&outward::told(self.view(1), frame))["params"].clone()
    }
}

#[test]
fn addresses_in_blocks_say_whose_they_are_and_texts_stay() {
    let world = World::new();
    let result = json!({"content": [
        {"type": "text", "text": "see \"uri\": shop://1"},
        {"type": "resource_link", "uri": "shop://1", "name": "one", "vendor": {"uri": "x"}},
        {"type": "resource_link", "uri": "https://shop.test/1", "name": "web"},
        {"type": "resource", "resource": {"uri": "shop://2", "text": "t", "_meta": {"uri": "x"}}},
    ], "structuredContent": {"uri": "shop://1"}});
    let mut want = result.clone();
    want["content"][1]["uri"] = json!("breakfall://shop/shop://1");
    want["content"][3]["resource"]["uri"] = json!("breakfall://shop/shop://2");
    assert_eq!(world.answered(&result), want);
}

#[test]
fn prompts_resources_and_tasks_are_found_wherever_they_stand() {
    let world = World::new();
    let link = |uri: &str| json!({"type": "resource", "resource": {"uri": uri}});
    let related = |id: &str| json!({"io.modelcontextprotocol/related-task": {"taskId": id}});
    let cases = [
        (
            json!({"messages": [{"role": "user", "content": link("a:b")}]}),
            json!({"messages": [{"role": "user", "content": link("breakfall://shop/a:b")}]}),
        ),
        (
            json!({"contents": [{"uri": "https://a", "text": "t"}]}),
            json!({"contents": [{"uri": "breakfall://shop/https://a", "text": "t"}]}),
        ),
        (
            json!({"task": {"taskId": "7", "status": "working"}}),
            json!({"task": {"taskId": "shop__7", "status": "working"}}),
        ),
        (
            json!({"taskId": "7", "result": {"content": [link("a:b")]}, "resultType": "task"}),
            json!({"taskId": "shop__7", "result": {"content": [link("breakfall://shop/a:b")]}, "resultType": "task"}),
        ),
        (
            json!({"content": [], "_meta": related("7")}),
            json!({"content": [], "_meta": related("shop__7")}),
        ),
        // Odd shapes stay as they are.
        (
            json!({"taskId": 7, "task": [], "messages": 3, "contents": ["uri"]}),
            Value::Null,
        ),
        (
            json!({"content": [["uri"], null, {"uri": 1}], "x": {"uri": "a"}}),
            Value::Null,
        ),
    ];
    for (result, want) in cases {
        let want = if want.is_null() { &result } else { &want };
        assert_eq!(world.answered(&result), *want);
    }
}

#[test]
fn an_answer_without_prefixed_parts_keeps_every_byte() {
    let world = World::new();
    let text = r#"{"jsonrpc":"2.0" ,"result":{"content":[{"type":"text","text":"uri"}], "x":1e3,"\u0061":2},"id":1}"#;
    let answer = outward::answer(world.view(0), raw(text), false);
    assert_eq!(answer.bytes(), text.as_bytes());
    let text = r#"{"jsonrpc":"2.0" ,"result":{"content":[{"uri":"a:\/b", "n":1e3}], "x":1e3,"\u0061":2},"id":1}"#;
    let answer = outward::answer(world.view(0), raw(text), false);
    let want = text.replace(r#""a:\/b""#, r#""breakfall://files/a:/b""#);
    assert_eq!(answer.bytes(), want.as_bytes());
    let plain = outward::answer(world.view(0), raw(text), true);
    assert_eq!(
        plain.bytes(),
        text.as_bytes(),
        "asked for by its own address"
    );
}

#[test]
fn what_a_server_tells_and_asks_says_whose_it_is() {
    let world = World::new();
    let cases = [
        (
            "notifications/resources/updated",
            json!({"uri": "a:b"}),
            json!({"uri": "breakfall://shop/a:b"}),
        ),
        (
            "notifications/tasks/status",
            json!({"taskId": "7"}),
            json!({"taskId": "shop__7"}),
        ),
        (
            "notifications/elicitation/complete",
            json!({"elicitationId": "e"}),
            json!({"elicitationId": "shop__e"}),
        ),
        (
            "elicitation/create",
            json!({"mode": "url", "elicitationId": "e"}),
            json!({"mode": "url", "elicitationId": "shop__e"}),
        ),
        (
            "notifications/message",
            json!({"data": 1}),
            json!({"data": 1, "_meta": {"dev.breakfall/upstream": "shop"}}),
        ),
        (
            "notifications/message",
            json!({}),
            json!({"_meta": {"dev.breakfall/upstream": "shop"}}),
        ),
        (
            "notifications/message",
            json!({"_meta": {"a": 1}}),
            json!({"_meta": {"a": 1, "dev.breakfall/upstream": "shop"}}),
        ),
        // Its tasks are the client's.
        ("tasks/get", json!({"taskId": "c"}), json!({"taskId": "c"})),
        ("vendor/uri", json!({"uri": "a"}), json!({"uri": "a"})),
    ];
    for (method, params, want) in cases {
        assert_eq!(world.told(method, &params), want, "{method}");
    }
    let error = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32042, "message": "m", "data": {"uri": "a:b", "elicitations": [{"elicitationId": "e"}]}}});
    let answer = value(&outward::answer(world.view(1), frame(&error), false));
    let data =
        json!({"uri": "breakfall://shop/a:b", "elicitations": [{"elicitationId": "shop__e"}]});
    assert_eq!(answer["error"]["data"], data);
}

#[test]
fn what_a_request_is_about_is_found_by_its_method() {
    let cases = [
        (
            "tools/call",
            r#"{"name":"a"}"#,
            Some(SubjectName::Tool("a".into())),
        ),
        (
            "prompts/get",
            r#"{"name":"\u0061"}"#,
            Some(SubjectName::Prompt("a".into())),
        ),
        (
            "resources/subscribe",
            r#"{"uri":"u"}"#,
            Some(SubjectName::Resource("u".into())),
        ),
        (
            "completion/complete",
            r#"{"ref":{"type":"ref/prompt","name":"p"}}"#,
            Some(SubjectName::Prompt("p".into())),
        ),
        (
            "completion/complete",
            r#"{"ref":{"type":"ref/resource","uri":"u"}}"#,
            Some(SubjectName::Resource("u".into())),
        ),
        (
            "completion/complete",
            r#"{"ref":1}"#,
            Some(SubjectName::Nothing),
        ),
        (
            "tasks/cancel",
            r#"{"taskId":"t"}"#,
            Some(SubjectName::Task("t".into())),
        ),
        ("tools/call", r#"{"name":7}"#, Some(SubjectName::Nothing)),
        ("tools/list", r#"{"name":"a"}"#, None),
    ];
    for (method, params, want) in cases {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let frame = raw(&text);
        let subject = inward::subject(&frame);
        assert_eq!(subject.map(|subject| subject.named), want, "{method}");
    }
    let bare = raw(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#);
    assert_eq!(
        inward::subject(&bare).map(|subject| subject.named),
        Some(SubjectName::Nothing)
    );
}

#[test]
fn a_call_loses_its_prefix_and_nothing_else() {
    let world = World::new();
    let text = r#"{"params": {"arguments":{"name":"shop__x","n":1e3} ,"name":"shop__refund"},"id":"q","jsonrpc":"2.0","method":"tools/call"}"#;
    let request = raw(text);
    let edits = world
        .inward(1, &request, "refund")
        .expect("nothing is sealed");
    let request = request.edited(edits);
    let want = text.replace(r#""name":"shop__refund""#, r#""name":"refund""#);
    assert_eq!(request.bytes(), want.as_bytes());
    assert_eq!(request.method(), "tools/call");
    assert_eq!(request.id().expect("it has one").as_json(), "\"q\"");
    assert_eq!(&want[request.id_place().expect("it has one")], "\"q\"");
}

#[test]
fn a_prefixed_address_in_arguments_loses_its_prefix() {
    let world = World::new();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shop__x", "arguments": {
        "uri": "breakfall://shop/a:b", "of_another": "breakfall://files/a:b", "text": "see \"breakfall://shop/a:b\" there",
    }}});
    let request = frame(&call);
    let edits = world.inward(1, &request, "x").expect("nothing is sealed");
    let mut want = call;
    want["params"]["name"] = json!("x");
    want["params"]["arguments"]["uri"] = json!("a:b");
    assert_eq!(value(&request.edited(edits)), want);
}

#[test]
fn a_request_state_returns_only_to_the_server_that_gave_it() {
    let world = World::new();
    let asked = world.answered(
        &json!({"resultType": "input_required", "requestState": "st\"ate", "inputRequests": {}}),
    );
    let sealed = asked["requestState"].as_str().expect("a text").to_owned();
    assert_ne!(sealed, "st\"ate");
    let again = |state: &str| {
        frame(
            &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "x", "requestState": state}}),
        )
    };
    let request = again(&sealed);
    let edits = world.inward(1, &request, "x").expect("the seal holds");
    assert_eq!(
        value(&request.edited(edits))["params"]["requestState"],
        "st\"ate"
    );
    assert_eq!(
        world.inward(0, &again(&sealed), "x"),
        Err(BrokenSealError),
        "another server's"
    );
    assert_eq!(
        world.inward(1, &again("st\"ate"), "x"),
        Err(BrokenSealError),
        "never sealed"
    );
    let other = ServerView {
        principal: "bob",
        ..world.view(1)
    };
    assert_eq!(
        inward::request(other, &again(&sealed), None, "x"),
        Err(BrokenSealError),
        "another client's"
    );
}

#[test]
fn the_task_a_message_belongs_to_is_the_servers_own_again() {
    let world = World::new();
    let answer = |id: &str| {
        frame(
            &json!({"jsonrpc": "2.0", "id": 1, "result": {"_meta": {"io.modelcontextprotocol/related-task": {"taskId": id}}}}),
        )
    };
    let told = value(&inward::told(world.view(1), answer("shop__7")));
    assert_eq!(told, value(&answer("7")));
    let other = value(&inward::told(world.view(0), answer("shop__7")));
    assert_eq!(other, value(&answer("shop__7")));
}

/// The words that matter, and some that do not.
const KEYS: &[&str] = &[
    "uri",
    "content",
    "contents",
    "messages",
    "resource",
    "type",
    "task",
    "taskId",
    "result",
    "_meta",
    "io.modelcontextprotocol/related-task",
    "elicitationId",
    "elicitations",
    "data",
    "structuredContent",
    "name",
    "x",
];

/// Any JSON made of the words that matter.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,8}|resource_link|https://a|a:b|\"x\\\\".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(proptest::sample::select(KEYS), inner, 0..6).prop_map(
                |map| {
                    let members = map.into_iter().map(|(key, value)| (key.to_owned(), value));
                    Value::Object(members.collect())
                }
            ),
        ]
    })
}

/// Takes off whatever may have been put in front.
fn taken_off(value: Value) -> Value {
    match value {
        Value::String(text) => {
            let text = text.strip_prefix("breakfall://shop/").unwrap_or(&text);
            Value::from(text.strip_prefix("shop__").unwrap_or(text))
        }
        Value::Array(all) => all.into_iter().map(taken_off).collect(),
        Value::Object(all) => {
            let all = all.into_iter().map(|(key, value)| (key, taken_off(value)));
            Value::Object(all.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

proptest! {
    #[test]
    fn nothing_changes_but_what_is_put_in_front(result in anything(), is_error in any::<bool>(), method in "sampling/createMessage|elicitation/create|notifications/(message|tasks|resources/updated)") {
        let world = World::new();
        let result = json!({"content": result, "uri": result, "taskId": result, "data": result, "messages": [{"content": result}]});
        let answer = if is_error {
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m", "data": result}})
        } else {
            json!({"jsonrpc": "2.0", "id": 1, "result": result})
        };
        let changed = value(&outward::answer(world.view(1), frame(&answer), false));
        prop_assert_eq!(taken_off(changed), answer);
        let note = json!({"jsonrpc": "2.0", "method": method, "params": result});
        let mut changed = value(&outward::told(world.view(1), frame(&note)));
        if method == "notifications/message" {
            prop_assert_eq!(&changed["params"]["_meta"], &json!({"dev.breakfall/upstream": "shop"}));
            changed["params"].as_object_mut().expect("an object").remove("_meta");
        }
        prop_assert_eq!(taken_off(changed), note);
    }

    #[test]
    fn no_request_is_hurt_on_its_way_in(params in anything(), method in "tools/call|resources/read|completion/complete|tasks/get") {
        let world = World::new();
        let params = json!({"name": params, "uri": params, "ref": params, "arguments": params, "_meta": params});
        let request = frame(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        let edits = world.inward(1, &request, "own").expect("nothing is sealed");
        let told = value(&request.edited(edits));
        prop_assert_eq!(&told["params"]["arguments"], &params["arguments"]);
    }
}

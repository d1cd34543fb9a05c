//! The gate in front of servers whose lists are odd or missing, and of tools with arguments of its own names.

use serde_json::{Value, json};

use super::Shop;

/// A server that lists the tools of a file, fails to while there is none, and answers calls with their arguments.
const SERVER: &str = r#"
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    method = message["method"]
    if method == "initialize":
        reply["result"] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "1"}}
    elif method == "tools/list" and os.path.exists(sys.argv[1]):
        reply["result"] = {"tools": json.load(open(sys.argv[1]))}
    elif method == "tools/call":
        reply["result"] = {"content": [{"type": "text", "text": json.dumps(message["params"].get("arguments"))}], "structuredContent": {}}
    else:
        reply["error"] = {"code": -32603, "message": "not now"}
    print(json.dumps(reply), flush=True)
"#;

/// That server behind the gate, with these tools.
fn gated(tools: Option<&Value>, setting: &str) -> Shop {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| {
        let path = folder.path().join(name);
        path.to_str().expect("a plain path").to_owned()
    };
    let (server, list, file) = (at("server.py"), at("tools.json"), at("breakfall.yaml"));
    std::fs::write(&server, SERVER).expect("there is room");
    if let Some(tools) = tools {
        std::fs::write(&list, tools.to_string()).expect("there is room");
    }
    let config = format!(
        "store: memory\nupstreams:\n  odd:\n    command: [python3, {server}, {list}]\n    {setting}\n"
    );
    std::fs::write(&file, config).expect("there is room");
    Shop::start(&["run", "-c", &file], Some(folder))
}

#[test]
fn without_the_list_of_its_server_a_tool_counts_as_destructive() {
    for setting in ["", "wire_only: true"] {
        let mut shop = gated(None, setting);
        let error = shop.refused("erase", &json!({"id": 1}));
        assert_eq!(error["code"], "CONFIRMATION_REQUIRED", "{error}");
        let reasons = error["details"]["reasons"].to_string();
        assert!(reasons.contains("could not be read"), "{error}");
    }
    // A declaration needs no list.
    gated(None, "tools: { erase: { danger: reversible } }").passes("erase", &json!({"id": 1}));
}

#[test]
fn of_several_tools_with_one_name_the_most_dangerous_hints_count() {
    let plain = json!({"name": "erase", "inputSchema": {"type": "object"}});
    let mut dangerous = plain.clone();
    dangerous["annotations"] = json!({"destructiveHint": true});
    for tools in [json!([plain, dangerous]), json!([dangerous, plain])] {
        let code = gated(Some(&tools), "").code("erase", &json!({"id": 1}));
        assert_eq!(code, "CONFIRMATION_REQUIRED", "{tools}");
    }
    gated(Some(&json!([plain, plain])), "").passes("erase", &json!({"id": 1}));
}

#[test]
fn arguments_of_the_tool_with_names_of_the_gate_are_confirmed_too() {
    let schema = json!({"type": "object", "properties": {"_confirmation": {"type": "string"}}});
    let tools =
        json!([{"name": "erase", "inputSchema": schema, "annotations": {"destructiveHint": true}}]);
    let mut shop = gated(Some(&tools), "");
    let token = shop.token("erase", &json!({"id": 1, "_confirmation": "soft"}));
    let other = json!({"id": 1, "_confirmation": "hard", "confirmation_token": token});
    assert_eq!(shop.code("erase", &other), "TOKEN_SCOPE_MISMATCH");
    let same = json!({"id": 1, "_confirmation": "soft", "confirmation_token": token});
    let answer = shop.call("erase", &same);
    let sent = answer["content"][0]["text"].as_str().expect("a text");
    let sent: Value = serde_json::from_str(sent).expect("JSON");
    assert_eq!(sent, json!({"id": 1, "_confirmation": "soft"}));
}

#[test]
fn the_text_alone_is_enough_to_confirm() {
    let declared = json!({"type": "object", "properties": {"_confirmation": {"type": "string"}}});
    let both =
        json!({"type": "object", "properties": {"_confirmation": {}, "confirmation_token": {}}});
    for (schema, name) in [
        (json!({"type": "object"}), "_confirmation"),
        (declared, "confirmation_token"),
        (both, "_quota_continue"),
    ] {
        let tools = json!([{
            "name": "erase", "inputSchema": schema, "outputSchema": {"type": "object"}, "annotations": {"destructiveHint": true},
        }]);
        let mut shop = gated(Some(&tools), "");
        let refused = shop.call("erase", &json!({"id": 1}));
        let text = refused["content"][0]["text"].as_str().expect("a text");
        let token = &refused["_meta"]["dev.breakfall/error"]["details"]["confirmation_token"];
        let token = token.as_str().expect("a token");
        let want = format!("the argument {name} set to '{token}'");
        assert!(text.contains(&want), "{text}");
        shop.passes("erase", &json!({"id": 1, name: token}));
    }
}

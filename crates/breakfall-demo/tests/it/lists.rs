//! Tools, resources, prompts and completions.

use serde_json::{Value, json};

use super::client::Client;

#[tokio::test(start_paused = true)]
async fn hints_are_honest() {
    let mut client = Client::legacy(json!({})).await;
    let tools = client.result("tools/list", json!({})).await;
    let hint = |name: &str, hint: &str| {
        let mut tools = tools["tools"].as_array().expect("a list").iter();
        let tool = tools.find(|tool| tool["name"] == name).expect(name);
        tool["annotations"][hint].as_bool().expect(hint)
    };
    let cases = [
        ("search_products", true, false, true),
        ("hang", true, false, true),
        ("place_order", false, false, false),
        ("pydantic_dump", false, false, false),
        ("refund_order", false, true, false),
        ("cancel_order", false, true, true),
        ("crash", false, true, true),
        ("set_sale", false, false, true),
    ];
    for (tool, reads, destroys, repeats) in cases {
        let hints = (
            hint(tool, "readOnlyHint"),
            hint(tool, "destructiveHint"),
            hint(tool, "idempotentHint"),
        );
        assert_eq!(hints, (reads, destroys, repeats), "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_tool_says_in_one_sentence_what_it_shows() {
    let mut client = Client::legacy(json!({})).await;
    let tools = client.result("tools/list", json!({})).await;
    for tool in tools["tools"].as_array().expect("a list") {
        let words = tool["description"].as_str().expect("a description");
        let sentences = words.matches(". ").count() + usize::from(words.ends_with('.'));
        assert_eq!(sentences, 1, "{words}");
        assert!(tool["title"].is_string(), "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_resource_that_is_listed_can_be_read() {
    let mut client = Client::legacy(json!({})).await;
    let list = client.result("resources/list", json!({})).await;
    let list = list["resources"].as_array().expect("a list").clone();
    assert_eq!(list.len(), 9);
    let mut blobs = 0;
    for resource in list {
        let params = json!({"uri": resource["uri"]});
        let read = client.result("resources/read", params).await;
        let contents = &read["contents"][0];
        assert_eq!(contents["uri"], resource["uri"]);
        assert_eq!(contents["mimeType"], resource["mimeType"]);
        if contents["mimeType"] == "application/json" {
            let text = contents["text"].as_str().expect("a text");
            serde_json::from_str::<Value>(text).expect("JSON");
        }
        blobs += usize::from(contents["blob"].is_string());
    }
    assert_eq!(blobs, 1);
    let templates = client.result("resources/templates/list", json!({})).await;
    let template = &templates["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "shop://orders/{id}");
}

#[tokio::test(start_paused = true)]
async fn a_resource_that_is_not_there_is_told_as_its_era_does() {
    let params = json!({"uri": "shop://orders/ord-9999"});
    let (mut legacy, mut modern) = (Client::legacy(json!({})).await, Client::modern(json!({})));
    for (client, code) in [(&mut legacy, -32002), (&mut modern, -32602)] {
        let answer = client.request("resources/read", params.clone()).await;
        assert_eq!(answer["error"]["code"], code);
        assert_eq!(answer["error"]["data"], params);
        let code = client.refused("resources/read", json!({"uri": 5})).await;
        assert_eq!(code, -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_cursor_is_refused() {
    let mut client = Client::legacy(json!({})).await;
    for method in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        let code = client.refused(method, json!({"cursor": "x"})).await;
        assert_eq!(code, -32602, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_is_filled_in() {
    let mut client = Client::legacy(json!({})).await;
    let list = client.result("prompts/list", json!({})).await;
    assert_eq!(list["prompts"][0]["name"], "refund_reply");
    let arguments = json!({"order_id": "ord-1001", "tone": "brief"});
    let params = json!({"name": "refund_reply", "arguments": arguments});
    let prompt = client.result("prompts/get", params).await;
    let text = prompt["messages"][0]["content"]["text"].as_str();
    let text = text.expect("a text");
    assert!(
        text.starts_with("Write a brief reply to ana@example.com"),
        "{text}"
    );
    let wrong = [
        json!({"name": "no_such"}),
        json!({"name": "refund_reply"}),
        json!({"name": "refund_reply", "arguments": {"order_id": "ord-9999"}}),
        json!({"name": "refund_reply", "arguments": {"order_id": "ord-1001", "tone": "rude"}}),
        json!({}),
    ];
    for params in wrong {
        let code = client.refused("prompts/get", params.clone()).await;
        assert_eq!(code, -32602, "{params}");
    }
}

#[tokio::test(start_paused = true)]
async fn order_numbers_are_completed() {
    let mut client = Client::legacy(json!({})).await;
    let template = json!({"type": "ref/resource", "uri": "shop://orders/{id}"});
    let prompt = json!({"type": "ref/prompt", "name": "refund_reply"});
    let cases = [
        (&template, "id", "ord-100", 6),
        (&template, "id", "ord-1003", 1),
        (&template, "id", "x", 0),
        (&prompt, "order_id", "", 6),
        (&prompt, "tone", "f", 2),
    ];
    for (reference, name, value, count) in cases {
        let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
        let result = client.result("completion/complete", params).await;
        let completion = &result["completion"];
        let values = completion["values"].as_array().expect("a list");
        assert_eq!(
            (values.len(), &completion["hasMore"]),
            (count, &json!(false))
        );
    }
    let wrong = [
        json!({"ref": prompt, "argument": {"name": "colour", "value": ""}}),
        json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}),
        json!({"ref": template}),
        json!({}),
    ];
    for params in wrong {
        let code = client.refused("completion/complete", params.clone()).await;
        assert_eq!(code, -32602, "{params}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_malformed_call_is_an_error_of_the_protocol() {
    let mut client = Client::legacy(json!({})).await;
    let wrong = [
        json!({"name": "no_such_tool"}),
        json!({"name": "sale_offer"}),
        json!({"name": 5}),
        json!({"name": "tour", "arguments": "{}"}),
        json!({"name": "tour", "arguments": null}),
        json!({}),
    ];
    for params in wrong {
        let code = client.refused("tools/call", params.clone()).await;
        assert_eq!(code, -32602, "{params}");
    }
}

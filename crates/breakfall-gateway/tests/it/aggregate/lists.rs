//! What many servers have, as one.

use super::*;

#[tokio::test(start_paused = true)]
async fn what_is_no_item_or_stands_there_twice_does_not_spoil_the_list_for_all() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let mut odd = tools(&["x", "y"]);
    let all = odd["tools"].as_array_mut().expect("a list");
    let again = all[0].clone();
    all.extend([
        json!(7),
        json!(null),
        json!({"name": 5}),
        json!({"title": "t"}),
        json!([]),
        again,
    ]);
    let list = bench
        .list(
            "tools/list",
            &mut servers,
            &[odd, tools(&["pay"]), tools(&[])],
        )
        .await;
    assert_eq!(names(&list), ["files__x", "files__y", "shop__pay"]);
    assert_eq!(warnings(&list), [("CONTENT_DROPPED", "files")]);
    let warning = &list["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["context"]["dropped_count"], 6, "{warning}");
}

#[tokio::test(start_paused = true)]
async fn greetings_are_joined_and_everything_else_said_is_kept() {
    let mut bench = Bench::new();
    let mut servers = Vec::new();
    for at in 0..3 {
        servers.push(bench.server(at).await);
    }
    bench.client.say(&hello()).await;
    let mut first = can(&["tools"]);
    first["instructions"] = json!("Ask first.");
    first["protocolVersion"] = json!("2024-11-05");
    first["vendor"] = json!({"n": 1});
    let mut second = can(&["prompts"]);
    second["capabilities"]["resources"] = json!({"subscribe": true});
    second["instructions"] = json!("Pay later.");
    for (server, answer) in servers
        .iter_mut()
        .zip([first, second, can(&["logging", "tools"])])
    {
        let request = server.hear().await;
        assert_eq!(
            request["params"],
            hello()["params"],
            "as the client said it"
        );
        server
            .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": answer}))
            .await;
    }
    let told = bench.client.hear().await;
    let result = &told["result"];
    assert_eq!(told["id"], "hello");
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "breakfall");
    let changes = json!({"listChanged": true});
    assert_eq!(
        result["capabilities"],
        json!({"tools": changes, "prompts": changes, "resources": {"subscribe": true, "listChanged": true}, "logging": {}})
    );
    let instructions = result["instructions"].as_str().expect("a text");
    let places = ["# files", "`files__`", "Ask first.", "# shop", "Pay later."]
        .map(|part| instructions.find(part));
    assert!(places.is_sorted() && places[0].is_some(), "{instructions}");
    let upstreams = &result["_meta"]["dev.breakfall/upstreams"];
    assert_eq!(upstreams["files"]["vendor"], json!({"n": 1}));
    assert_eq!(upstreams["time"]["serverInfo"]["name"], "s");
    assert_eq!(warnings(result), []);
}

#[tokio::test(start_paused = true)]
async fn tools_are_listed_in_the_order_of_the_servers_with_their_names_in_front() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let mut odd = tools(&["read"]);
    odd["tools"][0]["x-vendor"] = json!({"name": "read"});
    odd["_meta"] = json!({"vendor/page": 1});
    let list = bench
        .list(
            "tools/list",
            &mut servers,
            &[odd, tools(&["read", "pay"]), tools(&[])],
        )
        .await;
    assert_eq!(names(&list), ["files__read", "shop__read", "shop__pay"]);
    assert_eq!(list["tools"][0]["x-vendor"], json!({"name": "read"}));
    assert_eq!(
        list["_meta"]["dev.breakfall/upstreams"],
        json!({"files": {"_meta": {"vendor/page": 1}}})
    );
    assert_eq!(list.get("nextCursor"), None);
}

#[tokio::test(start_paused = true)]
async fn pages_are_joined_page_by_page_and_a_cursor_cannot_be_forged() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let mut first = tools(&["a1"]);
    first["nextCursor"] = json!("p\"2");
    let mut third = tools(&["c1"]);
    third["nextCursor"] = json!("x");
    let list = bench
        .list("tools/list", &mut servers, &[first, tools(&["b"]), third])
        .await;
    assert_eq!(names(&list), ["files__a1", "shop__b", "time__c1"]);
    let cursor = list["nextCursor"]
        .as_str()
        .expect("there is more")
        .to_owned();

    let next = |cursor: &str| json!({"jsonrpc": "2.0", "id": "n", "method": "tools/list", "params": {"cursor": cursor}});
    bench.client.say(&next(&cursor)).await;
    for (at, own, tool) in [(0, "p\"2", "a2"), (2, "x", "c2")] {
        let request = servers[at].hear().await;
        assert_eq!(request["params"]["cursor"], own);
        servers[at]
            .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": tools(&[tool])}))
            .await;
    }
    let rest = bench.client.hear().await;
    assert_eq!(names(&rest["result"]), ["files__a2", "time__c2"]);
    assert_eq!(rest["result"].get("nextCursor"), None);

    for forged in [cursor.replace('x', "y"), "x".to_owned(), String::new()] {
        bench.client.say(&next(&forged)).await;
        let told = bench.client.hear().await;
        assert_eq!(told["error"]["code"], -32602, "{forged}");
        assert!(
            fault(&told)["remediation"]
                .as_str()
                .is_some_and(|text| text.contains("without a cursor"))
        );
    }
    bench.client.say(&json!({"jsonrpc": "2.0", "id": "p", "method": "prompts/list", "params": {"cursor": cursor}})).await;
    assert_eq!(
        bench.client.hear().await["error"]["code"],
        -32602,
        "of another list"
    );
}

#[tokio::test(start_paused = true)]
async fn resources_and_templates_say_whose_they_are() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let same = json!({"resources": [{"uri": "note://1", "name": "one"}]});
    let list = bench
        .list(
            "resources/list",
            &mut servers,
            &[same.clone(), same, json!({"resources": []})],
        )
        .await;
    let uris: Vec<_> = list["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["uri"])
        .collect();
    assert_eq!(
        uris,
        ["breakfall://files/note://1", "breakfall://shop/note://1"]
    );
    let templates = json!({"resourceTemplates": [{"uriTemplate": "note://{id}", "name": "any"}]});
    let none = json!({"resourceTemplates": []});
    let list = bench
        .list(
            "resources/templates/list",
            &mut servers,
            &[none.clone(), templates, none],
        )
        .await;
    assert_eq!(
        list["resourceTemplates"][0]["uriTemplate"],
        "breakfall://shop/note://{id}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_name_that_is_too_long_is_cut_told_of_and_still_works() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let long = "a_tool_with_a_name_that_goes_on_and_on_until_nobody_reads_it_any_more";
    let list = bench
        .list(
            "tools/list",
            &mut servers,
            &[tools(&[long]), tools(&[]), tools(&[])],
        )
        .await;
    let short = names(&list)[0].to_owned();
    assert!(
        short.len() == 64 && short.starts_with("files__a_tool_with"),
        "{short}"
    );
    let warning = &list["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "NAMES_SHORTENED");
    let told = json!({"shortened_count": 1, "names": [short], "original_names": [long]});
    assert_eq!(warning["context"], told);
    bench.client.say(&call(1, &short)).await;
    assert_eq!(servers[0].hear().await["params"]["name"], long);
}

#[tokio::test(start_paused = true)]
async fn a_name_no_model_takes_is_replaced_told_of_and_still_works() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let weird = ["weird name/é\n", "a.b", "a/b"];
    let answers = [tools(&weird), tools(&["fine"]), tools(&[])];
    let list = bench.list("tools/list", &mut servers, &answers).await;
    let given = names(&list);
    let is_taken = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    assert!(
        given.iter().all(|name| name.chars().all(is_taken)),
        "{given:?}"
    );
    assert_eq!(given[3], "shop__fine");
    let warning = &list["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "NAMES_SHORTENED");
    let told = json!({"shortened_count": 3, "names": given[..3], "original_names": weird});
    assert_eq!(warning["context"], told);
    for (id, (given, own)) in (1..).zip(given.iter().zip(weird)) {
        bench.client.say(&call(id, given)).await;
        assert_eq!(servers[0].hear().await["params"]["name"], own);
    }
}

#[tokio::test(start_paused = true)]
async fn items_of_an_earlier_page_are_left_out_of_a_later_one_despite_requests_in_between() {
    let mut bench = Bench::with(&["files"], |_| {});
    let (mut servers, _) = bench.greeted().await;
    let page = |names: &[&str], next: Option<&str>| {
        let mut page = tools(names);
        page["nextCursor"] = json!(next);
        page
    };
    let mut ask_for = async |cursor: Option<&Value>, answer: Value| {
        let params = cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
        bench.client.say(&request).await;
        servers[0].answer(answer).await;
        bench.client.hear().await["result"].clone()
    };
    let first = page(&["a", "b"], Some("2"));
    let second = page(&["b", "c"], None);
    let one = ask_for(None, first.clone()).await;
    let other = ask_for(None, first).await;
    for begun in [one, other] {
        assert_eq!(names(&begun), ["files__a", "files__b"]);
        let rest = ask_for(Some(&begun["nextCursor"]), second.clone()).await;
        assert_eq!(names(&rest), ["files__c"]);
        assert_eq!(warnings(&rest), [("CONTENT_DROPPED", "files")]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cut_name_works_for_a_client_that_has_not_asked_for_the_list() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    let long = "a_tool_with_a_name_that_goes_on_and_on_until_nobody_reads_it_any_more";
    let short = breakfall_gateway::config::UpstreamNames::new(NAMES, "__")
        .expect("they differ")
        .join(0, long);
    bench.client.say(&call(1, &short)).await;
    let mut page = tools(&["other"]);
    page["nextCursor"] = json!("2");
    servers[0].answer(page).await;
    let request = servers[0].hear().await;
    assert_eq!(
        (&request["method"], &request["params"]["cursor"]),
        (&json!("tools/list"), &json!("2"))
    );
    servers[0]
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": tools(&[long])}))
        .await;
    assert_eq!(servers[0].hear().await["params"]["name"], long);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_no_such_list_is_not_missed() {
    let mut bench = Bench::new();
    let (mut servers, _) = bench.greeted().await;
    bench.client.say(&ask(1, "prompts/list")).await;
    servers[0].answer(json!({"prompts": [{"name": "p"}]})).await;
    for server in &mut servers[1..] {
        let request = server.hear().await;
        server.say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "what?"}})).await;
    }
    let told = bench.client.hear().await;
    assert_eq!(told["result"], json!({"prompts": [{"name": "files__p"}]}));
}

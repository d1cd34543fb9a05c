//! The example, seen through the official clients.

use serde_json::{Value, json};
use testing::clients::{Client, Era, Reply};

const SERVER: &[&str] = &[env!("CARGO_BIN_EXE_minimal")];

/// A call that fails, and what every channel has to say about it.
const FAILURES: [(&str, &str, &str); 3] = [
    (
        r#"{"article": "coffee", "people": 2}"#,
        "ARTICLE_NOT_FOUND",
        "Call 'list_articles' and use a name from there.",
    ),
    (
        r#"{"article": "tea", "people": "two"}"#,
        "VALIDATION_INVALID_TYPE",
        "",
    ),
    (r#"{"article": "tea", "people": 0}"#, "INTERNAL_ERROR", ""),
];

fn drive<const N: usize>(client: Client, era: Era, calls: &[(&str, Value); N]) -> [Reply; N] {
    let replies = client.drive(era, SERVER, calls).replies;
    replies.try_into().expect("a reply for each call")
}

fn every_client(check: impl Fn(Client, Era)) {
    for (client, era) in Client::ALL {
        check(client, era);
    }
}

#[test]
fn a_success_is_one() {
    every_client(|client, era| {
        let calls = [("share", json!({"article": "tea", "people": 2}))];
        let [Reply::Result(result)] = drive(client, era, &calls) else {
            panic!("{client:?} in {era:?} took a success for a failure");
        };
        assert_eq!(result["content"][0]["text"], "160", "{client:?} in {era:?}");
        assert_ne!(result["isError"], true, "{client:?} in {era:?}");
    });
}

#[test]
fn each_channel_alone_says_code_fix_and_id() {
    every_client(|client, era| {
        let calls = FAILURES.map(|(arguments, ..)| {
            (
                "share",
                serde_json::from_str(arguments).expect("written above"),
            )
        });
        for (reply, (arguments, code, fix)) in drive(client, era, &calls).iter().zip(FAILURES) {
            let context = format!("{client:?} in {era:?}, share {arguments}: {reply:?}");
            let Reply::Result(result) = reply else {
                panic!("a failing tool is a result: {context}");
            };
            assert_eq!(result["isError"], true, "{context}");
            let meta = &result["_meta"]["dev.breakfall/error"];
            let id = meta["correlation_id"].as_str().expect(&context);
            let remediation = meta["remediation"].as_str().expect(&context);
            assert!(
                remediation.contains(fix) && !remediation.is_empty(),
                "{context}"
            );
            assert_eq!(meta["code"], code, "{context}");
            let text = result["content"][0]["text"].as_str().expect(&context);
            for said in [
                format!("[{code}] "),
                format!("Fix: {remediation}"),
                format!("Reference: {id}"),
            ] {
                assert!(
                    text.contains(&said),
                    "{said:?} is not in the text: {context}"
                );
            }
            assert_eq!(result["structuredContent"], *meta, "{context}");
        }
    });
}

#[test]
fn an_unknown_tool_is_refused_with_the_name_that_was_meant() {
    every_client(|client, era| {
        let [Reply::Error(error)] = drive(client, era, &[("shar", json!({}))]) else {
            panic!("{client:?} in {era:?}: an unknown tool is an error of the protocol");
        };
        assert_eq!(error["code"], -32602, "{client:?} in {era:?}: {error}");
        let object = &error["data"];
        assert_eq!(
            object["code"], "NOT_FOUND_OPERATION",
            "{client:?} in {era:?}: {error}"
        );
        assert!(
            error.to_string().contains("share"),
            "{client:?} in {era:?}: {error}"
        );
    });
}

#[test]
fn a_panic_harms_no_other_call() {
    every_client(|client, era| {
        let calls = [
            ("share", json!({"article": "tea", "people": 0})),
            ("share", json!({"article": "cake", "people": 9})),
        ];
        let [_, Reply::Result(after)] = drive(client, era, &calls) else {
            panic!("{client:?} in {era:?}: the call after a panic failed");
        };
        assert_eq!(after["content"][0]["text"], "50", "{client:?} in {era:?}");
    });
}

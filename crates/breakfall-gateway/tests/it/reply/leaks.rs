//! Nothing leaks from a failure, wherever a server puts it.

use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format};
use breakfall_gateway::reply::{ReplyOptions, failed};
use serde_json::{Value, json};
use testing::corpus::{Corpus, Needle};

use super::{error, failure, result, text, told};

#[test]
fn no_leak_of_the_corpus_passes_in_any_place_or_format() {
    let corpus = Corpus::load().expect("a corpus");
    let manners: Vec<ReplyOptions> = Dialect::ALL
        .iter()
        .map(|dialect| {
            ReplyOptions::default()
                .dialect(*dialect)
                .format(Format::Both)
                .output_schema(Some(false))
        })
        .collect();
    let mut seen = 0;
    for (at, leak) in corpus.leaks.iter().enumerate() {
        let manner = &manners[at % manners.len()];
        let text = &*leak.text;
        let block = json!({"type": "text", "text": text, "_meta": {"note": text}});
        let frames = [
            result(&json!({"isError": true, "content": [block, {"type": "resource", "resource": {"uri": "note:a", "text": text}}], "structuredContent": {"result": text, "list": [text]}, "_meta": {"why": text}, "extra": [[text]]}).to_string()),
            result(&json!({"content": [{"type": "text", "text": format!("Error: it failed\n{text}")}]}).to_string()),
            result(&json!({"isError": true, "content": [{"type": "text", "text": text}]}).to_string()),
            result(&format!(r#"{{"isError":true,"content":[{{"type":"text","text":{},"text":"it failed"}}]}}"#, json!(text))),
            error(&json!({"code": -32603, "message": text, "data": {"cause": text}, "extra": text}).to_string()),
            error(&json!({"code": -32001, "message": text, "data": [text]}).to_string()),
        ];
        let needles: Vec<Needle> = leak
            .secrets
            .iter()
            .map(|secret| Needle::new(secret))
            .collect();
        for frame in &frames {
            let Some(failure) = try_failure(frame) else {
                continue;
            };
            let said = failed(&failure, Some(frame), manner, "{}");
            seen += 1;
            for needle in &needles {
                assert!(
                    !needle.is_in(said.body()),
                    "{}: {:?} in {}",
                    leak.family,
                    leak.secrets,
                    said.body()
                );
            }
        }
    }
    assert!(seen > 100, "only {seen} failures");
}

fn try_failure(
    frame: &breakfall_mcp::jsonrpc::Frame,
) -> Option<breakfall_gateway::classify::ClassifiedFailure> {
    let rules = breakfall_gateway::classify::Rules::new();
    let about = breakfall_gateway::classify::JudgedRequest::call("buy", &rules);
    match breakfall_gateway::classify::judge(frame, &about) {
        breakfall_gateway::classify::Verdict::Failed(_) => Some(failure(frame)),
        // Too long for a rule to take its words for a failure.
        breakfall_gateway::classify::Verdict::Success
        | breakfall_gateway::classify::Verdict::Asks
        | breakfall_gateway::classify::Verdict::Malformed
        | breakfall_gateway::classify::Verdict::LooksFailed(_) => None,
    }
}

/// A failed result with these blocks, as its caller reads it.
fn told_blocks(content: &Value) -> Value {
    let body = json!({"isError": true, "content": content}).to_string();
    told(&result(&body), &ReplyOptions::default())
}

#[test]
fn embedded_text_is_redacted_pictures_pass_and_other_bytes_are_described() {
    // password=correct-horse-7
    const SECRET: &str = "cGFzc3dvcmQ9Y29ycmVjdC1ob3JzZS03";
    const REDACTED: &str = "cGFzc3dvcmQ9W3JlZGFjdGVkOnBhc3N3b3JkXQ==";
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUg==";
    // PK, a ZIP file
    const ZIP: &str = "UEsDBBQAAAA=";
    let resource = |blob: &str| json!({"type": "resource", "resource": {"uri": "note:a", "mimeType": "application/zip", "blob": blob}});
    let image = |data: &str| json!({"type": "image", "data": data, "mimeType": "image/png"});
    let given = json!([
        {"type": "text", "text": "it failed"},
        resource(SECRET),
        resource(PNG),
        resource(ZIP),
        image(SECRET),
        image(PNG),
        image(ZIP),
        {"type": "other", "data": SECRET, "blob": {"password": "correct-horse-7"}},
    ]);
    let told = told_blocks(&given);
    let blocks = told["content"].as_array().expect("a list");
    let own = blocks.len() - 8;
    let described = json!({"uri": "note:a", "mimeType": "text/plain", "text": "[removed: 8 bytes of application/zip]"});
    let want = [
        given[0].clone(),
        resource(REDACTED),
        resource(PNG),
        json!({"type": "resource", "resource": described}),
        image(REDACTED),
        image(PNG),
        json!({"type": "text", "text": "[removed: 8 bytes of image/png]"}),
        json!({"type": "other", "data": REDACTED, "blob": {"password": "[redacted:password]"}}),
    ];
    assert_eq!(blocks[own..], want);
    let long = json!([{"type": "text", "text": SECRET.repeat(600)}]);
    let told = told_blocks(&long).to_string();
    assert!(!told.contains(SECRET), "a text that is nothing but base64");
}

#[test]
fn a_secret_split_over_two_blocks_is_found() {
    let cases = [
        ("the key AKIAIOSF", "ODNN7EXAMPLE was refused"),
        ("login failed: password=", "ODNN7EXAMPLE"),
        ("Authorization: Bearer", "ODNN7EXAMPLEc2VjcmV0LXRva2Vu"),
    ];
    for (first, second) in cases {
        for second in [
            json!({"type": "text", "text": second}),
            json!({"type": "resource", "resource": {"uri": "note:a", "text": second}}),
            json!(second),
        ] {
            let told = told_blocks(&json!([{"type": "text", "text": first}, second]));
            let told = told.to_string();
            assert!(!told.contains("ODNN7EXAMPLE"), "{told}");
            assert!(!told.contains("AKIAIOSF"), "{told}");
        }
    }
    let harmless =
        json!([{"type": "text", "text": "The order"}, {"type": "text", "text": "was not found"}]);
    let told = told_blocks(&harmless);
    let blocks = told["content"].as_array().expect("a list");
    assert!(
        blocks.ends_with(harmless.as_array().expect("a list")),
        "{told:#}"
    );
}

/// A text that redaction empties has the sentence of its code in front: no client reads "[trace]" alone.
#[test]
fn the_sentence_of_the_code_stands_in_front_of_mere_markers() {
    const TRACE: &str = "Traceback (most recent call last):\n  File \"/srv/shop/orders.py\", line 7, in close\n    raise Locked";
    let options = ReplyOptions::default();
    let result = told(&text(TRACE), &options);
    let first = super::block(&result, 0).lines().next().unwrap_or_default();
    assert!(first.ends_with(" [trace]"), "{result:#}");
    let sentence = first.trim_end_matches(" [trace]");
    assert!(sentence.len() > "[INTERNAL_ERROR] ".len() + 8, "{first}");
    let answer = json!({"code": -32603, "message": TRACE}).to_string();
    let error = told(&error(&answer), &options.language(Language::German));
    let message = error["message"].as_str().unwrap_or_default();
    assert!(!message.starts_with('['), "{message}");
    assert!(message.contains(" [trace] ["), "{message}");
}

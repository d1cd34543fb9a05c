//! Nothing leaks from a failure, wherever a server puts it.

use breakfall::wire::{Dialect, Format};
use breakfall_gateway::reply::{ReplyOptions, failed};
use serde_json::json;
use testing::corpus::{Corpus, Needle};

use super::{error, failure, result};

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
        | breakfall_gateway::classify::Verdict::Malformed => None,
    }
}

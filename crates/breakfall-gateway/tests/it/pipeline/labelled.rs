//! Successful results that mention or look like errors, of tools that return text as it is: command output, files, cells
//! of tables, search results, logs. Half of them was written without knowledge of the rules.

use breakfall::classify::Classifier;
use breakfall::read::{FailureEvidence, read_by};
use breakfall::wire::Options;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{bench, call, hello, list};

#[derive(Deserialize)]
struct LabelledResult {
    tool: String,
    arguments: Value,
    text: String,
}

fn half(jsonl: &str) -> Vec<LabelledResult> {
    let lines = jsonl.lines().filter(|line| !line.trim().is_empty());
    let parsed = lines.map(|line| serde_json::from_str(line).expect("an entry"));
    parsed.collect()
}

/// What became of the results.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcomes {
    all: usize,
    warned: usize,
    failed: usize,
}

/// Sends each result through the gateway.
async fn outcomes(results: &[LabelledResult]) -> Outcomes {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    let mut names: Vec<&str> = results.iter().map(|one| one.tool.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let tool = |name: &&str| json!({"name": name, "inputSchema": {"type": "object"}});
    let tools: Vec<Value> = names.iter().map(tool).collect();
    let mut outcomes = Outcomes::default();
    for (at, one) in results.iter().enumerate() {
        let request = call(at, &one.tool, one.arguments.clone());
        bench.client.say(&request).await;
        if at == 0 {
            list(&mut server, json!(tools)).await;
        }
        let said = json!({"content": [{"type": "text", "text": one.text}]});
        server.answer(said.clone()).await;
        let answer = bench.client.hear().await;
        let result = &answer["result"];
        outcomes.all += 1;
        if result["isError"] == true {
            outcomes.failed += 1;
            let arguments = one.arguments.to_string();
            let rules = Classifier::new().unmask(true);
            let rules = rules.for_call(&one.tool, &arguments);
            let reading = read_by(said, &Options::new(), &rules);
            assert_eq!(reading.evidence, FailureEvidence::Structural, "{answer}");
        } else {
            assert_eq!(result["content"][0], said["content"][0], "{answer}");
            let warnings = &result["_meta"]["dev.breakfall/success"]["warnings"];
            let is_warned = warnings[0]["code"] == "LOOKS_FAILED";
            outcomes.warned += usize::from(is_warned);
        }
    }
    outcomes
}

#[tokio::test(start_paused = true)]
async fn relayed_text_is_never_a_failure_or_redacted_on_evidence_below_structural() {
    let page = include_str!("../../../../../docs/errors-for-agents.md");
    let halves = [
        (
            "known to the author of the rules",
            include_str!("../../../../testing/corpus/labelled/read.jsonl"),
        ),
        (
            "written without knowledge of the rules",
            include_str!("../../../../testing/corpus/labelled/unread.jsonl"),
        ),
    ];
    let (mut all, mut missing) = (0, Vec::new());
    for (what, jsonl) in halves {
        let outcomes = outcomes(&half(jsonl)).await;
        all += outcomes.all;
        let row = format!(
            "| {what} | {} | {} | {} |",
            outcomes.all, outcomes.warned, outcomes.failed
        );
        if !page.contains(&row) {
            missing.push(row);
        }
    }
    assert!(
        missing.is_empty(),
        "docs/errors-for-agents.md needs: {missing:#?}"
    );
    assert!(all >= 200, "{all}");
}

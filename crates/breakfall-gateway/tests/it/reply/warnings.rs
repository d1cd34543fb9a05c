//! Warnings on successes.

use breakfall::catalog::warning::{ARGUMENTS_REPAIRED, UPSTREAM_LOST};
use breakfall::wire::Dialect;
use breakfall::{Severity, Warning};
use breakfall_gateway::reply::{ReplyOptions, warned};
use serde_json::Value;

fn list(told: &str) -> Vec<Value> {
    let told: Value = serde_json::from_str(told).expect("JSON");
    let list = &told["_meta"]["dev.breakfall/success"]["warnings"];
    list.as_array().cloned().unwrap_or_default()
}

#[test]
fn nothing_else_changes() {
    let result = r#"{ "content":[ {"type":"text","text":"\u0041"} ], "n":1e400 , "_meta": {"k":1.0,"k":2} }"#;
    let manner = ReplyOptions::default();
    assert_eq!(warned(result, &[], &manner), result);
    let told = warned(result, &[Warning::plain("slow")], &manner);
    let (before, after) = told
        .split_once(r#","dev.breakfall/success":"#)
        .expect("ours");
    assert_eq!(before, &result[..result.len() - 3]);
    assert!(after.ends_with("}]}} }"), "{after}");
    assert!(
        breakfall::read(serde_json::json!({"content": []}))
            .outcome
            .fault()
            .is_none()
    );
}

#[test]
fn the_worst_comes_first_each_once_and_no_more_than_ten() {
    let manner = ReplyOptions::default();
    let mut all: Vec<Warning> = (0..14).map(|at| Warning::plain(format!("w{at}"))).collect();
    all.push(
        Warning::new(UPSTREAM_LOST)
            .severity(Severity::Error)
            .context("upstream", "shop")
            .context("reason", "gone"),
    );
    all.push(Warning::plain("w3"));
    all.insert(0, Warning::plain("least").severity(Severity::Info));
    let told = list(&warned("{}", &all, &manner));
    assert_eq!(told.len(), 10);
    assert_eq!(told[0]["code"], "UPSTREAM_LOST");
    assert_eq!(told[9]["code"], "WARNINGS_SUPPRESSED");
}

#[test]
fn warnings_of_the_server_stay_and_are_not_said_twice() {
    let manner = ReplyOptions::default();
    let once = warned("{}", &[Warning::new(ARGUMENTS_REPAIRED)], &manner);
    let twice = warned(
        &once,
        &[
            Warning::new(ARGUMENTS_REPAIRED),
            Warning::plain("bad").severity(Severity::Error),
        ],
        &manner,
    );
    let told = list(&twice);
    assert_eq!(told.len(), 2, "{twice}");
    assert_eq!(told[0]["message"], "bad");
    let theirs = r#"{"_meta":{"dev.breakfall/success":{"meta":{"x":1e400},"warnings":[{"message":"own","n":1e400}]}}}"#;
    let told = warned(theirs, &[Warning::plain("ours")], &manner);
    assert!(
        told.contains(r#"{"meta":{"x":1e400},"warnings":[{"message":"own","n":1e400},{"#),
        "{told}"
    );
}

#[test]
fn a_warning_leaks_nothing_and_speaks_the_language_of_the_caller() {
    let leak = Warning::plain("lost /srv/app/db.key").context("path", "/srv/app/db.key");
    let told = warned("{}", &[leak], &ReplyOptions::default());
    assert!(!told.contains("/srv/app"), "{told}");
    let warning =
        Warning::new(breakfall::catalog::warning::DEPRECATED_FIELD).context("field", "zip");
    let told = list(&warned(
        "{}",
        &[warning],
        &ReplyOptions::default().locale("es"),
    ));
    assert_eq!(told[0]["message"], "El campo 'zip' está obsoleto");
}

#[test]
fn an_envelope_of_the_callers_format_gets_them_in_its_own_place() {
    let warnings = [Warning::new(ARGUMENTS_REPAIRED), Warning::plain("slow")];
    let block = |text: &str| {
        format!(
            r#"{{"content":[{{"type":"text","text":"words"}},{{"type":"text","text":{},"n":1e400}}]}}"#,
            Value::from(text)
        )
    };
    let aql = block(
        r#"{"success":true,"data":{"n":1e400},"warnings":[{"code":"OWN","message":"m","severity":"high"}]}"#,
    );
    let told = warned(
        &aql,
        &warnings,
        &ReplyOptions::default().dialect(Dialect::McpAql),
    );
    assert!(told.contains(r#""n":1e400}]"#), "{told}");
    let envelope = second_block(&told);
    let codes: Vec<_> = envelope["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["code"].clone())
        .collect();
    assert_eq!(codes.len(), 3, "{envelope}");
    assert_eq!(codes[0], "OWN");
    assert_eq!(list(&told.replace("1e400", "0")).len(), 2);

    let v2 = block(
        r#"{"success":true,"data":{},"error":null,"meta":{"version":"response-v2","warnings":["own"]}}"#,
    );
    let told = warned(
        &v2,
        &warnings,
        &ReplyOptions::default()
            .dialect(Dialect::ResponseV2)
            .strict(true),
    );
    let envelope = second_block(&told);
    assert_eq!(
        envelope["meta"]["warnings"].as_array().map(Vec::len),
        Some(3),
        "{envelope}"
    );
    assert!(
        !told.contains("\"_meta\""),
        "to the letter, nothing stands beside it"
    );

    let plain = block("words");
    let told = warned(
        &plain,
        &warnings,
        &ReplyOptions::default()
            .dialect(Dialect::ResponseV2)
            .strict(true),
    );
    assert_eq!(
        list(&told.replace("1e400", "0")).len(),
        2,
        "there is no other place"
    );
}

/// The envelope in the second text block of a result.
fn second_block(result: &str) -> Value {
    let read: Value = serde_json::from_str(&result.replace("1e400", "0")).expect("JSON");
    let text = read["content"][1]["text"].as_str().expect("text");
    serde_json::from_str(text).expect("JSON")
}

//! Warnings on successes.

use breakfall::catalog::warning::{ARGUMENTS_REPAIRED, UPSTREAM_LOST};
use breakfall::{Severity, Warning};
use breakfall_gateway::reply::{Manner, warned};
use serde_json::Value;

fn list(told: &str) -> Vec<Value> {
    let told: Value = serde_json::from_str(told).expect("JSON");
    let list = &told["_meta"]["dev.breakfall/success"]["warnings"];
    list.as_array().cloned().unwrap_or_default()
}

#[test]
fn nothing_else_changes() {
    let result = r#"{ "content":[ {"type":"text","text":"\u0041"} ], "n":1e400 , "_meta": {"k":1.0,"k":2} }"#;
    let manner = Manner::default();
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
    let manner = Manner::default();
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
    let manner = Manner::default();
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
    let told = warned("{}", &[leak], &Manner::default());
    assert!(!told.contains("/srv/app"), "{told}");
    let warning =
        Warning::new(breakfall::catalog::warning::DEPRECATED_FIELD).context("field", "zip");
    let told = list(&warned("{}", &[warning], &Manner::default().locale("es")));
    assert_eq!(told[0]["message"], "El campo 'zip' está obsoleto");
}

//! The same bad calls, direct and through `run`, and their answers.
//!
//! ```text
//! cases.rs     which servers, and what goes wrong with each
//! ask.rs       makes the calls, direct and through
//! measure.rs   what there is in an answer, and whether the server's words are still there
//! page.rs      the table of the README, and docs/before-after.md
//! ```
//!
//! `BREAKFALL_BLESS=1` rewrites the table and the page.

mod ask;
mod cases;
mod measure;
mod page;

use std::path::Path;

use serde_json::{Value, json};

use cases::{Case, Subject, Words};
use measure::{Told, differences, is_said, redactor, told};

/// What became of one bad call.
struct Row {
    case: Case,
    direct: Option<Value>,
    through: Option<Value>,
    before: Told,
    after: Told,
    /// What is lost of the server's text; empty if it had none.
    lost: Option<Vec<String>>,
}

/// What became of all bad calls to one server.
struct Report {
    title: String,
    rows: Vec<Row>,
}

impl Row {
    fn new(case: Case, direct: Option<Value>, through: Option<Value>, command: &[String]) -> Self {
        let known = redactor(&case.arguments, command);
        let lost = || match (&direct, &through) {
            (Some(direct), Some(through)) => differences(direct, through, &known),
            _ => vec!["there is no answer to compare".to_owned()],
        };
        Self {
            before: told(direct.as_ref(), &known),
            after: told(through.as_ref(), &known),
            lost: (case.words == Words::Kept).then(lost),
            case,
            direct,
            through,
        }
    }

    /// With other names for places that are only on this machine.
    fn still(self, play: &Path) -> Self {
        let still = |answer: Option<Value>| answer.map(|answer| page::still(answer, play));
        Self {
            direct: still(self.direct),
            through: still(self.through),
            ..self
        }
    }

    /// Everything that is not as it should be on our side.
    fn complaints(&self) -> Vec<String> {
        let mut complaints = self.after.complaints();
        if let Some(answer) = &self.through {
            complaints.extend(is_said(answer).err());
        }
        complaints.extend(self.lost.iter().flatten().cloned());
        let Case { tool, about, .. } = &self.case;
        let shown = |complaint| format!("{about} ({tool}): {complaint}: {:?}", self.through);
        complaints.into_iter().map(shown).collect()
    }
}

/// One server after the other would take as long as all of them together.
fn reports() -> Vec<Report> {
    let subjects = cases::subjects();
    std::thread::scope(|scope| {
        let begin = |subject| scope.spawn(move || report(subject));
        let running: Vec<_> = subjects.into_iter().map(begin).collect();
        let end = |thread: std::thread::ScopedJoinHandle<'_, Report>| thread.join();
        running
            .into_iter()
            .map(|thread| end(thread).unwrap())
            .collect()
    })
}

fn report(subject: Subject) -> Report {
    let temporary = tempfile::tempdir().unwrap();
    // Servers say where a folder really is.
    let folder = temporary.path().canonicalize().unwrap();
    let play = folder.join("play");
    let cases = subject.cases(&play);
    subject.prepare(&play);
    let direct = ask::direct(subject, &play, &cases);
    subject.prepare(&play);
    let through = ask::through(subject, &folder, &cases);
    let answers = direct.into_iter().zip(through);
    let rows = cases.into_iter().zip(answers);
    let command = subject.command(&play);
    let rows = rows
        .map(|(case, (direct, through))| Row::new(case, direct, through, &command).still(&play));
    Report {
        title: subject.title(),
        rows: rows.collect(),
    }
}

#[test]
fn every_bad_call_becomes_something_to_act_on_and_the_table_says_so() {
    let reports = reports();
    let rows = reports.iter().flat_map(|report| &report.rows);
    let complaints: Vec<_> = rows.flat_map(Row::complaints).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    fresh(&readme, |old| page::in_readme(old, &reports));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/before-after.md");
    fresh(&page, |_| page::page(&reports));
}

/// Holds a file against what it should be, or makes it so.
fn fresh(path: &Path, new: impl FnOnce(&str) -> String) {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let new = new(&old);
    if std::env::var_os("BREAKFALL_BLESS").is_some() {
        return std::fs::write(path, new).unwrap();
    }
    let name = path.file_name().unwrap_or_default().display();
    assert!(
        old == new,
        "{name} is stale; run ./check bless. It would be:\n{new}"
    );
}

/// The measure measures: with the wire alone, nothing of what the table shows is there.
#[test]
fn without_judgement_the_same_calls_would_not_pass() {
    let fault = cases::subjects().pop().expect("there are some");
    let folder = tempfile::tempdir().unwrap();
    let cases = fault.cases(folder.path());
    let said = |case: &Case| case.words == Words::Kept;
    let cases: Vec<_> = cases.into_iter().filter(said).collect();
    let bare = ask::bare(fault, folder.path(), &cases);
    for (case, answer) in cases.iter().zip(&bare) {
        let complaints = told(answer.as_ref(), &redactor(&case.arguments, &[])).complaints();
        assert!(complaints.len() >= 3, "{}: {complaints:?}", case.about);
    }
    let all = |is: fn(&Told) -> bool| {
        let told = cases
            .iter()
            .zip(&bare)
            .map(|(case, answer)| told(answer.as_ref(), &redactor(&case.arguments, &[])));
        told.filter(is).count()
    };
    assert!(all(|told| told.leaks) > 0 && all(|told| told.is_success) > 0);
}

#[test]
fn what_is_missing_in_an_answer_is_missed() {
    let object = json!({"code": "A", "category": "b", "retry": {"retryable": false}, "remediation": "c", "correlation_id": "d"});
    let answer = |object: &Value, text: &str| json!({"result": {"isError": true, "content": [{"type": "text", "text": text}], "_meta": {"x/error": object}}});
    let complaints = |answer: &Value| told(Some(answer), &redactor(&json!({}), &[])).complaints();
    assert_eq!(complaints(&answer(&object, "well")), [""; 0]);
    for key in ["code", "category", "retry", "remediation", "correlation_id"] {
        let mut less = object.clone();
        less.as_object_mut().unwrap().remove(key);
        assert_eq!(complaints(&answer(&less, "well")).len(), 1, "{key}");
    }
    let leak = "File \"/srv/app/private/server.py\", line 12, password=hunter2-is-no-password";
    assert_eq!(complaints(&answer(&object, leak)), ["something leaks"]);
    let mut success = answer(&object, "well");
    success["result"]["isError"] = false.into();
    assert_eq!(complaints(&success), ["it calls itself a success"]);
    assert_eq!(told(None, &redactor(&json!({}), &[])).complaints().len(), 6);
}

#[test]
fn what_is_lost_of_an_answer_is_missed() {
    let direct = json!({"result": {"isError": true, "vendor": 1, "content": [{"type": "text", "text": "a"}],
        "structuredContent": {"b": 1}, "_meta": {"c": 2}}});
    let lost = |through: &Value| differences(&direct, through, &redactor(&json!({}), &[])).len();
    assert_eq!(lost(&direct), 0);
    for member in ["content", "structuredContent", "_meta", "vendor"] {
        let mut through = direct.clone();
        through["result"].as_object_mut().unwrap().remove(member);
        assert_eq!(lost(&through), 1, "{member}");
    }
    let direct = json!({"error": {"code": 7, "message": "m", "data": {"a": [1, {"b": 2}]}}});
    let lost = |through: Value| differences(&direct, &through, &redactor(&json!({}), &[])).len();
    assert_eq!(
        lost(json!({"error": {"code": 7, "message": "m", "data": {"a": [1, {"b": 2}], "c": 3}}})),
        0
    );
    assert_eq!(
        lost(json!({"error": {"code": 8, "message": "n", "data": {"a": [1, {"b": 3}]}}})),
        3
    );
    assert_eq!(lost(json!({"result": {"isError": true, "content": []}})), 1);
}

#[test]
fn a_table_that_says_something_else_is_stale() {
    let case = || Case::new("x", "tool", json!({}), Words::None);
    let row = |through: Value| Row::new(case(), None, Some(through), &[]);
    let report = |through: Value| Report {
        title: "s".to_owned(),
        rows: vec![row(through)],
    };
    let error = json!({"error": {"code": 1, "message": "m"}});
    let better = json!({"error": {"code": 1, "message": "m", "data": {"category": "c"}}});
    let readme = format!("before\n{}\nyesterday\n{}\nafter\n", page::BEGIN, page::END);
    let one = page::in_readme(&readme, &[report(error.clone())]);
    let other = page::in_readme(&readme, &[report(better)]);
    assert!(
        one.starts_with("before\n") && one.ends_with("\nafter\n") && !one.contains("yesterday")
    );
    assert_ne!(one, other);
    assert_eq!(page::in_readme(&one, &[report(error)]), one);
}

//! The text of a native result suffices alone, for outcomes of every kind; warnings reach every dialect.

use breakfall::redact::Redactor;
use breakfall::wire::{Dialect, Format, Options, WARNINGS_KEY, tool_result};
use breakfall::{
    Batch, Choice, CorrelationId, Elicitation, Fault, Outcome, Stamp, Success, Warning, read,
};
use serde_json::{Value, json};

fn options() -> Options {
    let id = CorrelationId::new("req-1").unwrap();
    Options::new().stamp(Stamp::Fixed(id, "2026-01-02T03:04:05Z".parse().unwrap()))
}

fn written(outcome: impl Into<Outcome>, dialect: Dialect, options: &Options) -> Value {
    let outcome = Redactor::client().outcome(outcome);
    tool_result(outcome.as_ref(), dialect, options)
        .unwrap()
        .to_value()
}

fn text(outcome: impl Into<Outcome>) -> String {
    let result = written(outcome, Dialect::Native, &options());
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn what_a_handler_says_is_not_cut() {
    let words = "the ledger of March is closed, ".repeat(40);
    let text = text(Fault::invalid(words.trim_end()).remediation(words.trim_end()));
    assert!(text.contains(&format!(
        "{}\nFix: {}\nRetry: ",
        words.trim_end(),
        words.trim_end()
    )));
    assert!(text.ends_with("Reference: req-1"), "{text}");
}

#[test]
fn a_batch_names_what_is_done_with_its_data_and_what_failed_with_code_fix_and_id() {
    let batch = Batch::new("move", "moved")
        .done("a", json!({"to": "/inbox"}))
        .failed(
            "b",
            Fault::not_found("mail", "b").fallback_tool("list_mails"),
        )
        .done("c", Value::Null)
        .done("d", "moved\nb done")
        .warning(Warning::plain("The index is a minute old"));
    assert_eq!(
        text(batch),
        "1 of 4 items could not be moved\n\
         a done: {\"to\":\"/inbox\"}\n\
         b failed: [NOT_FOUND_RESOURCE] mail 'b' not found\n  \
           Fix: Verify the mail ID exists.\n  \
           Retry: no\n  \
           Instead: list_mails\n  \
           Reference: req-1\n\
         c done\n\
         d done: moved\n  b done\n\
         Warning: The index is a minute old"
    );
}

#[test]
fn the_ids_of_a_batch_are_the_same_in_text_and_object() {
    let batch = Batch::new("move", "moved")
        .failed("b", Fault::internal())
        .done("a", 1);
    let result = written(batch, Dialect::Native, &Options::new());
    let object = &result["_meta"]["dev.breakfall/batch"]["results"][0]["error"];
    let id = object["correlation_id"].as_str().unwrap();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(&format!("Reference: {id}")), "{text}");
}

#[test]
fn a_question_gives_its_reason_and_its_choices() {
    let choice = |label: &str, more: Option<&str>| Choice {
        label: label.to_owned(),
        value: label.to_lowercase(),
        description: more.map(str::to_owned),
        field: None,
    };
    let question = Elicitation::new("Which order?")
        .field("order")
        .reason("Two orders are open")
        .option(choice("A-1", Some("two books")))
        .option(choice("A-2", None));
    assert_eq!(
        text(question),
        "Input needed: Which order?\nReason: Two orders are open\nFields: order\nOption: A-1 (a-1): two books\nOption: A-2 (a-2)"
    );
}

#[test]
fn questions_and_batches_are_structured_where_that_is_allowed() {
    let options = options().structured(true);
    let question = written(Elicitation::new("Which?"), Dialect::Native, &options);
    assert_eq!(question["structuredContent"]["kind"], "needsInput:v1");
    let batch = || Batch::new("move", "moved").done("a", 1);
    let result = written(batch(), Dialect::Native, &options);
    assert_eq!(
        result["structuredContent"],
        result["_meta"]["dev.breakfall/batch"]
    );
    let plain = written(batch(), Dialect::Native, &Options::new());
    assert!(plain.get("structuredContent").is_none());
}

const WORDS: &str = "The index is a minute old";

fn success(data: Value) -> Success {
    Success::new(data).warning(Warning::plain(WORDS))
}

fn batch() -> Batch {
    Batch::new("move", "moved").warning(Warning::plain(WORDS))
}

#[test]
fn warnings_reach_every_dialect() {
    let outcomes: [fn() -> Outcome; 4] = [
        || success(json!({"n": 1})).into(),
        || success("plain words".into()).into(),
        || batch().done("a", 1).failed("b", Fault::internal()).into(),
        || batch().failed("b", Fault::internal()).into(),
    ];
    for &dialect in Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::Problem)
    {
        for strict in [false, true] {
            for &format in Format::ALL {
                let options = options().strict(strict).format(format).aggregate(strict);
                for make in outcomes {
                    let result = written(make(), dialect, &options);
                    assert!(result.to_string().contains(WORDS), "{dialect}: {result:#}");
                    let is_in_meta = result["_meta"].get(WARNINGS_KEY).is_some();
                    let read = read(result.clone()).outcome;
                    let found = match &read {
                        Outcome::Success(success) => success.warnings(),
                        Outcome::Batch(batch) => batch.warnings(),
                        Outcome::NeedsInput(_) | Outcome::Fault(_) => continue,
                    };
                    let all: Vec<_> = found.iter().map(Warning::text).collect();
                    assert!(
                        !is_in_meta || all == [WORDS],
                        "{dialect}: {all:?} in {result:#}"
                    );
                }
            }
        }
    }
}

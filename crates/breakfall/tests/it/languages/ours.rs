//! Sentences of ours that belong to no row: what a classifier or a schema has to say is in the caller's language too, and
//! what others said stays in theirs.
#![cfg(feature = "validate")]

use std::io::{Error, ErrorKind};

use breakfall::classify::exit::{Exit, fault as ended};
use breakfall::classify::http::{Failure, fault as answered};
use breakfall::classify::rpc::{Call, fault as refused};
use breakfall::classify::{Classifier, io, parse, serde};
use breakfall::locale::Language::{English, German, Japanese, Spanish};
use breakfall::redact::{Audience, Redactor};
use breakfall::validate::{Schema, unknown_tool};
use breakfall::{Elicitation, Fault, Outcome, Timestamp, Violation, codes, read};
use serde_json::{Value, json};

use super::TRANSLATED;

/// Failures that are told in words of ours.
fn told() -> Vec<Fault> {
    let kinds = [
        ErrorKind::NotFound,
        ErrorKind::ConnectionRefused,
        ErrorKind::StorageFull,
        ErrorKind::IsADirectory,
    ];
    let mut all: Vec<Fault> = kinds.map(|kind| io::fault(Error::from(kind))).into();
    all.extend([127, 1, 0, 137].map(|code| ended(&Exit::code(code))));
    all.extend(["[1,", "[1 2]", "{}"].map(|text| {
        let error = serde_json::from_str::<Vec<u8>>(text).unwrap_err();
        serde::fault(error)
    }));
    all.push(parse::integer("x".parse::<u8>().unwrap_err()));
    all.push(parse::integer("300".parse::<u8>().unwrap_err()));
    all.push(parse::number("x".parse::<f64>().unwrap_err()));
    all.push(parse::boolean("x".parse::<bool>().unwrap_err()));
    all.push(parse::utf8(
        String::from_utf8(vec![0xff]).unwrap_err().utf8_error(),
    ));
    all.push(answered(&Failure::new(499), Timestamp::UNIX_EPOCH));
    all.push(refused(&json!({"code": -32800}), &Call::new()));
    let Outcome::Fault(neither) = read(json!({"jsonrpc": "2.0", "id": 1})).outcome else {
        panic!("a failure")
    };
    all.push(neither);
    all
}

#[test]
fn what_happened_is_told_in_every_language() {
    for at in 0..told().len() {
        let english = told().swap_remove(at);
        let before = english.public().message().into_owned();
        let mut seen = vec![before.clone()];
        for language in TRANSLATED {
            let fault = told().swap_remove(at).in_language(language);
            let message = fault.public().message().into_owned();
            assert!(!seen.contains(&message), "{language}: {message}");
            assert!(fault.report().to_string().contains(&before), "{before}");
            let again = fault.in_language(English);
            assert_eq!(again.public().message(), before, "and back");
            seen.push(message);
        }
    }
}

fn schema() -> Schema {
    let schema = json!({
        "type": "object",
        "properties": {
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "above": {"type": "number", "exclusiveMinimum": 0},
            "below": {"type": "number", "exclusiveMaximum": 10},
            "step": {"type": "integer", "multipleOf": 3},
            "name": {"type": "string", "minLength": 1, "maxLength": 5},
            "code": {"type": "string", "pattern": "^[a-z]+$"},
            "day": {"type": "string", "format": "date"},
            "mode": {"enum": ["fast", "slow"]},
            "one": {"const": "only"},
            "many": {"enum": ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j0"]},
            "tags": {"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": true},
            "more": {"type": "object", "minProperties": 1, "maxProperties": 2},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "never": false,
            "other": {"not": {"type": "string"}},
        },
        "required": ["limit"],
        "additionalProperties": false,
    });
    Schema::compile(&schema).unwrap()
}

/// Arguments, one rule broken by each.
fn misfits() -> Vec<Value> {
    let with = |key: &str, value: Value| json!({"limit": 5, key: value});
    vec![
        json!({}),
        json!({"limit": 900}),
        json!({"limit": 0}),
        json!({"limit": []}),
        with("limt", json!(1)),
        with("whatever", json!(1)),
        with("above", json!(0)),
        with("below", json!(10)),
        with("step", json!(4)),
        with("name", json!("")),
        with("name", json!("too long by far")),
        with("code", json!("A1")),
        with("day", json!("someday")),
        with("mode", json!("sideways")),
        with("one", json!("two")),
        with("many", json!("zzzz")),
        with("tags", json!([])),
        with("tags", json!([1, 2, 3])),
        with("more", json!({})),
        with("more", json!({"a": 1, "b": 2, "c": 3})),
        with("either", json!([])),
        with("never", json!(1)),
        with("other", json!("text")),
        json!({"step": 4, "mode": "sideways", "code": "A1"}),
    ]
}

fn words(fault: &Fault) -> Vec<String> {
    let public = fault.public();
    let violations = public
        .violations()
        .iter()
        .filter_map(Violation::message_text);
    let details = ["reason"]
        .iter()
        .filter_map(|key| public.details().text(key));
    let mut all = vec![
        public.message().into_owned(),
        public.remediation().into_owned(),
    ];
    all.extend(violations.chain(details).map(str::to_owned));
    all
}

#[test]
fn every_broken_rule_is_told_in_every_language() {
    let schema = schema();
    for arguments in misfits() {
        let fault = || {
            schema
                .check(&arguments)
                .into_fault("search")
                .expect("a misfit")
        };
        let english = words(&fault());
        for language in TRANSLATED {
            let there = words(&fault().in_language(language));
            assert_eq!(there.len(), english.len());
            for (there, here) in there.iter().zip(&english) {
                assert_ne!(there, here, "{language}: {arguments}");
            }
            let back = fault().in_language(language).in_language(English);
            assert_eq!(words(&back), english, "and back");
        }
    }
}

#[test]
fn rules_and_advice_read_well() {
    let schema = schema();
    let said = |arguments: Value, language| {
        let fault = schema.check(&arguments).into_fault("search");
        words(&fault.unwrap().in_language(language))
    };
    let name = json!({"limit": 5, "name": ""});
    assert_eq!(
        said(name.clone(), English)[2],
        "must have at least 1 character"
    );
    assert_eq!(
        said(name.clone(), Spanish)[2],
        "debe tener al menos 1 carácter"
    );
    assert_eq!(
        said(name.clone(), German)[2],
        "muss mindestens 1 Zeichen lang sein"
    );
    assert_eq!(said(name, Japanese)[2], "1文字以上でなければなりません");
    let meant = json!({"limt": 5});
    assert_eq!(
        said(meant.clone(), German)[1],
        "'limt' in 'limit' umbenennen."
    );
    assert_eq!(
        said(meant, Japanese)[1],
        "'limt'の名前を'limit'に変えてください。"
    );
    let step = json!({"limit": 5, "step": 4});
    assert_eq!(
        said(step, Spanish)[0],
        "El parámetro 'step' tiene un valor no válido: debe ser múltiplo de 3"
    );
}

#[test]
fn a_tool_nobody_has_is_told_in_every_language() {
    for language in TRANSLATED {
        let fault = || unknown_tool("list_isues", &["list_issues"]);
        let there = fault().in_language(language);
        assert_ne!(there.public().remediation(), fault().public().remediation());
        assert!(there.public().remediation().contains("'list_issues'"));
    }
    let many: Vec<String> = (0..13).map(|n| format!("t{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let advice = unknown_tool("fly", &many).in_language(German);
    let advice = advice.public().remediation().into_owned();
    assert!(advice.contains("t11 und 1 weitere."), "{advice}");
}

#[test]
fn what_a_person_called_off_is_not_repeated_unasked() {
    let spoken = [
        Classifier::new().text("cancelled by the user"),
        refused(
            &json!({"code": -32000, "message": "Cancelled by user"}),
            &Call::new(),
        ),
        Classifier::new().text(r#"{"error": "user cancelled the dialog"}"#),
    ];
    for fault in spoken {
        let public = fault.public();
        assert_eq!(public.code(), codes::PERMISSION_NOT_ALLOWED, "{public:?}");
        assert_eq!(public.retry(), breakfall::Retry::Never);
        assert_eq!(
            public.remediation(),
            "Do not call again on your own; ask the user what they want."
        );
        let german = fault.in_language(German);
        assert!(german.public().remediation().contains("fragen, was er"));
    }
}

/// A fault with the question which order was meant.
fn asking(fields: &[&str], before: Option<&str>) -> Fault {
    let fault = Fault::not_found("order", "7");
    let wrong = fault.public().message().into_owned();
    fault.ask(Elicitation::correcting(&wrong, "cancel", fields, before))
}

#[test]
fn a_question_to_the_user_is_put_in_their_language() {
    let asked = |fault: &Fault| {
        let question = fault.public().elicitation().expect("a question");
        let each = question.question_for("id").expect("it is asked for");
        (question.message().to_owned(), each.to_owned())
    };
    let english = asking(&["id"], Some("7"));
    let before = asked(&english);
    let german = english.in_language(German);
    assert_eq!(
        asked(&german),
        (
            "'cancel' kann nicht fortfahren: order '7' nicht gefunden. Welcher Wert soll für 'id' statt '7' gelten?"
                .to_owned(),
            "Welcher Wert soll für 'id' gelten?".to_owned()
        )
    );
    let question = german.public().elicitation().expect("a question");
    assert_eq!(question.reason_text(), Some("order '7' nicht gefunden"));
    assert_eq!(asked(&german.in_language(English)), before, "and back");
    for language in TRANSLATED {
        for (fields, value) in [
            (&["id"][..], Some("7")),
            (&["id"], None),
            (&["id", "shop"], None),
        ] {
            let there = asked(&asking(fields, value).in_language(language));
            let here = asked(&asking(fields, value));
            assert!(there.0 != here.0 && there.1 != here.1, "{there:?}");
            assert!(
                fields
                    .iter()
                    .all(|field| there.0.contains(&format!("'{field}'")))
            );
        }
    }
}

#[test]
fn advice_to_ask_the_user_is_in_the_language_of_the_fault() {
    let advice = |language| {
        let fault = asking(&["id", "shop"], None)
            .in_language(language)
            .or_ask_user();
        let once = fault.public().remediation().into_owned();
        assert_eq!(
            fault.or_ask_user().public().remediation(),
            once,
            "said once"
        );
        once
    };
    assert!(advice(English).ends_with(" Or ask the user what 'id' and 'shop' should be."));
    assert!(
        advice(German)
            .ends_with(" Oder den Benutzer fragen, welcher Wert für 'id', 'shop' gelten soll.")
    );
    for language in TRANSLATED {
        assert!(advice(language).contains("'shop'"));
        assert!(!advice(language).contains("Or ask"));
    }
    let alone = Fault::not_found("order", "7");
    let remedy = alone.public().remediation().into_owned();
    assert_eq!(alone.or_ask_user().public().remediation(), remedy);
}

#[test]
fn a_tool_that_is_paused_and_a_user_who_declines_are_told_in_every_language() {
    for fault in [
        || Fault::tool_paused("shop", "search"),
        || Fault::declined(&["id", "shop"]),
    ] {
        for language in TRANSLATED {
            let there = fault().in_language(language);
            let (here, there) = (fault(), there.public().clone());
            assert_ne!(there.message(), here.public().message());
            assert_ne!(there.remediation(), here.public().remediation());
            assert!(there.message().contains("shop'"), "{}", there.message());
        }
    }
}

#[test]
fn words_of_others_stay_as_they_are() {
    let dump = "4 validation errors for x\na\n  Field required [type=missing]\nb\n  Field required [type=missing]\n\
                c\n  Field required [type=missing]\nd\n  Field required [type=missing]";
    let fault = Classifier::new().text(dump).in_language(German);
    let theirs = "'a': Field required; 'b': Field required; 'c': Field required";
    assert_eq!(fault.public().message(), format!("{theirs}; und 1 weitere"));
    let fault = Fault::invalid("no luck").in_language(German);
    assert_eq!(fault.public().message(), "no luck");
    let fault = io::fault(Error::from(ErrorKind::TimedOut)).message("no luck");
    assert_eq!(fault.in_language(German).public().message(), "no luck");
}

/// What was taken out of a question is not put back by saying it again.
#[test]
fn a_question_that_had_to_be_redacted_stays_as_it_is() {
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    let shown = Redactor::client()
        .fault(asking(&["id"], Some(token)))
        .in_language(German);
    let question = shown.public().elicitation().expect("a question");
    assert!(
        !question.message().contains(token),
        "{}",
        question.message()
    );
    assert!(
        question.message().contains("cannot go on"),
        "{}",
        question.message()
    );
}

/// A translation is made of the values the English was made of, so it must not bring back what was taken out of that.
#[test]
fn what_was_taken_out_does_not_come_back_in_another_language() {
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    let dump = format!(
        "4 validation errors for x\na\n  bad {token} [type=x]\nb\n  n [type=x]\nc\n  n [type=x]\nd\n  n [type=x]"
    );
    let fault = Classifier::new().text(&dump);
    assert!(fault.public().message().contains(token));
    let outcome = Redactor::new(Audience::Client).outcome(fault);
    let outcome = outcome.in_language(Spanish);
    let fault = outcome.fault().unwrap();
    assert!(!format!("{:?}", *fault).contains(token));
    assert!(fault.message().contains("[redacted:"));
    assert_eq!(fault.code(), codes::VALIDATION_INVALID_VALUE);
}

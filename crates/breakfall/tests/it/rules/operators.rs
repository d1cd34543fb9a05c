//! What an operator sees and changes.

use breakfall::classify::{Classifier, PhraseProblem, RuleError, TextRule};
use breakfall::{Confidence, codes};

use super::{failed, rule};

fn own() -> TextRule {
    TextRule::new("own.stock", codes::BUSINESS_RULE_VIOLATION)
        .phrase("sku _ is sold out")
        .phrase("warehouse|store closed")
        .about("Nothing left to sell.")
}

#[test]
fn every_rule_is_listed_with_what_it_stands_for() {
    let classifier = Classifier::new().with(own()).expect("a rule");
    let rules: Vec<_> = classifier.rules().collect();
    assert_eq!(
        (rules[0].id, rules[0].code),
        ("own.stock", Some(codes::BUSINESS_RULE_VIOLATION))
    );
    assert_eq!(
        rules[0].phrases,
        ["sku _ is sold out", "warehouse|store closed"]
    );
    assert!(
        rules
            .iter()
            .all(|rule| rule.active != rule.id.starts_with("disguise."))
    );
    assert!(rules.len() > 50 && rules.iter().all(|rule| !rule.about.is_empty()));
}

#[test]
fn a_rule_of_ones_own_comes_first() {
    let classifier = Classifier::new().with(own()).expect("a rule");
    for text in [
        "SKU 'A-1' is sold out: not found",
        "Error: MCP error -32602: the Warehouse-Closed early",
    ] {
        let fault = classifier.result(&failed(text));
        assert_eq!(rule(&fault), "own.stock", "{text}");
        assert_eq!(fault.code(), codes::BUSINESS_RULE_VIOLATION);
        assert_eq!(
            fault.public().provenance().map(|by| by.confidence),
            Some(Confidence::Textual)
        );
    }
    assert_eq!(rule(&classifier.text("not found")), "text.not-found");
}

#[test]
fn a_rule_that_is_off_is_not_asked_and_says_so() {
    let classifier = Classifier::new().with(own()).expect("a rule");
    let classifier = classifier.without("own.stock").expect("known");
    let classifier = classifier.without("text.not-found").expect("known");
    assert_eq!(
        rule(&classifier.text("store closed: not found")),
        "default.unclassified"
    );
    let off: Vec<_> = classifier
        .rules()
        .filter(|rule| !rule.active)
        .map(|rule| rule.id)
        .collect();
    assert!(off.contains(&"own.stock") && off.contains(&"text.not-found"));
    for (id, text) in [
        (
            "dump.pydantic",
            "1 validation error for x\na\n  Field required [type=missing, input_value={}, input_type=dict]",
        ),
        (
            "json.body",
            r#"{"error": {"code": "insufficient_quota", "message": "no"}}"#,
        ),
        ("prefix.mcp-error", "MCP error -32603: boom"),
        ("text.http-status", "the server returned 500"),
    ] {
        assert_eq!(rule(&Classifier::new().text(text)), id);
        assert_ne!(
            rule(&Classifier::new().without(id).expect("known").text(text)),
            id
        );
    }
}

#[test]
fn changes_do_not_reach_other_classifiers() {
    let one = Classifier::new();
    let other = one.clone().without("text.not-found").expect("known");
    assert_eq!(rule(&one.text("not found")), "text.not-found");
    assert_eq!(
        rule(&other.clone().text("not found")),
        "default.unclassified"
    );
}

#[test]
fn mistakes_are_said_clearly() {
    let code = codes::INTERNAL_ERROR;
    let with = |rule: TextRule| {
        Classifier::new()
            .with(rule)
            .map(|_| ())
            .expect_err("a mistake")
    };
    for (error, words) in [
        (
            with(TextRule::new("Own Rule", code).phrase("x")),
            "rule id 'Own Rule' is not lower case words",
        ),
        (
            with(TextRule::new("disguise.x", code).phrase("x")),
            "reserved word 'disguise'",
        ),
        (
            with(TextRule::new("", code).phrase("x")),
            "rule id '' is not",
        ),
        (
            with(TextRule::new("own.x", code)),
            "rule 'own.x' has no phrase",
        ),
        (
            with(TextRule::new("own.x", code).phrase("fine").phrase(" ")),
            "phrase ' ' of rule 'own.x' has no word",
        ),
        (
            with(TextRule::new("own.x", code).phrase("_ failed")),
            "begins or ends with a place for a name",
        ),
        (
            with(TextRule::new("text.not-found", code).phrase("x")),
            "there is already a rule 'text.not-found'",
        ),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(
        with(TextRule::new("own.x", code).phrase("")),
        RuleError::BadPhrase {
            id: "own.x".into(),
            phrase: String::new(),
            problem: PhraseProblem::Empty
        }
    );
}

#[test]
fn switching_off_what_is_not_there_is_a_mistake_too() {
    for (error, words) in [
        (
            Classifier::new()
                .without("text.not-fuond")
                .expect_err("a typo"),
            "did you mean 'text.not-found'?",
        ),
        (
            Classifier::new()
                .without("no.such.rule.at.all")
                .expect_err("unknown"),
            "there is no rule 'no.such.rule.at.all'",
        ),
        (
            Classifier::new()
                .without("default.unclassified")
                .expect_err("needed"),
            "cannot be switched off",
        ),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
}

//! The part of the page on failures that are no words. What a status or a number stands for is found out by asking, so that
//! the page says what happens rather than what a table says.

use std::fmt::Write;

use breakfall::classify::http::{Failure, fault as answered};
use breakfall::classify::rpc::{self, Call, code_for_rpc, fault as refused};
use breakfall::classify::{Classifier, fixed_rules};
use breakfall::{Category, Fault, Timestamp};
use serde_json::{Value, json};

use super::page::code;

pub(super) fn add_to(page: &mut String) {
    http(page);
    json_rpc(page);
    for (family, heading, about) in FIXED {
        let _ = write!(
            page,
            "\n## {heading}\n\n{about}\n\n| rule | message | code | sure |\n|---|---|---|---|\n"
        );
        for rule in fixed_rules().filter(|rule| rule.id.starts_with(family)) {
            let code = linked(rule.code.expect("they all have one").name());
            let sure = rule.confidence.as_str();
            let _ = writeln!(page, "| `{}` | {} | {code} | {sure} |", rule.id, rule.about);
        }
    }
}

const FIXED: &[(&str, &str, &str)] = &[
    (
        "io.",
        "Errors of the operating system",
        "`std::io::Error`, by its kind. Its words name files and hosts, so the message is a fixed sentence and they go to the log.",
    ),
    (
        "exit.",
        "Processes that ended",
        "By exit code or signal, and by whether it ever answered. What it wrote last goes to the log; the client of a server that fails to start is told one line of it.",
    ),
];

fn http(page: &mut String) {
    page.push_str(HTTP);
    let mut rows: Vec<(u16, u16, String)> = Vec::new();
    for status in 400..=599 {
        let says = by_status(status);
        match rows.last_mut() {
            Some((_, to, have)) if *have == says => *to = status,
            _ => rows.push((status, status, says)),
        }
    }
    for (from, to, says) in rows {
        let range = if from == to {
            from.to_string()
        } else {
            format!("{from}–{to}")
        };
        let _ = writeln!(page, "| {range} | {says}");
    }
}

const HTTP: &str = "
## HTTP answers

The status decides (`http.429`), unless the rest of the answer knows better, in this order: a name or number for the error in the body that is
known (`http.400.amazon`), what the headers say of limits and of credentials (`http.403.retry-after`), a name that is not known by the words in it
(`http.409.name`), and the words (`http.500.text.timeout`). Words are only followed where they end in a category of the last column: a 404 that
speaks of a timeout is still a 404.

| status | code | sure | words may end in |
|---|---|---|---|
";

/// What an answer without a body comes to, and how far words change that.
fn by_status(status: u16) -> String {
    let fault = answered(&Failure::new(status), Timestamp::UNIX_EPOCH);
    let by = fault.public().provenance().expect("a rule");
    let mut others = Vec::new();
    for (category, words) in WORDS {
        let body = json!({"message": words}).to_string();
        let told = answered(&Failure::new(status).body(&body), Timestamp::UNIX_EPOCH);
        let by_words = |fault: &Fault| {
            let by = fault.public().provenance().expect("a rule");
            by.rule.contains(".text.")
        };
        if told.code().category() == *category && (by_words(&told) || told.code() == fault.code()) {
            others.push(category.as_str());
        }
    }
    let code = linked(fault.code().name());
    format!(
        "{code} | {} | {} |",
        by.confidence.as_str(),
        others.join(", ")
    )
}

/// Words that stand for a category, by the rules on words.
const WORDS: &[(Category, &str)] = &[
    (Category::Validation, "Missing required parameter: owner"),
    (Category::Authentication, "Invalid API key"),
    (Category::Authorization, "Permission denied"),
    (Category::NotFound, "User not found"),
    (Category::Conflict, "It already exists"),
    (Category::RateLimit, "Rate limit exceeded"),
    (Category::Business, "Insufficient funds"),
    (Category::Unavailable, "Connection refused"),
];

#[test]
fn the_words_on_the_page_stand_for_their_category() {
    for (category, words) in WORDS {
        let fault = Classifier::new().text(words);
        assert_eq!(fault.code().category(), *category, "{words}");
    }
}

fn json_rpc(page: &mut String) {
    page.push_str(RPC);
    for number in (-40_000..=10_000).filter(|number| code_for_rpc(*number).is_some()) {
        let fault = refused(&json!({"code": number}), &Call::new());
        let by = fault.public().provenance().expect("a rule");
        let code = linked(fault.code().name());
        let _ = writeln!(
            page,
            "| {number} | `{}` | {code} | {} |",
            by.rule,
            by.confidence.as_str()
        );
    }
    page.push_str("\nRules that look further, in this order:\n");
    for rule in rpc::rules() {
        let code_link = linked(rule.code.name());
        let numbers: Vec<String> = rule.numbers.iter().map(ToString::to_string).collect();
        let numbers = if numbers.is_empty() {
            "-32602, 0, and -32000 to -32019 except -32002".to_owned()
        } else {
            numbers.join(", ")
        };
        let _ = write!(
            page,
            "\n- `{}` ({numbers}): {} → {code_link}, {}.\n",
            rule.name,
            rule.about,
            rule.confidence.as_str()
        );
        for (method, error) in rule.examples {
            let error: Value = serde_json::from_str(error).expect("an example is JSON");
            let place = if method.is_empty() {
                "anywhere".to_owned()
            } else {
                format!("`{method}`")
            };
            let _ = writeln!(page, "  - {place}: {}", code(&error.to_string()));
        }
    }
}

const RPC: &str = "
## JSON-RPC errors

A document of Breakfall in `data` decides, then a number of error-model's, then these. A number without a meaning is judged by the name, the broken
rules and the words that came with it, and a number from 400 to 599 as the HTTP status it is taken for.

| number | rule | code | sure |
|---|---|---|---|
";

fn linked(name: &str) -> String {
    format!("[`{name}`](codes.md#{})", name.to_lowercase())
}

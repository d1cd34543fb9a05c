//! What a message may not be, and what each of ours says instead.

use breakfall::catalog::lint::{self, Finding};
use breakfall::catalog::registry::TextWarnings;
use breakfall::catalog::{CODES, by_name};
use breakfall::redact::unredacted;
use breakfall::wire::mcp_aql;
use breakfall::{Catalog, Code, Entry, Fault, codes};
use serde_json::{Value, json};

use crate::sample::document_of;

fn bad_texts(kinds: &[&str]) -> Vec<String> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("../fixtures/anti_patterns.json")).expect("JSON");
    let of_kind = all
        .iter()
        .filter(|bad| kinds.iter().any(|kind| bad["kind"] == *kind));
    // Paths and SQL are for the redactor; a lint of words does not claim to find them.
    let ours = of_kind.filter(|bad| {
        bad["proves"]
            .as_array()
            .is_some_and(|ids| ids.len() > 1 || ids[0] != "S0-04")
    });
    ours.filter_map(|bad| bad["text"].as_str().map(str::to_owned))
        .collect()
}

fn refused(message: &str) -> bool {
    let mut catalog = Catalog::builtin();
    let row = json!({"category": "conflict", "message_template": message});
    let row = row.as_object().expect("just made");
    let added = catalog.add_map("SHOP_TEST_CODE", row);
    assert!(added.is_ok(), "{added:?}");
    let refused = mcp_aql::check_texts(&catalog).expect_err(message);
    let warned = catalog.text_warnings();
    let is_told =
        |found: &TextWarnings| found.iter().any(|(_, problem)| problem.field == "message");
    is_told(&refused) && is_told(&warned)
}

#[test]
fn a_text_that_says_nothing_is_refused_in_a_row() {
    testing::proves!("S0-71", "S0-73", "S0-92");
    let texts = bad_texts(&["vague", "no-guidance", "generic"]);
    assert!(texts.len() >= 5, "{texts:?}");
    for text in texts {
        assert_eq!(lint::plain(&text), [Finding::Vague], "{text}");
        assert!(refused(&text), "{text}");
    }
}

#[test]
fn a_text_in_the_jargon_of_storage_or_runtime_is_refused_in_a_row() {
    testing::proves!("S0-72", "S0-74");
    let texts = bad_texts(&["internals", "jargon", "stack-trace"]);
    assert!(texts.len() >= 5, "{texts:?}");
    for text in texts {
        let found = lint::plain(&text);
        assert!(
            found
                .iter()
                .any(|f| matches!(f, Finding::Jargon(_) | Finding::Leak(_))),
            "{text}: {found:?}"
        );
        assert!(refused(&text), "{text}");
    }
}

#[test]
fn every_row_says_what_went_wrong_and_how_to_put_it_right() {
    testing::proves!("S0-02", "S0-07", "S4-68");
    for code in CODES {
        let entry = code.entry();
        for text in [
            entry.message.plain,
            entry.remediation.plain,
            entry.user,
            entry.meaning,
            entry.when,
        ] {
            assert!(text.len() >= 8, "{code}: '{text}'");
        }
        assert_eq!(lint::plain(entry.message.plain), [], "{code}");
        assert_eq!(lint::plain(entry.remediation.plain), [], "{code}");
        assert_ne!(entry.message.plain, entry.remediation.plain, "{code}");
    }
}

#[test]
fn a_message_follows_its_template_and_never_shows_a_hole() {
    testing::proves!("S4-28", "S4-66");
    for code in CODES {
        let bare = Fault::new(*code);
        let message = bare.public().message();
        assert!(
            !message.is_empty() && !message.contains(['{', '}']) && !message.contains("''"),
            "{code}: {message}"
        );
        assert_eq!(
            message,
            code.entry().message.plain,
            "{code}: values are missing, so the plain form stands"
        );
    }
    let full = Fault::missing_param("owner");
    assert_eq!(
        full.public().message(),
        "Missing required parameter 'owner'"
    );
    let half = Fault::new(codes::VALIDATION_INVALID_TYPE)
        .field("per_page")
        .detail("expected_type", "integer");
    assert_eq!(
        half.public().message(),
        codes::VALIDATION_INVALID_TYPE.entry().message.plain
    );
}

#[test]
fn a_more_specific_text_may_replace_the_template() {
    testing::proves!("S4-32");
    let own = Fault::not_found("repository", "a/b").message("Repository 'a/b' not found");
    assert_eq!(own.public().message(), "Repository 'a/b' not found");
    let template = Fault::not_found("repository", "a/b");
    let outcome = breakfall::Outcome::from(template);
    let options = breakfall::wire::Options::new();
    let document = document_of(&outcome, breakfall::wire::Dialect::McpAql, &options);
    assert_eq!(
        document["error"]["message"],
        "Resource 'repository' not found: 'a/b'"
    );
}

#[test]
fn an_internal_fault_says_a_general_sentence_and_an_id() {
    testing::proves!("S0-91");
    let trace = "Traceback (most recent call last):\n  File \"app.py\", line 42";
    let id = breakfall::CorrelationId::new("req_abc123").unwrap();
    let outcome = breakfall::Outcome::from(Fault::internal().caused_by(trace).correlation_id(id));
    for dialect in breakfall::wire::Dialect::ALL {
        let document = breakfall::wire::encode(
            unredacted(&outcome),
            *dialect,
            &breakfall::wire::Options::new(),
        )
        .unwrap()
        .to_json();
        assert!(
            !document.contains("Traceback") && !document.contains("app.py"),
            "{dialect}: {document}"
        );
        assert!(document.contains("Internal error"), "{dialect}: {document}");
    }
    let options = breakfall::wire::Options::new();
    let envelope = document_of(&outcome, breakfall::wire::Dialect::ResponseV2, &options);
    assert_eq!(envelope["error"], "Internal error");
    assert_eq!(envelope["meta"]["request_id"], "req_abc123");
}

/// A code has one recovery strategy: one retry class, one hint for a given fault, one list of actions.
#[test]
fn each_code_has_one_recovery_strategy() {
    testing::proves!("S4-01");
    for code in CODES {
        let entry = code.entry();
        assert!(!entry.actions.is_empty(), "{code}");
        let fault = Fault::new(*code);
        assert_eq!(fault.public().retry(), entry.retry, "{code}");
        assert_eq!(fault.public().hint(), entry.hint, "{code}");
        assert!(
            fault.public().actions().eq(entry.actions.iter().copied()),
            "{code}"
        );
        assert_eq!(
            by_name(code.name()),
            Some(*code),
            "found again by its name alone"
        );
    }
}

#[test]
fn a_new_code_does_not_break_a_reader_that_does_not_know_it() {
    testing::proves!("S4-05");
    static ROW: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND");
    let outcome =
        breakfall::Outcome::from(Fault::new(Code::new(&ROW)).message("Order '7' not found"));
    for dialect in breakfall::wire::Dialect::ALL {
        let options = breakfall::wire::Options::new();
        let document = document_of(&outcome, *dialect, &options);
        let read = breakfall::wire::decode(document, *dialect, &options).unwrap();
        let public = read.fault().expect("a fault").public();
        assert_eq!(
            public.category(),
            breakfall::Category::NotFound,
            "{dialect}"
        );
        assert_eq!(public.message(), "Order '7' not found", "{dialect}");
        assert_eq!(public.domain_code(), Some("ORDER_NOT_FOUND"), "{dialect}");
        let knowing = options.catalog(
            Catalog::builtin()
                .with(Code::new(&ROW))
                .expect("a sound row"),
        );
        let document = document_of(&outcome, *dialect, &knowing);
        let read = breakfall::wire::decode(document, *dialect, &knowing).unwrap();
        assert_eq!(
            read.fault().map(Fault::code),
            Some(Code::new(&ROW)),
            "{dialect}: known, it is itself again"
        );
    }
}

#[test]
fn only_registered_names_leave_in_strict_mcp_aql() {
    testing::proves!("S4-67");
    const REGISTRY: &[&str] = &[
        "VALIDATION_MISSING_PARAM",
        "VALIDATION_INVALID_TYPE",
        "VALIDATION_UNKNOWN_PARAM",
        "VALIDATION_INVALID_ENCODING",
        "VALIDATION_PAYLOAD_TOO_LARGE",
        "NOT_FOUND_OPERATION",
        "NOT_FOUND_RESOURCE",
        "PERMISSION_DENIED",
        "INTERNAL_ERROR",
        "PERMISSION_TRUST_LEVEL_INSUFFICIENT",
        "PERMISSION_DANGER_LEVEL_DENIED",
        "CONFIRMATION_REQUIRED",
        "RATE_LIMIT_EXCEEDED",
        "RATE_LIMIT_QUOTA_PAUSE",
        "RATE_LIMIT_QUOTA_EXHAUSTED",
        "TOKEN_INVALID",
        "TOKEN_EXPIRED",
        "TOKEN_ALREADY_USED",
        "TOKEN_SCOPE_MISMATCH",
    ];
    for code in CODES {
        let outcome = breakfall::Outcome::from(Fault::new(*code));
        let options = breakfall::wire::Options::new().strict(true);
        let document = document_of(&outcome, breakfall::wire::Dialect::McpAql, &options);
        let name = document["error"]["code"].as_str().unwrap().to_owned();
        assert!(REGISTRY.contains(&name.as_str()), "{code} leaves as {name}");
    }
}

#[test]
fn details_give_the_context() {
    testing::proves!("S4-69", "S2-35");
    let outcome = breakfall::Outcome::from(Fault::missing_param("owner").in_operation("get_repo"));
    let options = breakfall::wire::Options::new();
    let aql = document_of(&outcome, breakfall::wire::Dialect::McpAql, &options);
    assert_eq!(aql["error"]["details"]["param_name"], "owner");
    assert_eq!(aql["error"]["details"]["operation"], "get_repo");
    let model = document_of(&outcome, breakfall::wire::Dialect::ErrorModel, &options);
    assert_eq!(model["error"]["details"]["field"], "owner");
    assert_eq!(
        model["error"]["details"]["context"]["operation"],
        "get_repo"
    );
}

#[test]
fn a_name_says_its_category_and_what_happened() {
    testing::proves!("S4-03");
    for code in CODES {
        let words: Vec<_> = code.name().split('_').collect();
        assert!((2..=5).contains(&words.len()), "{code}");
        assert!(
            words
                .iter()
                .all(|word| word.len() >= 2 && word.bytes().all(|b| b.is_ascii_uppercase())),
            "{code}"
        );
        // What the name says is what the row says: most of its words, or their stems, stand in the row's prose.
        let entry = code.entry();
        let prose = [
            entry.meaning,
            entry.when,
            entry.message.plain,
            entry.category.as_str(),
        ]
        .join(" ")
        .to_lowercase();
        let told = words
            .iter()
            .filter(|word| prose.contains(&word.to_lowercase()[..word.len().min(4)]))
            .count();
        assert!(told >= 1, "{code}: nothing of its name in '{prose}'");
    }
}

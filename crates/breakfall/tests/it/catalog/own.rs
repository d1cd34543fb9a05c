//! A server's own rows: in code, out of a map, and refused with the field named.

use std::collections::BTreeSet;

use breakfall::catalog::registry::{Catalog, RowError};
use breakfall::catalog::{CODES, codes};
use breakfall::code::{Code, Detail, Entry, Hint, Retry, Shape, Status};
use breakfall::wire::mcp_aql;
use serde_json::{Map, Value, json};

static ORDER_NOT_FOUND: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
    .message("Order '{order_id}' not found", "Order not found")
    .details(&[ORDER_ID])
    .remediation("List the orders and pick an id from there.");

const ORDER_ID: Detail = Detail {
    name: "order_id",
    shape: Shape::Text,
    required: true,
    about: "The order.",
};

#[test]
fn a_row_in_code_joins_the_built_in_ones() {
    let catalog = Catalog::builtin()
        .with(Code::new(&ORDER_NOT_FOUND))
        .unwrap();
    assert_eq!(
        catalog.get("ORDER_NOT_FOUND"),
        Some(Code::new(&ORDER_NOT_FOUND))
    );
    assert_eq!(catalog.get("INTERNAL_ERROR"), Some(codes::INTERNAL_ERROR));
    assert_eq!(catalog.get("ORDER_LOST"), None);
    let names: Vec<&str> = catalog.iter().map(Code::name).collect();
    assert_eq!(names.len(), CODES.len() + 1);
    assert_eq!(names.last(), Some(&"ORDER_NOT_FOUND"));
}

#[test]
fn a_misspelt_code_is_suggested() {
    let catalog = Catalog::builtin()
        .with(Code::new(&ORDER_NOT_FOUND))
        .unwrap();
    let suggest = |name| catalog.suggest(name).map(Code::name);
    assert_eq!(suggest("ORDER_NOT_FUOND"), Some("ORDER_NOT_FOUND"));
    assert_eq!(
        suggest("validation_mising_param"),
        Some("VALIDATION_MISSING_PARAM")
    );
    assert_eq!(suggest("COMPLETELY_DIFFERENT_THING_ALTOGETHER"), None);
}

#[test]
fn a_row_in_code_is_checked_whole() {
    static BAD: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "Order")
        .message("Order {order} not found", "Order '{order_id}' not found")
        .details(&[ORDER_ID, ORDER_ID])
        .remediation("Look at src/orders.")
        .user("")
        .http(200);
    let error = Catalog::builtin().with(Code::new(&BAD)).unwrap_err();
    assert_eq!(
        fields(&error),
        [
            "name",
            "message",
            "message.plain",
            "user",
            "details",
            "http"
        ]
    );
    let text = error.to_string();
    assert!(text.contains("declare 'order' in details"), "{text}");
}

/// A matter of style keeps no server from starting, unless it speaks MCP-AQL, whose graders judge `error.message`.
#[test]
fn the_style_of_texts_is_told_of_all_rows_at_once_and_an_error_in_mcp_aql() {
    let mut catalog = Catalog::builtin();
    let id = json!({"id": {"type": "string"}});
    for (name, message, remediation) in [
        ("CHAT_GONE", "Chat '{id}' not found", "List the chats."),
        ("ORDER_GONE", "Order {id} is gone", "List the orders."),
        (
            "USER_GONE",
            "User '{id}' is gone",
            "Look at the list of users.",
        ),
        ("CART_GONE", "Cart '{id}' is gone", "List the carts."),
    ] {
        let row = json!({"extends": "NOT_FOUND_RESOURCE", "message_template": message, "remediation": remediation, "details": id});
        add(&mut catalog, name, row).unwrap();
    }
    let warnings = catalog.text_warnings().to_string();
    let lines: Vec<&str> = warnings.lines().collect();
    let told = |name: &str, says: &str| {
        lines
            .iter()
            .any(|line| line.starts_with(name) && line.contains(says))
    };
    assert!(
        told("CHAT_GONE: field 'message'", "stack frame"),
        "{warnings}"
    );
    assert!(
        told("ORDER_GONE: field 'message'", "write '{id}'"),
        "{warnings}"
    );
    assert!(
        told("USER_GONE: field 'remediation'", "stack frame"),
        "{warnings}"
    );
    assert!(!warnings.contains("CART_GONE"), "{warnings}");
    let refused = mcp_aql::check_texts(&catalog).unwrap_err();
    let names: BTreeSet<&str> = refused.iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        BTreeSet::from(["CHAT_GONE", "ORDER_GONE"]),
        "{refused}"
    );
}

#[test]
fn a_row_cannot_shadow_a_built_in_one() {
    let error = refused(
        "RATE_LIMIT_QUOTA_WARNING",
        json!({"extends": "RATE_LIMIT_EXCEEDED"}),
    );
    assert_eq!(fields(&error), ["name"]);
}

#[test]
fn a_name_is_taken_once() {
    let catalog = Catalog::builtin()
        .with(Code::new(&ORDER_NOT_FOUND))
        .unwrap();
    let error = catalog.with(Code::new(&ORDER_NOT_FOUND)).unwrap_err();
    assert!(error.to_string().contains("registered already"), "{error}");
}

#[test]
fn a_name_is_upper_case_words() {
    for bad in [
        "order_lost",
        "ORDER",
        "ORDER_",
        "_ORDER",
        "ORDER__LOST",
        "1_ORDER",
        "ORDER-LOST",
        "",
    ] {
        let error = refused(bad, json!({"extends": "INTERNAL_ERROR"}));
        assert_eq!(fields(&error), ["name"], "{bad}");
    }
    for good in ["ORDER_LOST", "A_1", "HTTP2_STREAM_RESET"] {
        accepted(good, json!({"extends": "INTERNAL_ERROR"}));
    }
}

#[test]
fn a_map_of_an_adapter_makes_a_row() {
    let code = accepted(
        "LEDGER_PERIOD_CLOSED",
        json!({
            "category": "CONFLICT",
            "message_template": "Period '{period}' is closed",
            "maps_from_http": [409],
            "condition": "response.body.code == 'PERIOD_CLOSED'"
        }),
    );
    let entry = code.entry();
    assert_eq!(entry.status, Status::Custom);
    assert_eq!((entry.category.as_str(), entry.http), ("conflict", 409));
    assert_eq!(entry.message.template, "Period '{period}' is closed");
    assert_eq!(entry.message.plain, "Period is closed");
    let period = entry
        .details
        .iter()
        .map(|detail| (detail.name, detail.shape, detail.required));
    assert_eq!(period.collect::<Vec<_>>(), [("period", Shape::Text, false)]);
    // The base's advice speaks of details this row does not have, so only its plain form fits.
    let plain = codes::CONFLICT_INVALID_STATE.entry().remediation.plain;
    assert_eq!(
        (entry.remediation.template, entry.remediation.plain),
        (plain, plain)
    );
}

#[test]
fn every_key_of_a_map_counts() {
    let code = accepted(
        "ORDER_LOCKED",
        json!({
            "extends": "CONFLICT_INVALID_STATE",
            "category": "conflict",
            "message_template": "Conflict: order '{order_id}' is locked",
            "remediation": "Wait until order '{order_id}' is unlocked.",
            "user_message": "Somebody else is working on this order.",
            "meaning": "The order is being edited.",
            "when": "An editor has the order open.",
            "retry": "backoff",
            "http": 423,
            "hint": "RETRY_LATER",
            "actions": ["wait_and_retry"],
            "details": {"order_id": {"type": "string", "required": true, "about": "The order."}}
        }),
    );
    let (entry, base) = (code.entry(), codes::CONFLICT_INVALID_STATE.entry());
    assert_eq!(
        entry.message.template,
        "Conflict: order '{order_id}' is locked"
    );
    assert_eq!(
        entry.remediation.template,
        "Wait until order '{order_id}' is unlocked."
    );
    assert_eq!(entry.remediation.plain, base.remediation.plain);
    assert_eq!(entry.user, "Somebody else is working on this order.");
    assert_eq!(entry.meaning, "The order is being edited.");
    assert_eq!(entry.when, "An editor has the order open.");
    assert_eq!((entry.retry, entry.http), (Retry::Backoff, 423));
    assert_eq!(
        (entry.hint, entry.hint_with_fallback),
        (Hint::RetryLater, Hint::RetryLater)
    );
    assert_eq!(entry.actions, ["wait_and_retry"]);
    assert_eq!(entry.details.last(), Some(&ORDER_ID));
    assert_eq!(entry.details.len(), base.details.len() + 1);
    assert_eq!(entry.names, base.names);
}

#[test]
fn what_a_map_does_not_say_is_inherited() {
    let code = accepted(
        "UPLOAD_TOO_LARGE",
        json!({"extends": "VALIDATION_PAYLOAD_TOO_LARGE"}),
    );
    let (entry, base) = (code.entry(), codes::VALIDATION_PAYLOAD_TOO_LARGE.entry());
    assert_eq!(entry.name, "UPLOAD_TOO_LARGE");
    assert_eq!(
        (entry.message, entry.remediation, entry.user),
        (base.message, base.remediation, base.user)
    );
    assert_eq!(
        (entry.details, entry.http, entry.retry),
        (base.details, base.http, base.retry)
    );
}

#[test]
fn a_redeclared_detail_replaces_the_inherited_one() {
    let code = accepted(
        "USER_GONE",
        json!({
            "extends": "NOT_FOUND_RESOURCE",
            "details": {"resource_id": {"type": "integer", "required": true}}
        }),
    );
    let ids: Vec<_> = code
        .entry()
        .details
        .iter()
        .filter(|detail| detail.name == "resource_id")
        .collect();
    assert_eq!(ids.len(), 1);
    assert_eq!((ids[0].shape, ids[0].required), (Shape::Integer, true));
}

#[test]
fn categories_and_prefixes_have_a_usual_code() {
    for (word, base) in [
        ("validation", "VALIDATION_INVALID_VALUE"),
        ("authentication", "AUTHENTICATION_REQUIRED"),
        ("authorization", "PERMISSION_DENIED"),
        ("not_found", "NOT_FOUND_RESOURCE"),
        ("conflict", "CONFLICT_INVALID_STATE"),
        ("rate_limit", "RATE_LIMIT_EXCEEDED"),
        ("confirmation", "CONFIRMATION_REQUIRED"),
        ("business", "BUSINESS_RULE_VIOLATION"),
        ("unavailable", "UNAVAILABLE_SERVICE"),
        ("internal", "INTERNAL_ERROR"),
        ("VALIDATION", "VALIDATION_INVALID_VALUE"),
        ("NOT_FOUND", "NOT_FOUND_RESOURCE"),
        ("PERMISSION", "PERMISSION_DENIED"),
        ("CONFLICT", "CONFLICT_INVALID_STATE"),
        ("RATE_LIMIT", "RATE_LIMIT_EXCEEDED"),
        ("TOKEN", "TOKEN_INVALID"),
        ("SCHEMA", "SCHEMA_INVALID_TYPE"),
        ("INTERNAL", "INTERNAL_ERROR"),
    ] {
        let code = accepted(
            "MY_CODE",
            json!({"category": word, "message_template": "Words"}),
        );
        let base = breakfall::catalog::by_name(base).unwrap();
        assert_eq!(code.category(), base.category(), "{word}");
        assert_eq!(code.entry().names, base.entry().names, "{word}");
    }
}

#[test]
fn a_row_can_extend_a_row_of_the_same_server() {
    let mut catalog = Catalog::builtin();
    let parent = add(
        &mut catalog,
        "SHOP_ERROR",
        json!({"extends": "INTERNAL_ERROR", "http": 503}),
    )
    .unwrap();
    let child = add(
        &mut catalog,
        "SHOP_CART_ERROR",
        json!({"extends": "SHOP_ERROR"}),
    )
    .unwrap();
    assert_eq!(child.entry().http, 503);
    assert_ne!(parent, child);
    let early = refused("SHOP_CART_ERROR", json!({"extends": "SHOP_EROR"}));
    assert_eq!(fields(&early), ["extends"]);
}

#[test]
fn the_same_row_again_is_the_same_memory() {
    let map = json!({"extends": "INTERNAL_ERROR", "message_template": "Words of one row"});
    let (first, again) = (
        accepted("RELOADED_ROW", map.clone()),
        accepted("RELOADED_ROW", map),
    );
    assert!(std::ptr::eq(first.entry(), again.entry()));
    let other = accepted(
        "RELOADED_ROW",
        json!({"extends": "INTERNAL_ERROR", "message_template": "Others"}),
    );
    assert!(!std::ptr::eq(first.entry(), other.entry()));
    // The same words over another base are another row.
    let base = json!({"extends": "INTERNAL_UNKNOWN", "message_template": "Words of one row"});
    assert_eq!(accepted("RELOADED_ROW", base).entry().retry, Retry::Never);
}

#[test]
fn a_problem_names_its_field_and_the_way_out() {
    let mut cases = 0;
    for line in PROBLEMS.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split(" => ").collect();
        let [map, field, says] = cells[..] else {
            panic!("three cells: {line}")
        };
        let error = refused("MY_CODE", serde_json::from_str(map).expect(map));
        assert_eq!(fields(&error), [field], "{map}");
        let text = error.to_string();
        assert!(text.contains(says), "{map} gives {text}");
        assert!(
            text.starts_with("code 'MY_CODE' cannot be registered: field '"),
            "{text}"
        );
        assert_eq!(error.name(), "MY_CODE");
        cases += 1;
    }
    assert_eq!(cases, 31);
}

#[test]
fn declared_details_must_cover_the_placeholders() {
    let map = json!({
        "extends": "INTERNAL_ERROR",
        "message_template": "Internal error: order '{ordr_id}'",
        "details": {"order_id": {"type": "string"}}
    });
    let error = refused("MY_CODE", map);
    assert_eq!(fields(&error), ["message_template"]);
    assert_eq!(error.problems()[0].fix, "did you mean {order_id}?");
}

#[test]
fn all_problems_come_at_once() {
    let map = json!({"extends": "NO_SUCH_CODE_ANYWHERE", "http": 1, "retry": "x", "zzz": 1});
    let error = refused("bad name", map);
    assert_eq!(fields(&error), ["name", "zzz", "extends", "retry", "http"]);
}

#[test]
fn a_refused_row_is_not_kept() {
    let mut catalog = Catalog::builtin();
    add(
        &mut catalog,
        "MY_CODE",
        json!({"extends": "INTERNAL_ERROR", "http": 1}),
    )
    .unwrap_err();
    assert_eq!(catalog.get("MY_CODE"), None);
    add(
        &mut catalog,
        "MY_CODE",
        json!({"extends": "INTERNAL_ERROR"}),
    )
    .unwrap();
    assert!(catalog.get("MY_CODE").is_some());
}

fn add(catalog: &mut Catalog, name: &str, map: Value) -> Result<Code, RowError> {
    catalog.add_map(name, &object(map))
}

fn accepted(name: &str, map: Value) -> Code {
    add(&mut Catalog::builtin(), name, map).expect(name)
}

fn refused(name: &str, map: Value) -> RowError {
    add(&mut Catalog::builtin(), name, map).expect_err(name)
}

fn fields(error: &RowError) -> Vec<&str> {
    error
        .problems()
        .iter()
        .map(|problem| problem.field.as_str())
        .collect()
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else {
        unreachable!("rows are objects: {value}")
    };
    map
}

/// A row, the field its only problem is in, and words of the message.
const PROBLEMS: &str = r#"
{} => extends => category
{"extends": "INTERNAL_EROR"} => extends => did you mean 'INTERNAL_ERROR'?
{"extends": "SOMETHING_ELSE_ENTIRELY"} => extends => registered before
{"extends": 7} => extends => expected text, got a number
{"category": "conflicts", "message_template": "x"} => category => did you mean 'conflict'?
{"category": "colour", "message_template": "x"} => category => use one of validation
{"category": "conflict"} => message_template => needs one
{"extends": "INTERNAL_ERROR", "category": "conflict"} => category => 'INTERNAL_ERROR' has the category 'internal'
{"extends": "INTERNAL_ERROR", "mesage_template": "x"} => mesage_template => did you mean 'message_template'?
{"extends": "INTERNAL_ERROR", "colour": "red"} => colour => use one of extends, category
{"extends": "INTERNAL_ERROR", "message_template": []} => message_template => got a list
{"extends": "INTERNAL_ERROR", "message_template": " "} => message_template => empty
{"extends": "INTERNAL_ERROR", "remediation": null} => remediation => got null
{"extends": "INTERNAL_ERROR", "user_message": "hello {name}"} => user_message => without the value
{"extends": "INTERNAL_ERROR", "retry": "backof"} => retry => did you mean 'backoff'?
{"extends": "INTERNAL_ERROR", "retry": "sometimes"} => retry => use one of never, after_change
{"extends": "INTERNAL_ERROR", "hint": "retry_later"} => hint => did you mean 'RETRY_LATER'?
{"extends": "INTERNAL_ERROR", "http": 200} => http => from 400 to 599
{"extends": "INTERNAL_ERROR", "http": "404"} => http => from 400 to 599
{"extends": "INTERNAL_ERROR", "actions": []} => actions => one or more names
{"extends": "INTERNAL_ERROR", "actions": [1]} => actions => one or more names
{"extends": "INTERNAL_ERROR", "details": []} => details => expected an object, got a list
{"extends": "INTERNAL_ERROR", "details": {"a": "string"}} => details.a => an object with a type
{"extends": "INTERNAL_ERROR", "details": {"a": {}}} => details.a.type => use one of string, integer
{"extends": "INTERNAL_ERROR", "details": {"a": {"type": "strng"}}} => details.a.type => did you mean 'string'?
{"extends": "INTERNAL_ERROR", "details": {"a": {"type": 1}}} => details.a.type => got a number
{"extends": "INTERNAL_ERROR", "details": {"a": {"type": "any", "requird": true}}} => details.a.requird => 'required'
{"extends": "INTERNAL_ERROR", "details": {"a": {"type": "any", "required": 1}}} => details.a.required => true or false
{"extends": "INTERNAL_ERROR", "details": {"A": {"type": "any"}}} => details.A => order_id
{"extends": "INTERNAL_ERROR", "maps_from_http": 409} => maps_from_http => a list of HTTP statuses
{"extends": "INTERNAL_ERROR", "condition": 1} => condition => expected text
"#;

#[test]
#[should_panic(expected = "a built-in code or warning has this name")]
fn a_row_with_the_name_of_a_built_in_one_makes_no_code() {
    static IMPOSTOR: breakfall::Entry =
        breakfall::Entry::extends(breakfall::codes::INTERNAL_ERROR, "NOT_FOUND_RESOURCE");
    let _ = breakfall::Code::new(&IMPOSTOR);
}

#[test]
fn a_row_whose_retry_differs_from_its_bases_gets_hint_and_actions_that_fit() {
    let code = accepted(
        "INDEX_NOT_READY",
        json!({"extends": "NOT_FOUND_RESOURCE", "retry": "backoff", "remediation": "Wait for the index."}),
    );
    assert_eq!(code.entry().hint, Hint::RetryLater);
    assert_eq!(code.entry().actions[0], "wait_and_retry");
}

#[test]
fn a_row_that_contradicts_its_base_or_itself_is_refused() {
    static RESTLESS: Entry = Entry::extends(codes::PERMISSION_DENIED, "ORDER_RESTLESS")
        .retry(Retry::Backoff)
        .http(500);
    #[rustfmt::skip]
    let cases = [
        // The base's remedy says the opposite.
        (json!({"extends": "NOT_FOUND_RESOURCE", "retry": "backoff"}), "remediation", "NOT_FOUND_RESOURCE"),
        (json!({"extends": "UNAVAILABLE_SERVICE", "retry": "never"}), "remediation", "'backoff'"),
        // Repeated as it is, an invalid call stays invalid.
        (json!({"extends": "VALIDATION_OUT_OF_RANGE", "retry": "once", "remediation": "Call again."}), "retry", "'validation'"),
        (json!({"extends": "NOT_FOUND_RESOURCE", "hint": "RETRY_LATER"}), "hint", "'never'"),
        (json!({"extends": "NOT_FOUND_RESOURCE", "http": 503}), "http", "from 400 to 499"),
        (json!({"extends": "INTERNAL_ERROR", "http": 404}), "http", "from 500 to 599"),
    ];
    for (map, field, says) in cases {
        let error = refused("MY_CODE", map.clone());
        assert_eq!(fields(&error), [field], "{map}");
        assert!(error.to_string().contains(says), "{map} gives {error}");
    }
    let error = Catalog::builtin().with(Code::new(&RESTLESS)).unwrap_err();
    assert_eq!(fields(&error), ["retry", "remediation", "http"]);
}

//! What is certain, and what is not.

use breakfall::validate::{Finding, Kind, Repair, Schema};
use serde_json::{Value, json};

use super::compiled;

fn corrected(schema: &Value, arguments: &Value) -> Option<Value> {
    compiled(schema)
        .check(arguments)
        .corrective_params()
        .cloned()
}

/// A schema of one parameter, and what becomes of a value of it.
fn value(schema: &Value, value: &Value) -> Option<Value> {
    let schema = json!({"properties": {"v": schema}, "required": ["v"]});
    corrected(&schema, &json!({"v": value})).map(|mut corrected| corrected["v"].take())
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_plainly_meant_is_corrected() {
    for (schema, sent, meant) in [
        (json!({"type": "integer"}), json!("50"), json!(50)),
        (json!({"type": "boolean"}), json!("True"), json!(true)),
        (json!({"type": "string"}), json!(12345), json!("12345")),
        (
            json!({"type": ["integer", "null"]}),
            json!("null"),
            json!(null),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!("a"),
            json!(["a"]),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!("[\"a\", \"b\"]"),
            json!(["a", "b"]),
        ),
        (
            json!({"type": "object"}),
            json!("{\"a\": [1]}"),
            json!({"a": [1]}),
        ),
        (
            json!({"enum": ["open", "closed"]}),
            json!("OPEN"),
            json!("open"),
        ),
        (
            json!({"enum": ["open", "closed"]}),
            json!(" open"),
            json!("open"),
        ),
        (
            json!({"enum": ["in_progress", "done"]}),
            json!("in-progress"),
            json!("in_progress"),
        ),
        (
            json!({"enum": ["open", "closed"]}),
            json!("closd"),
            json!("closed"),
        ),
        (json!({"enum": [1, 2, 3]}), json!("2"), json!(2)),
        (
            json!({"type": "integer", "maximum": 100}),
            json!(500),
            json!(100),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 0}),
            json!(-3),
            json!(1),
        ),
        (
            json!({"type": "integer", "minimum": 1.5}),
            json!(1),
            json!(2),
        ),
        (
            json!({"type": "number", "minimum": 0.5}),
            json!(0.1),
            json!(0.5),
        ),
        (
            json!({"type": "string", "format": "email"}),
            json!(" ada@example.com\n"),
            json!("ada@example.com"),
        ),
        (
            json!({"uniqueItems": true}),
            json!([1, 2, 1]),
            json!([1, 2]),
        ),
        // What one repair brings to light, the next one repairs.
        (
            json!({"type": "integer", "maximum": 100}),
            json!("500"),
            json!(100),
        ),
        (
            json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
            json!("{\"n\": \"7\"}"),
            json!({"n": 7}),
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            json!("[\"1\"]"),
            json!([1]),
        ),
        // Through alternatives, as typed languages write optional values.
        (
            json!({"anyOf": [{"type": "integer", "maximum": 9}, {"type": "null"}]}),
            json!("12"),
            json!(9),
        ),
    ] {
        assert_eq!(value(&schema, &sent), Some(meant), "{schema} on {sent}");
    }
}

#[test]
fn what_could_mean_two_things_is_left_alone() {
    for (schema, sent) in [
        (json!({"type": "integer"}), json!("many")),
        (json!({"type": "integer"}), json!("1,000")),
        (json!({"type": "integer"}), json!(2.5)),
        (json!({"type": "boolean"}), json!(1)),
        (json!({"type": "boolean"}), json!("yes")),
        (json!({"type": "string"}), json!(1.0)),
        (json!({"type": "string"}), json!(["a"])),
        (json!({"type": ["string", "array"]}), json!(5)),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!("a, b"),
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            json!("a"),
        ),
        (json!({"enum": ["cat", "bat"]}), json!("rat")),
        (json!({"enum": ["eu-1"]}), json!("eu-2")),
        (json!({"enum": ["decrease"]}), json!("increase")),
        (json!({"const": 1}), json!(2)),
        (json!({"type": "number", "exclusiveMinimum": 0}), json!(-1)),
        (
            json!({"type": "integer", "maximum": 100, "multipleOf": 7}),
            json!(500),
        ),
        (json!({"maxLength": 3}), json!("abcd")),
        (json!({"maxItems": 1}), json!([1, 2])),
        (json!({"pattern": "^[A-Z]+$"}), json!("abc")),
        (json!({"not": {"type": "string"}}), json!("x")),
    ] {
        assert_eq!(value(&schema, &sent), None, "{schema} on {sent}");
    }
}

#[test]
fn a_missing_parameter_has_its_default_or_its_only_value() {
    let schema = |v: Value| json!({"properties": {"v": v}, "required": ["v"]});
    for (v, filled) in [
        (json!({"default": 5}), Some(json!({"v": 5}))),
        (json!({"const": "x"}), Some(json!({"v": "x"}))),
        (json!({"enum": ["only"]}), Some(json!({"v": "only"}))),
        (json!({"enum": ["a", "b"]}), None),
        (json!({"type": "string"}), None),
        (json!({"type": "integer", "default": "five"}), None),
        (
            json!({"type": "boolean", "default": true}),
            Some(json!({"v": true})),
        ),
        (json!({"const": false}), Some(json!({"v": false}))),
    ] {
        assert_eq!(corrected(&schema(v.clone()), &json!({})), filled, "{v}");
    }
    let through = json!({
        "$defs": {"unit": {"default": "m"}},
        "properties": {"p": {"allOf": [{"properties": {"unit": {"$ref": "#/$defs/unit"}}}, {"required": ["unit"]}]}}
    });
    assert_eq!(
        corrected(&through, &json!({"p": {}})),
        Some(json!({"p": {"unit": "m"}}))
    );
}

#[test]
fn consent_is_the_callers_to_give() {
    for (name, schema) in [
        ("sure", json!({"const": true})),
        ("sure", json!({"type": "boolean", "enum": [true]})),
        ("confirm", json!({"const": "DELETE"})),
        ("userConfirmed", json!({"type": "boolean", "default": true})),
        ("i_agree", json!({"enum": ["yes"]})),
    ] {
        let schema = json!({"properties": {name: schema}, "required": [name]});
        let schema = compiled(&schema);
        let nothing = json!({});
        let findings = schema.check(&nothing);
        assert_eq!(findings.corrective_params(), None, "{name}");
        let repaired = findings.iter().any(|finding| finding.repair().is_some());
        assert!(!repaired, "{name}");
    }
    let spelt = json!({"properties": {"confirm": {"const": true}}});
    assert_eq!(
        corrected(&spelt, &json!({"confirm": "true"})),
        Some(json!({"confirm": true})),
        "what was given may be spelt right"
    );
}

#[test]
fn what_is_paid_or_ordered_is_never_moved_to_a_bound() {
    for (name, is_moved) in [
        ("limit", true),
        ("amount_cents", false),
        ("unitPrice", false),
        ("qty", false),
    ] {
        let schema = json!({"properties": {name: {"type": "integer", "maximum": 100}}});
        let moved = corrected(&schema, &json!({name: 900}));
        assert_eq!(moved, is_moved.then(|| json!({name: 100})), "{name}");
    }
}

#[test]
fn an_unknown_name_one_slip_away_is_renamed_where_its_value_fits() {
    let schema = json!({
        "properties": {"user_id": {"type": "integer"}, "limit": {"type": "integer"}, "items": {"type": "array"}},
        "required": ["user_id"],
        "additionalProperties": false
    });
    let fixed = |arguments| corrected(&schema, &arguments);
    assert_eq!(fixed(json!({"userId": 7})), Some(json!({"user_id": 7})));
    assert_eq!(
        fixed(json!({"user_id": 7, "limt": 5})),
        Some(json!({"user_id": 7, "limit": 5}))
    );
    assert_eq!(
        fixed(json!({"user_id": 7, "colour": null})),
        Some(json!({"user_id": 7}))
    );
    assert_eq!(
        fixed(json!({"userId": "seven"})),
        None,
        "the value does not fit"
    );
    assert_eq!(
        fixed(json!({"user_id": 7, "limt": "5"})),
        None,
        "nor does this one as it is"
    );
    assert_eq!(
        fixed(json!({"user_id": 7, "userId": 8})),
        None,
        "the name is taken"
    );
    assert_eq!(
        fixed(json!({"userId": 7, "userID": 8})),
        None,
        "two want the name"
    );
    assert_eq!(
        fixed(json!({"user_id": 7, "dry_run": true})),
        None,
        "dropping it would change what is asked for"
    );
}

#[test]
fn nothing_stands_for_a_parameter_that_may_be_left_out() {
    let schema = json!({"properties": {"cursor": {"type": "string"}, "q": {"type": "string"}}, "required": ["q"]});
    assert_eq!(
        corrected(&schema, &json!({"q": "x", "cursor": null})),
        Some(json!({"q": "x"}))
    );
    assert_eq!(corrected(&schema, &json!({"q": null})), None);
    assert_eq!(
        corrected(&json!({"items": {"type": "string"}}), &json!(["a", null])),
        None
    );
}

#[test]
fn suggestions_stand_even_where_something_else_stays_open() {
    let schema = compiled(&json!({
        "properties": {"limit": {"type": "integer"}, "state": {"enum": ["open"]}, "owner": {"type": "string"}},
        "required": ["owner"]
    }));
    let arguments = json!({"limit": "50", "state": "OPEN"});
    let findings = schema.check(&arguments);
    assert_eq!(findings.corrective_params(), None, "nobody knows the owner");
    let repairs: Vec<_> = findings
        .iter()
        .map(|finding| finding.repair().cloned())
        .collect();
    let open = json!("open");
    assert_eq!(
        repairs,
        [
            None,
            Some(Repair::Replace(json!(50))),
            Some(Repair::Replace(open))
        ]
    );
}

#[test]
fn a_repair_that_breaks_another_rule_is_no_repair() {
    // A limit is fine by itself, but may not stand beside `all`.
    let schema = json!({
        "properties": {"limit": {"type": "integer"}, "all": {"type": "boolean"}, "state": {"enum": ["open"]}},
        "if": {"properties": {"limit": {"type": "integer"}}, "required": ["limit"]},
        "then": {"properties": {"all": {"const": false}}}
    });
    let compiled = compiled(&schema);
    let arguments = json!({"limit": "5", "all": true, "state": "Open"});
    let findings = compiled.check(&arguments);
    let repaired: Vec<&str> = findings
        .iter()
        .filter(|f| f.repair().is_some())
        .map(|f| f.pointer())
        .collect();
    assert_eq!(
        repaired,
        ["/state"],
        "the other repair does not depend on it"
    );
}

#[test]
fn kinds_can_be_treated_apart() {
    let schema = compiled(&json!({
        "properties": {"limit": {"type": "integer"}, "on": {"type": "boolean"}, "page": {"type": "integer"}},
        "additionalProperties": false
    }));
    let arguments = json!({"limit": "5", "on": "perhaps", "page": "2", "colour": "red"});
    let findings = schema.check(&arguments);
    assert_eq!(
        findings.coerced(),
        json!({"limit": 5, "on": "perhaps", "page": 2, "colour": "red"})
    );
    assert_eq!(
        findings.stripped(),
        json!({"limit": "5", "on": "perhaps", "page": "2"})
    );
    let rest = findings.keep(|finding| finding.kind() == Kind::Type && finding.repair().is_none());
    let fault = rest.into_fault("tool").expect("one is left");
    assert_eq!(
        fault.public().message(),
        "Parameter 'on' expected 'boolean', got 'string'"
    );
    assert_eq!(fault.public().corrective_params(), None);
    assert!(
        schema
            .check(&arguments)
            .keep(|_| false)
            .into_fault("tool")
            .is_none()
    );
}

#[test]
fn a_name_that_stands_for_what_is_missing_is_told_with_it() {
    let schema = Schema::compile(&json!({
        "properties": {"s": {"type": "string"}},
        "required": ["s"]
    }))
    .expect("a schema")
    .closed();
    let sent = json!({"S": "x"});
    let missing = |finding: &Finding<'_>| finding.kind() == Kind::Missing;
    let fault = schema.check(&sent).keep(missing).into_fault("say");
    let fault = fault.expect("a fault");
    let public = fault.public();
    assert_eq!(public.corrective_params(), Some(&json!({"s": "x"})));
    let advice = public.remediation();
    assert!(
        advice.contains("ename 'S' to 's'") && !advice.contains("dd 's'"),
        "{advice}"
    );
}

#[test]
fn references_that_go_round_say_so() {
    let schema = json!({
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
    });
    let fault = Schema::compile(&schema).expect_err("a loop");
    let message = fault.public().message();
    assert!(
        message.starts_with("Schema reference '#/$defs/")
            && message.contains("leads back to itself"),
        "{message}"
    );
}

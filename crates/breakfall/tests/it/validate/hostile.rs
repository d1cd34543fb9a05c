//! Schemas and arguments made to hurt: everything ends soon, in little memory, on a small stack.

use std::collections::BTreeMap;

use breakfall::validate::{Kind, Schema};
use serde_json::{Map, Value, json};

use super::compiled;

/// Runs on the stack of a worker thread, which is where a gateway validates.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(work);
    thread.expect("a thread").join().expect("no panic")
}

fn nested(levels: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(json!({}), |inner, _| wrap(inner))
}

#[test]
fn a_schema_of_two_thousand_levels_is_refused() {
    let name = on_a_small_stack(|| {
        let schema = nested(1000, |inner| json!({"properties": {"a": inner}}));
        Schema::compile(&schema)
            .map(drop)
            .expect_err("too deep")
            .code()
            .name()
    });
    assert_eq!(name, "VALIDATION_PAYLOAD_TOO_LARGE");
}

#[test]
fn a_schema_as_deep_as_allowed_works_on_a_small_stack() {
    on_a_small_stack(|| {
        for key in ["properties", "dependentSchemas"] {
            let schema = nested(62, |inner| json!({key: {"a": inner}}));
            let schema = Schema::compile(&schema).expect("within bounds");
            let arguments = nested(100, |inner| json!({"a": inner}));
            assert!(schema.check(&arguments).is_empty());
        }
        let chain = nested(60, |inner| json!({"allOf": [inner]}));
        assert!(
            Schema::compile(&chain)
                .expect("within bounds")
                .check(&json!({}))
                .is_empty()
        );
    });
}

#[test]
fn recursion_is_bounded_by_the_stack_and_not_by_luck() {
    let wraps: [fn(usize, Value) -> Value; 6] = [
        |_, inner| json!({"allOf": [inner]}),
        |_, inner| json!({"anyOf": [inner, {"type": "string"}]}),
        |at, inner| {
            if at % 2 == 0 {
                json!({"oneOf": [inner]})
            } else {
                json!({"allOf": [inner, {}]})
            }
        },
        |_, inner| json!({"if": {}, "then": inner, "unevaluatedProperties": true}),
        |_, inner| json!({"not": {"not": inner}}),
        |_, inner| json!({"else": inner, "if": false}),
    ];
    for wrap in wraps {
        on_a_small_stack(move || recursion(wrap));
    }
}

fn recursion(wrap: fn(usize, Value) -> Value) {
    for links in [1, 5, 20, 28] {
        // Every level of the arguments passes through as many schemas as there are links.
        let inner = json!({"properties": {"a": {"$ref": "#"}, "n": {"type": "integer"}}});
        let schema = (0..links).fold(inner, |inner, at| wrap(at, inner));
        let schema = Schema::compile(&schema).expect("within bounds");
        for depth in [1, 10, 60, 127] {
            let arguments = (0..depth).fold(json!({"n": "x"}), |inner, _| json!({"a": inner}));
            let findings = schema.check(&arguments);
            assert_eq!(findings.len(), 1, "{links} links, {depth} levels");
            assert!(findings.into_fault("tool").is_some());
        }
    }
}

#[test]
fn arguments_of_any_depth_are_refused_and_not_walked() {
    let mut arguments = json!({});
    for _ in 0..50_000 {
        arguments = Value::Array(vec![arguments]);
    }
    let schema = compiled(&json!({"items": {"$ref": "#"}}));
    let fault = schema
        .check(&arguments)
        .into_fault("tool")
        .expect("a fault");
    assert_eq!(fault.code().name(), "VALIDATION_PAYLOAD_TOO_LARGE");
    assert_eq!(
        fault.public().details().get("limit_type"),
        Some(&json!("nesting_depth"))
    );
    // Dropping it the usual way would need a stack as deep.
    let mut open = vec![arguments];
    while let Some(value) = open.pop() {
        if let Value::Array(items) = value {
            open.extend(items);
        }
    }
}

#[test]
fn alternatives_that_multiply_do_not_explode() {
    // Each level of the arguments doubles the errors: two to the power of a hundred.
    let twice = json!({
        "anyOf": [
            {"properties": {"a": {"$ref": "#"}}, "required": ["x"]},
            {"properties": {"a": {"$ref": "#"}}, "required": ["y"]}
        ]
    });
    let schema = compiled(&twice);
    for depth in [3, 60, 100] {
        let arguments = nested(depth, |inner| json!({"a": inner}));
        let findings = schema.check(&arguments);
        assert!(!findings.is_empty());
        assert_eq!(findings.is_incomplete(), depth > 3, "{depth}");
    }
}

#[test]
fn definitions_that_use_the_next_one_twice_do_not_explode() {
    let wraps: [fn(Value) -> Value; 5] = [
        |next| json!({"anyOf": [next, next]}),
        |next| json!({"oneOf": [next, next]}),
        |next| json!({"allOf": [next, next]}),
        |next| json!({"not": {"allOf": [next, next]}}),
        |next| json!({"properties": {"a": next}, "patternProperties": {"a": next}}),
    ];
    for wrap in wraps {
        for levels in [4, 20] {
            let mut defs = Map::new();
            for at in 0..levels {
                defs.insert(
                    format!("d{at}"),
                    wrap(json!({"$ref": format!("#/$defs/d{}", at + 1)})),
                );
            }
            defs.insert(format!("d{levels}"), json!({"required": ["x"]}));
            let schema = compiled(&json!({"$ref": "#/$defs/d0", "$defs": defs}));
            let arguments = nested(levels, |inner| json!({"a": inner}));
            let findings = schema.check(&arguments);
            assert_eq!(findings.is_incomplete(), levels == 20, "{}", wrap(json!(0)));
        }
    }
}

#[test]
fn copies_of_large_values_are_not_piled_up() {
    let alternatives: Vec<Value> = (0..2000).map(|n| json!({"const": n})).collect();
    let schema = compiled(&json!({"properties": {"v": {"anyOf": alternatives}}}));
    let arguments = json!({"v": "x".repeat(10_000_000)});
    let findings = schema.check(&arguments);
    assert_eq!(findings.len(), 1);
    assert!(findings.is_incomplete());
    let fault = findings.into_fault("tool").expect("a fault");
    assert!(format!("{fault:?}").len() < 5000);
}

#[test]
fn patterns_take_linear_time() {
    let schema = compiled(&json!({"properties": {"v": {"pattern": "^(a+)+$"}}}));
    let arguments = json!({"v": format!("{}!", "a".repeat(1_000_000))});
    let findings = schema.check(&arguments);
    assert_eq!(
        findings.iter().next().map(|finding| finding.kind()),
        Some(Kind::Pattern)
    );
}

#[test]
fn patterns_that_try_everything_are_kept_from_long_texts() {
    // Every `a` opens another attempt, a thousand of them at a time.
    let schema = compiled(&json!({
        "properties": {"v": {"pattern": "[ab]*a[ab]{1000}c"}, "w": {"pattern": "^[a-z]+$"}},
        "patternProperties": {"[ab]*a[ab]{1000}d": {}}
    }));
    let long = "abbaabab".repeat(200_000);
    for arguments in [json!({"v": long}), json!({long.as_str(): 1})] {
        let findings = schema.check(&arguments);
        assert!(findings.is_incomplete());
        assert_eq!(findings.len(), 1);
    }
    assert!(
        schema.check(&json!({"w": long})).is_empty(),
        "a pattern of letters is no trouble"
    );
    assert_eq!(
        schema
            .check(&json!({"v": "ab"}))
            .iter()
            .next()
            .map(|finding| finding.kind()),
        Some(Kind::Pattern)
    );
}

#[test]
fn ten_thousand_unknown_names_are_counted_and_not_listed() {
    let schema = compiled(&json!({"properties": {"name": {}}, "additionalProperties": false}));
    let arguments: Value = (0..10_000)
        .map(|n| (format!("name{n}"), json!(n)))
        .collect::<Map<_, _>>()
        .into();
    let findings = schema.check(&arguments);
    assert_eq!(findings.len(), 10_000);
    assert_eq!(findings.stripped(), json!({}));
    let fault = findings.into_fault("tool").expect("a fault");
    assert_eq!(fault.public().violations().len(), 64);
    assert_eq!(
        fault.public().details().get("violations_omitted"),
        Some(&json!(9_936))
    );
    assert!(format!("{fault:?}").len() < 100_000);
}

#[test]
fn a_list_of_a_million_wrong_items_costs_one_error() {
    let schema = compiled(&json!({"items": {"type": "integer"}}));
    let arguments = Value::Array(vec![json!("x"); 1_000_000]);
    let findings = schema.check(&arguments);
    assert!(findings.is_incomplete());
    assert_eq!(
        findings
            .iter()
            .map(|finding| finding.pointer().to_owned())
            .collect::<Vec<_>>(),
        ["/0"]
    );
    let fault = findings.into_fault("tool").expect("a fault");
    assert_eq!(
        fault.public().details().get("violations_complete"),
        Some(&json!(false))
    );
}

#[test]
fn huge_texts_and_names_are_described_and_not_repeated() {
    let schema = compiled(&json!({
        "properties": {"v": {"type": "integer"}, "e": {"enum": ["open"]}},
        "additionalProperties": false
    }));
    let long = "y".repeat(10_000_000);
    let arguments = json!({"v": long, "e": long, long.as_str(): 1});
    let fault = schema.check(&arguments).into_fault(&long).expect("a fault");
    assert!(format!("{fault:?}").len() < 10_000);
    assert_eq!(fault.public().corrective_params(), None);
}

#[test]
fn a_huge_enum_is_listed_in_part() {
    let values: Vec<String> = (0..40_000).map(|n| format!("value-{n}")).collect();
    let schema = compiled(&json!({"properties": {"v": {"enum": values}}}));
    let fault = schema
        .check(&json!({"v": "valu-7"}))
        .into_fault("tool")
        .expect("a fault");
    assert_eq!(
        fault
            .public()
            .details()
            .get("allowed_values")
            .and_then(Value::as_array)
            .map(Vec::len),
        Some(50)
    );
    let too_many: Vec<u32> = (0..60_000).collect();
    let refused = Schema::compile(&json!({"enum": too_many}))
        .map(drop)
        .expect_err("too many");
    assert_eq!(refused.code().name(), "VALIDATION_PAYLOAD_TOO_LARGE");
    let too_long = Schema::compile(&json!({"const": "x".repeat(2_000_000)}))
        .map(drop)
        .expect_err("too long");
    assert_eq!(too_long.code().name(), "VALIDATION_PAYLOAD_TOO_LARGE");
}

#[test]
fn a_long_chain_of_references_is_refused_or_works() {
    let mut defs = BTreeMap::new();
    for at in 0..10_000 {
        defs.insert(
            format!("d{at}"),
            json!({"$ref": format!("#/$defs/d{}", at + 1)}),
        );
    }
    defs.insert("d10000".into(), json!({"type": "integer"}));
    let schema = json!({"$defs": defs, "properties": {"v": {"$ref": "#/$defs/d0"}}});
    let refused = on_a_small_stack(move || {
        Schema::compile(&schema)
            .map(drop)
            .expect_err("too long")
            .code()
            .name()
    });
    assert_eq!(refused, "VALIDATION_PAYLOAD_TOO_LARGE");
}

#[test]
fn many_patterns_share_what_one_may_take() {
    let many: Map<String, Value> = (0..2000)
        .map(|n| {
            (
                format!("p{n}"),
                json!({"pattern": format!("^[a-z]{{1,{}}}$", 1 + n % 50)}),
            )
        })
        .collect();
    let schema = compiled(&json!({"properties": many}));
    assert_eq!(schema.check(&json!({"p0": "ABC"})).len(), 1);
    let large: Map<String, Value> = (0..2000)
        .map(|n| {
            (
                format!("p{n}"),
                json!({"pattern": format!("^[a-z]{{1,{}}}$", 2000 + n)}),
            )
        })
        .collect();
    assert!(Schema::compile(&json!({"properties": large})).is_err());
}

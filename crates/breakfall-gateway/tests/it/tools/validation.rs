use breakfall_gateway::config::{ValidationMode, ValidationModes, ValidationRule};
use breakfall_gateway::tools::{SchemaCache, Tool, validate};
use serde_json::{Value, json};

use super::{check, codes, tool_with};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "state": {"enum": ["open", "closed"]},
            "limit": {"type": "integer", "maximum": 100},
            "page": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null},
            "level": {"type": "integer", "enum": [1, 2, 3]},
            "since": {"type": "string", "format": "date"},
            "key": {"type": "string", "pattern": "^[A-Z]+$", "maxLength": 5},
            "step": {"multipleOf": 5},
            "labels": {"type": "array", "items": {"type": "string"}},
            "ratio": {"type": "number"},
            "where": {"type": "object", "properties": {"on": {"type": "boolean"}}, "additionalProperties": false}
        },
        "required": ["state"]
    })
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_kind_of_violation_is_treated_as_most_servers_would() {
    let cases = [
        (r#"{"state":"open"}"#, Ok(vec![])),
        (
            r#"{"state":"open","limit":5,"where":{"on":true}}"#,
            Ok(vec![]),
        ),
        (r#"{"state":"open","_trace":1}"#, Ok(vec![])),
        ("{}", Err("VALIDATION_MISSING_PARAM")),
        (
            r#"{"state":"open","limit":[]}"#,
            Err("VALIDATION_INVALID_TYPE"),
        ),
        (r#"{"state":"ajar"}"#, Err("VALIDATION_INVALID_ENUM")),
        (
            r#"{"state":"open","limit":500}"#,
            Err("VALIDATION_OUT_OF_RANGE"),
        ),
        (
            r#"{"state":"open","key":"ABCDEFG"}"#,
            Err("VALIDATION_OUT_OF_RANGE"),
        ),
        (
            r#"{"state":"open","key":"a"}"#,
            Err("VALIDATION_PATTERN_MISMATCH"),
        ),
        (
            r#"{"state":"open","step":7}"#,
            Err("VALIDATION_INVALID_VALUE"),
        ),
        // It would be another number.
        (
            r#"{"state":"open","limit":"500"}"#,
            Err("VALIDATION_INVALID_TYPE"),
        ),
        (
            r#"{"state":"open","limit":"50"}"#,
            Ok(vec!["ARGUMENTS_MISMATCH"]),
        ),
        (
            r#"{"state":"open","limit":null}"#,
            Ok(vec!["ARGUMENTS_MISMATCH"]),
        ),
        (
            r#"{"state":"open","page":"7"}"#,
            Ok(vec!["ARGUMENTS_MISMATCH"]),
        ),
        (
            r#"{"state":"open","level":"2"}"#,
            Ok(vec!["ARGUMENTS_MISMATCH"]),
        ),
        (
            r#"{"state":"open","since":"soon"}"#,
            Ok(vec!["ARGUMENTS_MISMATCH"]),
        ),
        (
            r#"{"state":"open","colour":1}"#,
            Ok(vec!["UNKNOWN_PARAM_IGNORED"]),
        ),
        (
            r#"{"state":"open","where":{"off":1},"limit":"5"}"#,
            Ok(vec!["UNKNOWN_PARAM_IGNORED", "ARGUMENTS_MISMATCH"]),
        ),
    ];
    for (arguments, want) in cases {
        let checked = check(&schema(), arguments, &ValidationModes::default());
        let got = match &checked {
            Ok(checked) => {
                assert_eq!(checked.edited, None, "{arguments}");
                Ok(codes(&checked.warnings))
            }
            Err(fault) => Err(fault.code().name()),
        };
        assert_eq!(got, want, "{arguments}");
    }
}

#[test]
fn a_mode_counts_for_its_own_rule_and_no_other() {
    let broken = [
        (ValidationRule::Missing, "{}"),
        (ValidationRule::Type, r#"{"state":"open","limit":[]}"#),
        (
            ValidationRule::Coercible,
            r#"{"state":"open","limit":"50"}"#,
        ),
        (ValidationRule::Unknown, r#"{"state":"open","colour":1}"#),
        (ValidationRule::Enum, r#"{"state":"ajar"}"#),
        (ValidationRule::Range, r#"{"state":"open","limit":500}"#),
        (ValidationRule::Size, r#"{"state":"open","key":"ABCDEFG"}"#),
        (ValidationRule::Pattern, r#"{"state":"open","key":"a"}"#),
        (ValidationRule::Format, r#"{"state":"open","since":"soon"}"#),
        (ValidationRule::Other, r#"{"state":"open","step":7}"#),
    ];
    for (rule, arguments) in broken {
        let one = |mode, other| {
            check(
                &schema(),
                arguments,
                &ValidationModes::all(other).with(rule, mode),
            )
        };
        assert!(
            one(ValidationMode::Reject, ValidationMode::Off).is_err(),
            "{rule:?}"
        );
        let warned = one(ValidationMode::Warn, ValidationMode::Reject).expect("let through");
        assert_eq!(warned.warnings.len(), 1, "{rule:?}");
        let off = one(ValidationMode::Off, ValidationMode::Reject).expect("let through");
        assert!(off.warnings.is_empty() && off.edited.is_none(), "{rule:?}");
    }
    let all = check(
        &schema(),
        "not even JSON",
        &ValidationModes::all(ValidationMode::Off),
    )
    .expect("nobody looks");
    assert!(all.warnings.is_empty());
}

#[test]
fn a_refusal_tells_all_that_is_refused_and_how_it_would_do() {
    let arguments = r#"{"state":"Open","limit":"50","key":"a","colour":1}"#;
    let fault = check(&schema(), arguments, &ValidationModes::default()).unwrap_err();
    let pointers: Vec<&str> = fault
        .public()
        .violations()
        .iter()
        .map(breakfall::Violation::pointer)
        .collect();
    assert_eq!(pointers, ["/state", "/key"]);
    let fault = check(
        &schema(),
        r#"{"state":"Open","limit":"50"}"#,
        &ValidationModes::default(),
    )
    .unwrap_err();
    assert_eq!(
        fault.public().corrective_params(),
        Some(&json!({"state": "open", "limit": "50"})),
        "what is let through is not corrected"
    );
    assert_eq!(fault.public().origin(), breakfall::Origin::Caller);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_stripped_or_coerced_is_written_and_told() {
    let modes = ValidationModes::default()
        .with(ValidationRule::Unknown, ValidationMode::Strip)
        .with(ValidationRule::Coercible, ValidationMode::Coerce);
    let cases = [
        (r#"{"colour":1, "state":"open"}"#, r#"{"state":"open"}"#),
        (r#"{"state":"open" , "colour":1 }"#, r#"{"state":"open" }"#),
        (
            r#"{"a":1,"state":"open","b":[2],"c":{}}"#,
            r#"{"state":"open"}"#,
        ),
        (r#"{"a":1,"b":2,"state":"open"}"#, r#"{"state":"open"}"#),
        (
            r#"{"state":"open","limit":"50"}"#,
            r#"{"state":"open","limit":50}"#,
        ),
        (r#"{"state":"open","limit":null}"#, r#"{"state":"open"}"#),
        (
            r#"{"state":"open","level":"2"}"#,
            r#"{"state":"open","level":2}"#,
        ),
        (
            r#"{"state":"open","page":" 7 "}"#,
            r#"{"state":"open","page":7}"#,
        ),
        (
            r#"{"state":"open","labels":"bug"}"#,
            r#"{"state":"open","labels":["bug"]}"#,
        ),
        (
            r#"{"state":"open","labels":"b\u00fcg"}"#,
            r#"{"state":"open","labels":["b\u00fcg"]}"#,
        ),
        (
            r#"{"state":"open","labels":[1,"a"]}"#,
            r#"{"state":"open","labels":["1","a"]}"#,
        ),
        (
            r#"{"state":"open","labels":"[\"a\"]"}"#,
            r#"{"state":"open","labels":["a"]}"#,
        ),
        // Its digits stay, whatever a value could hold of them.
        (
            r#"{"state":"open","ratio":"0.12345678901234567890"}"#,
            r#"{"state":"open","ratio":0.12345678901234567890}"#,
        ),
        (
            r#"{"where":{"x~/y":1,"on":"True"},"state":"open"}"#,
            r#"{"where":{"on":true},"state":"open"}"#,
        ),
        (
            r#"{"where":"{\"on\": true}","state":"open","big":1e400}"#,
            r#"{"where":{"on": true},"state":"open"}"#,
        ),
        (
            r#"{"st\u0061te":"open","l\u0069mit":"5"}"#,
            r#"{"st\u0061te":"open","l\u0069mit":5}"#,
        ),
    ];
    for (sent, want) in cases {
        let checked = check(&schema(), sent, &modes).expect(sent);
        assert_eq!(checked.edited.as_deref(), Some(want), "{sent}");
        assert!(!checked.warnings.is_empty(), "{sent}");
        let again = check(
            &schema(),
            want,
            &ValidationModes::all(ValidationMode::Reject),
        )
        .expect(want);
        assert_eq!(again.edited, None, "{want}");
    }
}

#[test]
fn warnings_say_what_it_is_about_and_repeat_no_secret() {
    let modes = ValidationModes::default().with(ValidationRule::Coercible, ValidationMode::Coerce);
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let sent = format!(r#"{{"state":"open","limit":"50","colour":"{secret}","since":"{secret}"}}"#);
    let checked = check(&schema(), &sent, &modes).expect("let through");
    assert_eq!(
        codes(&checked.warnings),
        [
            "ARGUMENTS_REPAIRED",
            "UNKNOWN_PARAM_IGNORED",
            "ARGUMENTS_MISMATCH"
        ]
    );
    let [repaired, unknown, mismatch] = checked.warnings.as_slice() else {
        unreachable!("three of them")
    };
    assert_eq!(
        repaired.facts().get("repairs"),
        Some(&json!([{"param_name": "limit", "to": "integer"}]))
    );
    assert_eq!(unknown.text(), "Parameter(s) not in the schema: 'colour'");
    assert_eq!(
        unknown
            .facts()
            .get("valid_params")
            .and_then(Value::as_array)
            .map(Vec::len),
        Some(10)
    );
    assert_eq!(mismatch.text(), "Arguments do not fit the schema: 'since'");
    for warning in &checked.warnings {
        for (_, fact) in warning.facts().iter() {
            assert!(!fact.to_string().contains(secret), "{fact}");
        }
    }
}

#[test]
fn no_arguments_are_an_empty_object() {
    let tool = tool_with(&schema());
    for arguments in [None, Some("null"), Some(" null ")] {
        let fault = validate::check(&tool, arguments, &ValidationModes::default()).unwrap_err();
        assert_eq!(fault.code().name(), "VALIDATION_MISSING_PARAM");
    }
    let tool = tool_with(&json!({"type": "object"}));
    let checked =
        validate::check(&tool, None, &ValidationModes::default()).expect("nothing is asked for");
    assert!(checked.edited.is_none() && checked.warnings.is_empty());
}

#[test]
fn a_tool_without_a_schema_takes_anything() {
    let tool = Tool::read(r#"{"name":"t"}"#, &SchemaCache::new("shop")).expect("a tool");
    let checked = validate::check(&tool, Some(r#"{"x":1}"#), &ValidationModes::default());
    assert!(checked.expect("let through").warnings.is_empty());
}

#[test]
fn a_schema_of_draft_07_is_understood() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"n": {"type": "integer", "exclusiveMinimum": 0}},
        "properties": {"n": {"$ref": "#/definitions/n"}},
        "additionalProperties": false
    });
    let fault = check(&schema, r#"{"n":0}"#, &ValidationModes::default()).unwrap_err();
    assert_eq!(fault.code().name(), "VALIDATION_OUT_OF_RANGE");
}

#[test]
fn nothing_is_taken_where_openapi_says_so() {
    let schema = json!({
        "properties": {
            "note": {"type": "string", "nullable": true},
            "size": {"enum": ["s", "m"], "nullable": true},
            "name": {"type": "string", "nullable": false}
        },
        "required": ["note", "size"]
    });
    let sent = r#"{"note":null,"size":null}"#;
    let checked = check(&schema, sent, &ValidationModes::default()).expect("it goes on");
    assert_eq!(codes(&checked.warnings), ["ARGUMENTS_MISMATCH"]);
    // Left out, it would say something else.
    let modes = ValidationModes::default().with(ValidationRule::Coercible, ValidationMode::Coerce);
    let checked = check(&schema, sent, &modes).expect("it goes on");
    assert_eq!(checked.edited, None);
    let named = r#"{"note":null,"size":"s","name":5,"note2":null}"#;
    assert!(check(&schema, named, &ValidationModes::default()).is_ok());
    let fault = check(
        &schema,
        r#"{"note":null,"size":"x"}"#,
        &ValidationModes::default(),
    );
    let fault = fault.expect_err("the size is wrong");
    assert_eq!(fault.code().name(), "VALIDATION_INVALID_ENUM");
    let strict = ValidationModes::default().with(ValidationRule::Coercible, ValidationMode::Reject);
    assert!(check(&schema, sent, &strict).is_err());
}

#[test]
fn a_schema_that_no_arguments_fit_is_not_used() {
    let reason = |schema: &Value| {
        let checked = check(schema, "{}", &ValidationModes::default()).expect("it goes on");
        assert_eq!(
            codes(&checked.warnings),
            ["ARGUMENTS_UNCHECKED"],
            "{schema}"
        );
        let reason = checked.warnings[0].facts().get("reason").cloned();
        reason.expect("a reason").to_string()
    };
    for schema in [
        json!(false),
        json!({"type": "array"}),
        json!({"type": ["string", "null"]}),
    ] {
        assert!(reason(&schema).contains("takes no object"), "{schema}");
    }
    let large = json!({"properties": {"s": {"pattern": "(a{1,1000}){1,1000}"}}});
    assert!(reason(&large).contains("at most 1024 KiB once compiled"));
    let back = json!({"properties": {"s": {"pattern": "(?=a)"}}});
    assert!(reason(&back).contains("without lookaround"));
}

#[test]
fn what_is_wrong_with_all_arguments_has_a_name() {
    let schema = json!({"type": "object", "minProperties": 1});
    let modes = ValidationModes::default().with(ValidationRule::Size, ValidationMode::Warn);
    let checked = check(&schema, "{}", &modes).expect("it goes on");
    let params = checked.warnings[0].facts().get("params").cloned();
    assert_eq!(params, Some(json!(["arguments"])));
}

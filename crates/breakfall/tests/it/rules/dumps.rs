//! What validators print.

use breakfall::{Violation, codes};
use serde_json::json;

use super::{rule, text};

const PYDANTIC: &str = "Error executing tool add: 4 validation errors for addArguments
a
  Field required [type=missing, input_value={'x': 'hunter2'}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.11/v/missing
b.0.c
  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='hunter2]', input_type=str]
    For further information visit https://errors.pydantic.dev/2.11/v/int_parsing
mode
  Input should be 'fast' or 'slow' [type=literal_error, input_value='hunter2', input_type=str]
limit
  Input should be less than or equal to 100 [type=less_than_equal, input_value=900, input_type=int]";

#[test]
fn pydantic_becomes_violations_without_values_and_links() {
    let fault = text(PYDANTIC);
    let public = fault.public();
    assert_eq!(rule(&fault), "dump.pydantic");
    assert_eq!(fault.code(), codes::VALIDATION_INVALID_VALUE, "they differ");
    assert_eq!(
        public.violations(),
        [
            Violation::at("/a")
                .keyword("required")
                .message("Field required"),
            Violation::at("/b/0/c")
                .keyword("type")
                .message("Input should be a valid integer, unable to parse string as an integer")
                .expected("integer")
                .got("string"),
            Violation::at("/mode")
                .keyword("enum")
                .message("Input should be 'fast' or 'slow'")
                .expected(vec!["fast", "slow"])
                .got("string"),
            Violation::at("/limit")
                .keyword("maximum")
                .message("Input should be less than or equal to 100")
                .expected(100)
                .got("integer"),
        ]
    );
    let shown = format!("{public:?}");
    assert!(
        !shown.contains("hunter2") && !shown.contains("pydantic.dev"),
        "{shown}"
    );
    assert!(
        public
            .message()
            .starts_with("'a': Field required; 'b.0.c': Input should")
    );
    assert_eq!(public.details().text("operation"), Some("add"));
}

#[test]
fn the_first_version_of_pydantic_is_read_too() {
    let fault = text(
        "2 validation errors for Model\nlist -> 2 -> a/b\n  value is not a valid integer (type=type_error.integer)\n\
         size\n  ensure this value is greater than 42 (type=value_error.number.not_gt; limit_value=42)",
    );
    assert_eq!(
        fault.public().violations(),
        [
            Violation::at("/list/2/a~1b")
                .keyword("type")
                .message("value is not a valid integer")
                .expected("integer"),
            Violation::at("/size")
                .keyword("exclusiveMinimum")
                .message("ensure this value is greater than 42")
                .expected(42),
        ]
    );
}

#[test]
fn one_kind_of_complaint_decides_the_code() {
    let dump = |lines: &str| text(&format!("1 validation error for x\n{lines}")).code();
    assert_eq!(
        dump(
            "a\n  Extra inputs are not permitted [type=extra_forbidden, input_value=1, input_type=int]"
        ),
        codes::VALIDATION_UNKNOWN_PARAM
    );
    assert_eq!(
        dump(
            "a\n  String should match pattern '^a$' [type=string_pattern_mismatch, input_value='b', input_type=str]"
        ),
        codes::VALIDATION_PATTERN_MISMATCH
    );
    assert_eq!(
        dump(
            "  Value error, a and b exclude each other [type=value_error, input_value={}, input_type=dict]"
        ),
        codes::VALIDATION_INVALID_VALUE
    );
}

#[test]
fn issues_of_zod_become_violations_without_values() {
    let fault = text(
        r#"MCP error -32602: Input validation error: Invalid arguments for tool search: [
            {"code": "invalid_type", "expected": "string", "received": "undefined", "path": ["q"], "message": "Required"},
            {"code": "invalid_type", "expected": "number", "received": "string", "path": ["page", 0], "message": "Expected number, received string"},
            {"code": "invalid_enum_value", "options": ["a", "b"], "received": "hunter2", "path": ["mode"], "message": "Invalid enum value. Expected 'a' | 'b', received 'hunter2'"},
            {"code": "too_big", "maximum": 100, "type": "number", "inclusive": true, "path": ["limit"], "message": "Number must be less than or equal to 100"},
            {"code": "unrecognized_keys", "keys": ["colour"], "path": [], "message": "Unrecognized key(s) in object: 'colour'"},
            {"code": "invalid_string", "validation": "email", "path": ["mail"], "message": "Invalid email"}
        ]"#,
    );
    assert_eq!(rule(&fault), "dump.zod");
    assert_eq!(
        fault.public().violations(),
        [
            Violation::at("/q")
                .keyword("required")
                .message("Required")
                .expected("string"),
            Violation::at("/page/0")
                .keyword("type")
                .message("Expected number, received string")
                .expected("number")
                .got("string"),
            Violation::at("/mode")
                .keyword("enum")
                .message("Invalid enum value. Expected 'a' | 'b'")
                .expected(vec!["a", "b"]),
            Violation::at("/limit")
                .keyword("maximum")
                .message("Number must be less than or equal to 100")
                .expected(100),
            Violation::at("/colour")
                .keyword("additionalProperties")
                .message("Unrecognized key"),
            Violation::at("/mail")
                .keyword("format")
                .message("Invalid email")
                .expected("email"),
        ]
    );
    assert!(!format!("{fault:?}").contains("hunter2"));
    assert_eq!(fault.public().details().text("operation"), Some("search"));
}

#[test]
fn the_pretty_form_and_the_sentences_of_zod_say_the_same() {
    let pretty = "✖ Invalid input: expected string, received undefined\n  → at user.names[1]\n\
                  ✖ Too small: expected number to be >=1\n  → at limit\n\
                  ✖ Invalid option: expected one of \"a\"|\"b\"\n  → at mode";
    let line = "Input validation error: Invalid arguments for tool x: user.names.1: Invalid input: expected string, \
                received undefined, limit: Too small: expected number to be >=1, mode: Invalid option: expected one of \
                \"a\"|\"b\"";
    let (pretty, line) = (text(pretty), text(line));
    assert_eq!(pretty.public().violations(), line.public().violations());
    assert_eq!(
        pretty.public().violations(),
        [
            Violation::at("/user/names/1")
                .keyword("required")
                .message("Invalid input: expected string, received undefined")
                .expected("string"),
            Violation::at("/limit")
                .keyword("minimum")
                .message("Too small: expected number to be >=1")
                .expected(1),
            Violation::at("/mode")
                .keyword("enum")
                .message("Invalid option: expected one of \"a\"|\"b\"")
                .expected(vec!["a", "b"]),
        ]
    );
}

#[test]
fn a_sentence_that_names_its_parameter_is_a_violation() {
    for (said, pointers, code) in [
        (
            "Input validation error: 'q' is a required property",
            &["/q"][..],
            codes::VALIDATION_MISSING_PARAM,
        ),
        (
            "Additional properties are not allowed ('a.b', 'c' were unexpected)",
            &["/a.b", "/c"],
            codes::VALIDATION_UNKNOWN_PARAM,
        ),
        (
            "missing field `q` at line 1 column 2",
            &["/q"],
            codes::VALIDATION_MISSING_PARAM,
        ),
        (
            "unknown field `z`, expected one of `a`, `b`",
            &["/z"],
            codes::VALIDATION_UNKNOWN_PARAM,
        ),
    ] {
        let fault = text(said);
        let public = fault.public();
        let have: Vec<_> = public.violations().iter().map(Violation::pointer).collect();
        assert_eq!((have.as_slice(), fault.code()), (pointers, code), "{said}");
        assert!(
            said.ends_with(&*public.message()),
            "{said}: {}",
            public.message()
        );
    }
}

#[test]
fn a_dump_in_the_message_of_a_json_rpc_error_is_read_the_same_way() {
    let issue = r#"[{"code": "invalid_enum_value", "options": ["a"], "received": "hunter2", "path": ["mode"],
        "message": "Invalid enum value. Expected 'a', received 'hunter2'"}]"#;
    let layers = "MCP error -32602: Input validation error: Invalid arguments for tool x: ";
    for message in [
        PYDANTIC.to_owned(),
        issue.to_owned(),
        format!("{layers}{issue}"),
    ] {
        let reading = breakfall::read(
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": message}}),
        );
        let fault = reading.outcome.fault().expect("a fault");
        assert!(!fault.public().violations().is_empty(), "{message}");
        let shown = format!("{fault:?}");
        assert!(
            !shown.contains("hunter2") && !shown.contains("pydantic.dev"),
            "{shown}"
        );
    }
}

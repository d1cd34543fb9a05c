//! How failures are recognised and told: formats, languages, codes and rules of one's own.

use breakfall::locale::Language;
use breakfall::redact::Audience;
use breakfall::wire::{Dialect, Format};
use breakfall_gateway::classify::{HiddenFailures, JudgedRequest, Verdict, judge_result};

use super::{accepted, told};

#[test]
fn what_is_said_of_a_tool_counts_more_than_what_is_said_of_its_server() {
    let config = accepted(
        "dialect: mcp-error\nstrict: true\nlocale: de\nerror_text_limit: 8KiB\nhidden_failures: off\n\
         upstreams:\n  \
           one: { demo: true }\n  \
           two: { demo: true, dialect: tool-error, format: both, strict: false, hidden_failures: likely, redact: secrets, format_argument: true,\n    \
             tools: { 'get_*': { dialect: mcp-aql }, get_order: { strict: true, ask: [id, id, name] } } }\n",
    );
    let [one, two] = &config.upstreams[..] else {
        panic!("two");
    };
    let manner = |tool: &str| two.replies.options_for(&two.tools.policy(tool));
    let first = one.replies.options_for(&one.tools.policy("x"));
    assert_eq!(
        (first.dialect, first.strict, first.text_limit),
        (Dialect::McpError, true, 8 << 10)
    );
    assert_eq!(first.language, Some(Language::German));
    assert_eq!(one.replies.hidden_failures, HiddenFailures::Off);
    assert_eq!(first.audience, Audience::Client);
    assert!(!one.replies.format_argument);
    let other = manner("buy");
    assert_eq!(
        (other.dialect, other.format, other.strict),
        (Dialect::ToolError, Format::Both, false)
    );
    assert_eq!(two.replies.hidden_failures, HiddenFailures::Likely);
    assert_eq!(other.audience, Audience::Operator);
    assert!(two.replies.format_argument);
    assert_eq!(
        (manner("get_all").dialect, manner("get_all").strict),
        (Dialect::McpAql, false)
    );
    assert_eq!(
        (manner("get_order").dialect, manner("get_order").strict),
        (Dialect::McpAql, true)
    );
    assert_eq!(two.tools.policy("get_order").ask, ["id", "name"]);
    assert_eq!(config.replies, one.replies);
    assert_ne!(one.replies, two.replies);
}

#[test]
fn codes_and_rules_of_ones_own_are_used() {
    let config = accepted(
        "codes:\n  \
           STOCK_SOLD_OUT: { extends: BUSINESS_RULE_VIOLATION, message_template: 'Nothing left', remediation: Choose another article. }\n\
         classify:\n  \
           own.stock: { code: STOCK_SOLD_OUT, phrases: ['sku _ is sold out'], about: The warehouse is empty. }\n  \
           text.network: off\n\
         upstreams: { one: { demo: true } }\n",
    );
    let rules = &config.upstreams[0].replies.rules;
    let code = |words: &str| {
        let text =
            serde_json::json!({"isError": true, "content": [{"type": "text", "text": words}]});
        match judge_result(&text.to_string(), &JudgedRequest::call("buy", rules)) {
            Verdict::Failed(failure) => failure.fault.code().name(),
            Verdict::Success | Verdict::Asks | Verdict::Malformed | Verdict::LooksFailed(_) => {
                "none"
            }
        }
    };
    assert_eq!(code("Error: SKU 'A-1' is sold out"), "STOCK_SOLD_OUT");
    assert_eq!(code("connection refused"), "INTERNAL_UNKNOWN");
    let error = r#"{"code":-32603,"message":"sku 7 is sold out"}"#;
    let failure =
        breakfall_gateway::classify::judge_error(error, &JudgedRequest::call("buy", rules));
    assert_eq!(failure.fault.code().name(), "STOCK_SOLD_OUT");
    assert_eq!(
        failure.fault.public().remediation(),
        "Choose another article."
    );
}

#[test]
fn the_same_codes_and_rules_are_the_same() {
    let text = "codes: { STOCK_GONE: { extends: CONFLICT_INVALID_STATE } }\nclassify: { own.gone: { code: STOCK_GONE, phrases: [all gone] } }\nupstreams: { one: { demo: true } }";
    assert_eq!(accepted(text).upstreams, accepted(text).upstreams);
    let other = text.replace("all gone", "all sold");
    assert_ne!(accepted(text).upstreams, accepted(&other).upstreams);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_wrong_with_them_has_its_place() {
    let ends = "\nupstreams: { one: { demo: true } }";
    let cases = [
        ("format: html", "1:9 'html' is none of the formats"),
        ("locale: fr", "1:9 'fr' is none of the languages"),
        ("strict: 1", "1:9 expected true or false, got a number"),
        ("error_text_limit: 1B", "1:19 this limit is out of bounds"),
        (
            "codes: { stock: { extends: NOT_FOUND_RESOURCE } }",
            "1:10 'stock' is not upper-case words joined by underscores",
        ),
        (
            "codes: { STOCK_GONE: { extends: NOT_FOUND_RESORCE } }",
            "1:33 ",
        ),
        (
            "codes: { STOCK_GONE: { extends: NOT_FOUND_RESOURCE, htp: 404 } }",
            "1:58 unknown key 'htp'",
        ),
        (
            "codes: { STOCK_GONE: { extends: NOT_FOUND_RESOURCE, http: 200 } }",
            "1:59 200 is no HTTP status of a failure",
        ),
        (
            "codes: { NOT_FOUND_RESOURCE: { extends: INTERNAL_ERROR } }",
            "1:10 'NOT_FOUND_RESOURCE' is built in",
        ),
        (
            "codes: { STOCK_GONE: { extends: NOT_FOUND_RESOURCE, condition: x } }",
            "1:64 'condition' belongs to an adapter",
        ),
        (
            "codes: { STOCK_GONE: 7 }",
            "1:22 expected a map of keys and values, got a number",
        ),
        (
            "classify: { own.a: { code: NO_SUCH_CODE, phrases: [x y] } }",
            "1:28 there is no code 'NO_SUCH_CODE'",
        ),
        (
            "classify: { own.a: { code: RATE_LIMIT_EXCEDED, phrases: [x y] } }",
            "1:28 there is no code 'RATE_LIMIT_EXCEDED'; did you mean 'RATE_LIMIT_EXCEEDED'?",
        ),
        (
            "codes: { A_ONE: { extends: NOT_FOUND_RESORCE } }\nclassify: { own.a: { code: A_ONE, phrases: [x y] }, own.b: { code: A_ONE, phrases: [z] } }",
            "1:28 ",
        ),
        (
            "codes: { A_ONE: 7 }\nclassify: { own.a: { code: A_ONE, phrases: [x y] } }",
            "1:17 expected a map",
        ),
        (
            "codes: { A_ONE: { extends: NOT_FOUND_RESORCE }, A_TWO: { extends: A_ONE }, A_THREE: { extends: A_TWO } }",
            "1:28 ",
        ),
        (
            "classify: { own.a: { phrases: [x y] } }",
            "1:13 a rule needs 'code'",
        ),
        (
            "classify: { own.a: { code: RATE_LIMIT_EXCEEDED } }",
            "1:13 a rule needs 'phrases'",
        ),
        (
            "classify: { own.a: { code: RATE_LIMIT_EXCEEDED, phrases: [] } }",
            "1:58 rule 'own.a' has no phrase, so it recognises nothing",
        ),
        (
            "classify: { own.a: { code: RATE_LIMIT_EXCEEDED, phrases: [fine words, ''] } }",
            "1:71 this phrase ",
        ),
        (
            "classify: { Own: { code: RATE_LIMIT_EXCEEDED, phrases: [x y] } }",
            "1:13 rule id 'Own' is not lower case words",
        ),
        (
            "classify: { text.netwrk: off }",
            "1:13 there is no rule of this name to switch off; did you mean 'text.network'?",
        ),
        (
            "classify: { default.unclassified: off }",
            "1:13 rule 'default.unclassified' takes what no other does",
        ),
        (
            "classify: { text.network: 7 }",
            "1:27 expected a map, on or off, got a number",
        ),
    ];
    for (line, what) in cases {
        let problems = told(&format!("{line}{ends}"));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with(what), "{line}: {problems:?}");
    }
    let both = "codes: { A_ONE: { extends: NOT_FOUND_RESORCE } }\nclassify: { own.a: { code: A_ONE, phrases: [''] } }";
    let problems = told(&format!("{both}{ends}"));
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[1].starts_with("2:45 this phrase "), "{problems:?}");
    let ask = "upstreams: { one: { demo: true, tools: { x: { ask: ['', 7] } } } }";
    assert_eq!(
        told(ask),
        [
            "1:53 the name of a parameter is empty",
            "1:57 expected a text (in quotes), got a number"
        ]
    );
}

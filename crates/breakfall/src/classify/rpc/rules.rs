//! What the numbers mean, and the rules that tell apart what shares a number. Each has examples, which are its tests.

use serde_json::Value;

use super::{AddToFault, RpcErrorParts};
use crate::catalog::codes;
use crate::code::{Category, Code, Hint};
use crate::fault::{Confidence, Fault};
use crate::phrase::Phrase;

/// A number that some version of the protocol defines.
pub(super) struct NumberMeaning {
    number: i64,
    pub(super) code: Code,
    /// Whether it says hardly more than that there is an error.
    pub(super) vague: bool,
    /// The categories words may lead to.
    pub(super) may: &'static [Category],
}

pub(super) fn meaning(number: i64) -> Option<&'static NumberMeaning> {
    MEANINGS.iter().find(|meaning| meaning.number == number)
}

const fn means(number: i64, code: Code) -> NumberMeaning {
    NumberMeaning {
        number,
        code,
        vague: false,
        may: &[],
    }
}

const MEANINGS: &[NumberMeaning] = &[
    means(-32700, codes::VALIDATION_INVALID_VALUE),
    NumberMeaning {
        vague: true,
        ..means(-32600, codes::VALIDATION_INVALID_VALUE)
    },
    means(-32601, codes::NOT_FOUND_OPERATION),
    NumberMeaning {
        vague: true,
        may: &[Category::Validation, Category::NotFound],
        ..means(-32602, codes::VALIDATION_INVALID_VALUE)
    },
    NumberMeaning {
        vague: true,
        // What a broken server says about the input is seldom about the input, unless it says exactly what is wrong. What it says of the world behind it is so:
        // frameworks send whatever a tool throws under this number.
        may: &[
            Category::Unavailable,
            Category::RateLimit,
            Category::Conflict,
            Category::Authentication,
            Category::Authorization,
            Category::NotFound,
            Category::Business,
            Category::Confirmation,
        ],
        ..means(-32603, codes::INTERNAL_ERROR)
    },
    means(-32002, codes::NOT_FOUND_RESOURCE),
    means(-32020, codes::VALIDATION_INVALID_VALUE),
    means(-32021, codes::PERMISSION_FEATURE_DISABLED),
    means(-32022, codes::VALIDATION_INVALID_VALUE),
    means(-32042, codes::AUTHENTICATION_REQUIRED),
    means(-32800, codes::INTERNAL_UNKNOWN),
];

/// A rule that looks further than the number.
pub(super) struct RpcRule {
    /// What follows the number in the name of the rule.
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// The numbers it applies to; none for those without a meaning.
    pub(super) numbers: &'static [i64],
    when: fn(&RpcErrorParts<'_>) -> bool,
    pub(super) code: Code,
    pub(super) confidence: Confidence,
    pub(super) add: Option<AddToFault>,
    /// A method, or nothing, and an error.
    pub(super) examples: &'static [(&'static str, &'static str)],
}

pub(super) fn find(error: &RpcErrorParts<'_>) -> Option<&'static RpcRule> {
    let number = error.number;
    let about = |rule: &RpcRule| {
        rule.numbers.contains(&number) || (rule.numbers.is_empty() && is_overloaded(number))
    };
    RULES.iter().find(|rule| about(rule) && (rule.when)(error))
}

/// Numbers under which everything is sent: invalid parameters, zero, and the range without a fixed meaning.
fn is_overloaded(number: i64) -> bool {
    matches!(number, -32602 | 0 | -32019..=-32000) && number != -32002
}

/// The particular before the general.
#[rustfmt::skip]
pub(super) const RULES: &[RpcRule] = &[
    RpcRule {
        name: "unknown-tool",
        about: "An unknown tool, in the words of the error: \"Unknown tool: x\", \"Tool x not found\".",
        numbers: &[],
        when: |error| error.is_for("tools/call") && lacks(&error.words, "tool"),
        code: codes::NOT_FOUND_OPERATION,
        confidence: Confidence::Structural,
        add: Some(operation),
        examples: &[
            ("tools/call", r#"{"code":-32602,"message":"Unknown tool: serach"}"#),
            ("tools/call", r#"{"code":-32602,"message":"MCP error -32602: Tool serach not found"}"#),
            ("", r#"{"code":-32602,"message":"tool not found"}"#),
            ("tools/call", r#"{"code":-32001,"message":"Tool 'serach' does not exist"}"#),
            ("tools/call", r#"{"code":0,"message":"No such tool: serach"}"#),
        ],
    },
    RpcRule {
        name: "unknown-prompt",
        about: "An unknown prompt, in the words of the error.",
        numbers: &[],
        when: |error| error.is_for("prompts/get") && lacks(&error.words, "prompt"),
        code: codes::NOT_FOUND_RESOURCE,
        confidence: Confidence::Structural,
        add: Some(|fault, error| resource(fault, error, "prompt")),
        examples: &[
            ("prompts/get", r#"{"code":0,"message":"Unknown prompt: greet"}"#),
            ("prompts/get", r#"{"code":-32602,"message":"Prompt greet not found"}"#),
        ],
    },
    RpcRule {
        name: "unknown-resource",
        about: "A resource that is not there: the words say so, or the data names the address that was asked for.",
        numbers: &[],
        when: |error| {
            let named = error.data.get("uri").is_some_and(Value::is_string);
            let asked = error.call.method == Some("resources/read");
            error.is_for("resources/read")
                && (lacks(&error.words, "resource")
                    || (named && (asked || error.words.contains("not found"))))
        },
        code: codes::NOT_FOUND_RESOURCE,
        confidence: Confidence::Structural,
        add: Some(|fault, error| resource(fault, error, "resource")),
        examples: &[
            ("resources/read", r#"{"code":-32602,"message":"gone","data":{"uri":"file:///x"}}"#),
            ("", r#"{"code":-32602,"message":"Resource not found","data":{"uri":"file:///x"}}"#),
            ("resources/read", r#"{"code":0,"message":"Unknown resource: file:///x"}"#),
            ("resources/read", r#"{"code":-32602,"message":"Resource file:///x not found"}"#),
        ],
    },
    RpcRule {
        name: "unknown-task",
        about: "An unknown task, in the words of the error.",
        numbers: &[],
        when: |error| lacks(&error.words, "task"),
        code: codes::NOT_FOUND_RESOURCE,
        confidence: Confidence::Structural,
        add: Some(|fault, error| resource(fault, error, "task")),
        examples: &[(
            "tasks/get",
            r#"{"code":-32602,"message":"Task not found: 7"}"#,
        )],
    },
    RpcRule {
        // The versions before 2026 had no number of their own for it.
        name: "protocol-version",
        about: "A version of the protocol the other side does not speak; the data lists those it does.",
        numbers: &[-32602],
        when: |error| {
            let supported = error.data.get("supported").is_some_and(Value::is_array);
            supported && error.data.get("requested").is_some()
        },
        code: codes::VALIDATION_INVALID_VALUE,
        confidence: Confidence::Structural,
        add: Some(version),
        examples: &[(
            "initialize",
            r#"{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2025-11-25"],"requested":"1.0.0"}}"#,
        )],
    },
    RpcRule {
        name: "protocol-version",
        about: "A version of the protocol the other side does not speak; the data lists those it does.",
        numbers: &[-32022],
        when: |_| true,
        code: codes::VALIDATION_INVALID_VALUE,
        confidence: Confidence::Structural,
        add: Some(version),
        examples: &[(
            "tools/call",
            r#"{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1999-01-01"}}"#,
        )],
    },
    RpcRule {
        // The number is older than the protocol: language servers use it for a call that came too early.
        name: "not-initialized",
        about: "A call that came before the conversation was opened. The number is older than the protocol.",
        numbers: &[-32002],
        when: |error| error.words.contains("not initialized"),
        code: codes::CONFLICT_INVALID_STATE,
        confidence: Confidence::Textual,
        add: None,
        examples: &[(
            "tools/list",
            r#"{"code":-32002,"message":"Server not initialized"}"#,
        )],
    },
    RpcRule {
        name: "resource",
        about: "A resource that is not there.",
        numbers: &[-32002],
        when: |_| true,
        code: codes::NOT_FOUND_RESOURCE,
        confidence: Confidence::Structural,
        add: Some(|fault, error| resource(fault, error, "resource")),
        examples: &[(
            "resources/read",
            r#"{"code":-32002,"message":"Resource not found","data":{"uri":"file:///x"}}"#,
        )],
    },
    RpcRule {
        name: "url-elicitation",
        about: "A person has to open an address first, which the data holds.",
        numbers: &[-32042],
        when: |_| true,
        code: codes::AUTHENTICATION_REQUIRED,
        confidence: Confidence::Structural,
        add: Some(open_url),
        examples: &[(
            "tools/call",
            r#"{"code":-32042,"message":"This request requires more information.","data":{"elicitations":[{"mode":"url","elicitationId":"7","url":"https://example.test/connect","message":"Connect"}]}}"#,
        )],
    },
    RpcRule {
        name: "cancelled",
        about: "The call was cancelled.",
        numbers: &[-32800],
        when: |_| true,
        code: codes::INTERNAL_UNKNOWN,
        confidence: Confidence::Structural,
        add: Some(cancelled),
        examples: &[("tools/call", r#"{"code":-32800,"message":""}"#)],
    },
];

impl RpcErrorParts<'_> {
    /// Whether the call may have been of a method: it was, or the method is unknown.
    fn is_for(&self, method: &str) -> bool {
        self.call.method.is_none_or(|have| have == method)
    }
}

/// Whether words say that a thing of a kind is not there: "unknown tool", "tool x not found", "no such tool".
fn lacks(words: &str, noun: &str) -> bool {
    let mut tokens = words
        .split_whitespace()
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|token| !token.is_empty());
    let (mut before, mut last) = ("", "");
    while let Some(token) = tokens.next() {
        if token == noun {
            let unknown =
                matches!(last, "unknown" | "nonexistent") || (before, last) == ("no", "such");
            // At most the name stands between the thing and what is said about it.
            let after: Vec<&str> = tokens.clone().take(4).collect();
            let said = |at: usize| {
                let from = after.get(at..).unwrap_or_default();
                matches!(from, ["not", "found" | "registered", ..])
                    || matches!(
                        from,
                        ["does", "not", "exist", ..] | ["is", "not", "registered", ..]
                    )
                    || matches!(from, ["doesn't", "exist", ..] | ["is", "unknown", ..])
            };
            if unknown || said(0) || said(1) {
                return true;
            }
        }
        (before, last) = (last, token);
    }
    false
}

fn operation(fault: Fault, error: &RpcErrorParts<'_>) -> Fault {
    match error.call.name {
        Some(name) => fault.in_operation(name),
        None => fault,
    }
}

fn resource(fault: Fault, error: &RpcErrorParts<'_>, kind: &str) -> Fault {
    let uri = error.data.get("uri").and_then(Value::as_str);
    let fault = fault.detail("resource_type", kind);
    match uri.or(error.call.name) {
        Some(id) => fault.detail("resource_id", id),
        None => fault,
    }
}

fn version(fault: Fault, error: &RpcErrorParts<'_>) -> Fault {
    let fault = fault.field("protocolVersion");
    match error.data.get("supported") {
        Some(supported) => fault.detail("allowed_values", supported.clone()),
        None => fault,
    }
}

fn open_url(fault: Fault, _: &RpcErrorParts<'_>) -> Fault {
    fault
        .advise(Phrase::CALL_OPEN_ADDRESS)
        .hint(Hint::ReportToUser)
}

fn cancelled(fault: Fault, error: &RpcErrorParts<'_>) -> Fault {
    if error.message.trim().is_empty() {
        fault.say(Phrase::CALL_CANCELLED)
    } else {
        fault
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, read};
    use super::*;
    use crate::wire::Options;

    #[test]
    fn every_rule_decides_its_examples() {
        for rule in RULES {
            assert!(!rule.examples.is_empty(), "{} has an example", rule.name);
            for (method, error) in rule.examples {
                let error: Value = serde_json::from_str(error).expect("an example is JSON");
                let call = if method.is_empty() {
                    Call::new()
                } else {
                    Call::new().method(method)
                };
                let read = read(&error, &call, &Options::new());
                let public = read.fault.public();
                let from = public.provenance().expect("a rule");
                let want = format!("rpc.{}.{}", error["code"], rule.name);
                assert_eq!(
                    (from.rule.as_ref(), public.code()),
                    (want.as_str(), rule.code),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn a_thing_is_only_missing_where_words_say_so_of_it() {
        for words in [
            "tool argument id was not found",
            "the tool failed: file not found",
            "stool not found",
            "tool",
            "",
        ] {
            assert!(!lacks(words, "tool"), "{words}");
        }
    }
}

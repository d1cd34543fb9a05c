//! What a file says in vain, and where it contradicts itself.

use super::{accepted, told, upstream};

fn notes(text: &str) -> Vec<String> {
    let config = accepted(text);
    config.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn what_has_no_effect_beside_another_key_is_told() {
    for (lines, want) in [
        (
            "wire_only: true\n    validate: reject\n    retry: off\n    breaker: off\n    tools: { x: { ask: [id] } }",
            "note: upstream 'one': 'wire_only' passes calls and answers on as they are, so 'validate', 'retry', 'breaker' and 'ask' of tools have no effect",
        ),
        (
            "format_argument: true",
            "note: upstream 'one': 'format_argument' has no effect, since none of its tools fails in tool-error",
        ),
        (
            "strict: true",
            "note: upstream 'one': 'strict' has no effect on the dialect native, which has no document but ours",
        ),
        (
            "tools: { x: { ask: [] } }",
            "note: upstream 'one', tools 'x': 'ask' is empty, which takes back nothing a pattern that spells out less asks for",
        ),
        (
            "tools: { x: { ask: [id, password] } }",
            "note: upstream 'one', tools 'x': 'ask' names 'password', but users are never asked for secrets",
        ),
        (
            "tools: { 'a*': { idempotent: true }, '*a': { idempotent: false } }",
            "warning: upstream 'one': tools 'a*' and '*a' contradict each other about 'idempotent', and neither spells out more: for a tool both fit, the later one, false, holds",
        ),
    ] {
        assert_eq!(notes(&upstream(lines)), [want], "{lines}");
    }
    assert_eq!(
        notes(&format!("strict: true\n{}", upstream("timeout: 3s"))),
        ["note: 'strict' has no effect on the dialect native, which has no document but ours"]
    );
}

#[test]
fn what_has_an_effect_is_not_told() {
    for lines in [
        "wire_only: true\n    timeout: 3s",
        "wire_only: true\n    concurrency: { limit: 3 }\n    dialect: mcp-error",
        "wire_only: false\n    retry: off",
        "dialect: tool-error\n    format_argument: true\n    strict: true",
        "format_argument: true\n    tools: { x: { dialect: tool-error } }",
        "tools: { x: { ask: [order_id] } }",
        "tools: { 'get_*': { idempotent: true }, 'put_*': { idempotent: false } }",
        "tools: { 'a*': { idempotent: true }, 'ab*': { idempotent: false } }",
    ] {
        assert_eq!(notes(&upstream(lines)), [""; 0], "{lines}");
    }
}

#[test]
fn a_phrase_written_as_a_regular_expression_is_told() {
    let rule = |phrase: &str| {
        format!(
            "classify: {{ own.x: {{ code: NOT_FOUND_RESOURCE, phrases: ['{phrase}'] }} }}\n{}",
            upstream("timeout: 3s")
        )
    };
    for phrase in ["a.*b$", "^no such", "item [0-9] is gone"] {
        let told = notes(&rule(phrase));
        assert_eq!(
            told,
            [format!(
                "note: rule 'own.x': the phrase '{phrase}' is read as words, not as a regular expression"
            )]
        );
    }
    assert_eq!(notes(&rule("sku _ is gone|lost")), [""; 0]);
}

#[test]
fn a_code_that_contradicts_itself_is_refused() {
    for (row, want) in [
        (
            "{ extends: NOT_FOUND_RESOURCE, message_template: \"No order {foo\" }",
            "1:55 the placeholder {foo is not closed",
        ),
        (
            "{ extends: NOT_FOUND_RESOURCE, actions: [wait_and_retyr] }",
            "1:45 'wait_and_retyr' is none of the recovery actions; did you mean 'wait_and_retry'?",
        ),
        (
            "{ category: internal, message_template: \"The press is jammed\", retry: backoff }",
            "1:10 the text is that of 'INTERNAL_ERROR', whose retry class 'once' contradicts 'backoff'",
        ),
    ] {
        let text = format!("codes: {{ A_ONE: {row} }}\n{}", upstream("timeout: 3s"));
        let told = told(&text);
        let said = |told: &String| told.split_once(' ').map(|(_, said)| said.to_owned());
        let said: Vec<_> = told.iter().filter_map(said).collect();
        let (_, want) = want.split_once(' ').expect("a place and words");
        assert_eq!(said, [want], "{row}: {told:?}");
    }
}

#[test]
fn a_credential_among_arguments_is_not_shown() {
    let config = accepted(
        "upstreams:\n  one: { command: [srv, --password, hunter2horse, --token, ghp_abcdefghijklmnopqrstuvwxyz0123456789, --port, '80'] }\n",
    );
    let shown = config.upstreams[0].source.to_string();
    assert_eq!(
        shown,
        "srv --password [redacted:password] --token [redacted:api-key] --port 80"
    );
}

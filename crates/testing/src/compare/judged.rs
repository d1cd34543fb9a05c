//! What a gateway that judges may change of a message: a failure is told in its words, nothing else is.

use serde_json::Value;

/// Whether a success is the same to the byte, and a failure is still one that can be acted on. Something to say beside a
/// success stands in a field of its own.
pub(super) fn is_as_it_should_be(direct: &str, through: &str) -> bool {
    if direct == through {
        return !is_failure(&parsed(direct));
    }
    let (direct, mut through) = (parsed(direct), parsed(through));
    if is_failure(&direct) {
        let is_told = error(&through).is_some_and(is_actionable) || is_told_in_words(&through);
        return is_failure(&through) && is_told;
    }
    if unmark(&mut through) {
        return direct == through;
    }
    let Some(meta) = through
        .pointer_mut("/result/_meta")
        .and_then(Value::as_object_mut)
    else {
        return false;
    };
    let is_warned = meta.remove("dev.breakfall/success").is_some();
    if meta.is_empty() && direct.pointer("/result/_meta").is_none() {
        through["result"]
            .as_object_mut()
            .map(|result| result.remove("_meta"));
    }
    is_warned && direct == through
}

/// Takes the danger of tools out of a list. Whether there was any.
fn unmark(through: &mut Value) -> bool {
    let tools = through
        .pointer_mut("/result/tools")
        .and_then(Value::as_array_mut);
    let mut is_any = false;
    for tool in tools.into_iter().flatten() {
        let Some(meta) = tool.get_mut("_meta").and_then(Value::as_object_mut) else {
            continue;
        };
        is_any |= meta.remove("dev.breakfall/danger").is_some();
        if meta.is_empty() {
            tool.as_object_mut().map(|tool| tool.remove("_meta"));
        }
    }
    is_any
}

fn parsed(message: &str) -> Value {
    serde_json::from_str(message).unwrap_or_default()
}

fn is_failure(message: &Value) -> bool {
    message.get("error").is_some() || message["result"]["isError"] == true
}

/// The error as we tell it, wherever it stands.
fn error(message: &Value) -> Option<&Value> {
    [
        "/error/data",
        "/error/data/dev.breakfall~1error",
        "/result/_meta/dev.breakfall~1error",
    ]
    .iter()
    .filter_map(|place| message.pointer(place))
    .find(|error| error.get("correlation_id").is_some())
}

/// What happened, whether to try again, what to change, and whom to ask about what.
fn is_actionable(error: &Value) -> bool {
    let texts = [
        "code",
        "category",
        "message",
        "remediation",
        "correlation_id",
    ];
    texts.iter().all(|key| error[key].is_string()) && error["retry"]["retryable"].is_boolean()
}

/// Data of the server that cannot hold another field leaves only the text.
fn is_told_in_words(message: &Value) -> bool {
    let words = message["error"]["message"].as_str().unwrap_or_default();
    // A client may have put something of its own before them.
    words.contains('[')
        && ["\nFix: ", "\nRetry: ", "\nReference: "]
            .iter()
            .all(|line| words.contains(line))
}

#[cfg(test)]
mod tests {
    use super::is_as_it_should_be;

    const ACTIONABLE: &str = r#"{"code":"A","category":"b","message":"c","remediation":"d","correlation_id":"e","retry":{"retryable":true}}"#;

    #[test]
    fn a_success_is_the_same_to_the_byte() {
        let success = r#"{"id":1,"result":{"a":1.0}}"#;
        assert!(is_as_it_should_be(success, success));
        assert!(!is_as_it_should_be(
            success,
            r#"{"id":1,"result":{"a":2.0}}"#
        ));
        let failed = format!(r#"{{"error":{{"data":{ACTIONABLE}}}}}"#);
        assert!(!is_as_it_should_be(success, &failed));
        let warned = |a: f64| {
            format!(r#"{{"id":1,"result":{{"a":{a},"_meta":{{"dev.breakfall/success":{{}}}}}}}}"#)
        };
        assert!(is_as_it_should_be(
            r#"{"id":1,"result":{"a":1.5}}"#,
            &warned(1.5)
        ));
        assert!(!is_as_it_should_be(
            r#"{"id":1,"result":{"a":1.5}}"#,
            &warned(2.5)
        ));
    }

    #[test]
    fn a_failure_is_told_so_that_something_can_be_done() {
        for failure in [r#"{"error":{"code":1}}"#, r#"{"result":{"isError":true}}"#] {
            let told = format!(r#"{{"error":{{"data":{ACTIONABLE}}}}}"#);
            assert!(is_as_it_should_be(failure, &told));
            let without = told.replace("remediation", "x");
            assert!(!is_as_it_should_be(failure, &without));
            assert!(!is_as_it_should_be(failure, failure));
            let words =
                r#"{"error":{"data":"x","message":"[A] b\nFix: c\nRetry: no\nReference: e"}}"#;
            assert!(is_as_it_should_be(failure, words));
            assert!(!is_as_it_should_be(failure, &words.replace("Fix", "x")));
            assert!(!is_as_it_should_be(failure, r#"{"result":{}}"#));
        }
    }
}

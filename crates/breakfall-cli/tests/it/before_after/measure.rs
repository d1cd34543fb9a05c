//! What there is in an answer to a call that failed.

use std::path::Path;

use breakfall::redact::{KnownValues, Redactor};
use serde_json::{Map, Value};
use testing::faulty::FAKE_SECRET;

/// What a program can read of the answer without guessing at prose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the columns of a table")]
pub(super) struct Told {
    pub(super) code: bool,
    pub(super) category: bool,
    pub(super) retry: bool,
    pub(super) fix: bool,
    pub(super) id: bool,
    /// It contains private text.
    pub(super) leaks: bool,
    /// There is an answer.
    pub(super) is_answered: bool,
    /// The answer calls itself a success.
    pub(super) is_success: bool,
}

impl Told {
    /// What is not as it should be.
    pub(super) fn complaints(self) -> Vec<String> {
        let all = [
            (self.is_answered, "there is no answer"),
            (self.code, "there is no code"),
            (self.category, "there is no category"),
            (self.retry, "it does not say whether to repeat it"),
            (self.fix, "it does not say what to do"),
            (self.id, "there is no id"),
            (!self.leaks, "something leaks"),
            (!self.is_success, "it calls itself a success"),
        ];
        let wrong = all.into_iter().filter(|(is_right, _)| !is_right);
        wrong.map(|(_, complaint)| complaint.to_owned()).collect()
    }
}

/// Names that servers and frameworks have for these, so that they are found in any server.
const CODE: &[&str] = &["code", "error_code", "errorCode"];
const CATEGORY: &[&str] = &["category", "error_category", "errorCategory", "kind"];
const RETRY: &[&str] = &[
    "retry",
    "retryable",
    "isRetryable",
    "is_retryable",
    "retryAfterMs",
    "retry_after",
    "retryAfter",
];
const FIX: &[&str] = &[
    "remediation",
    "fix",
    "hint",
    "suggestion",
    "recovery",
    "recovery_hint",
];
const ID: &[&str] = &[
    "correlation_id",
    "correlationId",
    "request_id",
    "requestId",
    "trace_id",
    "traceId",
];

/// Looks at an answer, told to a caller who knows what the redactor leaves alone.
pub(super) fn told(answer: Option<&Value>, known: &Redactor) -> Told {
    // An answer has to be a success or a failure.
    let says = |answer: &&Value| answer.get("result").or(answer.get("error")).is_some();
    let Some(answer) = answer.filter(says) else {
        return Told::default();
    };
    let objects = objects(answer);
    let has = |names: &[&str]| {
        let is =
            |object: &&Map<String, Value>| names.iter().any(|name| is_something(object.get(*name)));
        objects.iter().any(|object| is(&object))
    };
    Told {
        code: answer["error"]["code"].is_number() || has(CODE),
        category: has(CATEGORY),
        retry: has(RETRY),
        fix: has(FIX),
        id: has(ID),
        leaks: leaks(answer, known),
        is_answered: true,
        is_success: answer.get("error").is_none() && answer["result"]["isError"] != true,
    }
}

fn is_something(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null)) && value != Some(&Value::from(""))
}

/// Every place a program would look at, and what is directly below.
fn objects(answer: &Value) -> Vec<Map<String, Value>> {
    let result = &answer["result"];
    let mut places = vec![
        answer["error"]["data"].clone(),
        result["structuredContent"].clone(),
        result["_meta"].clone(),
    ];
    places.extend(texts(answer).filter_map(|text| serde_json::from_str(text).ok()));
    let below = |place: &Value| {
        place
            .as_object()
            .into_iter()
            .flat_map(|object| object.values().cloned())
            .collect()
    };
    let inner: Vec<Value> = places
        .iter()
        .flat_map(|place| -> Vec<Value> { below(place) })
        .collect();
    let all = places.into_iter().chain(inner);
    all.filter_map(|place| match place {
        Value::Object(object) => Some(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    })
    .collect()
}

/// The blocks of text.
pub(super) fn texts(answer: &Value) -> impl Iterator<Item = &str> {
    let blocks = answer["result"]["content"].as_array();
    blocks
        .into_iter()
        .flatten()
        .filter_map(|block| block["text"].as_str())
}

/// Leaves alone what the caller of a server under `run` knows: its arguments, and the directories in the command line that it
/// starts the server with. Told to this caller, they are no leak; under `serve` such a directory is hidden.
pub(super) fn redactor(arguments: &Value, command: &[String]) -> Redactor {
    let directories = command.iter().filter(|word| Path::new(word).is_dir());
    let known = directories.fold(KnownValues::new().loopback(), |known, directory| {
        known.directory(directory)
    });
    Redactor::client().sparing(arguments).knowing(&known)
}

/// Paths, traces, credentials and addresses that the caller does not know: whatever our own redactor would take out, and what we
/// have planted.
fn leaks(answer: &Value, redactor: &Redactor) -> bool {
    let text = answer.to_string();
    let planted = [FAKE_SECRET, "db.internal", "/srv/app/private", "Traceback"];
    redactor.json(&text) != text || planted.iter().any(|planted| text.contains(planted))
}

/// Whether the text alone says it too, for clients that drop everything else. An error of the protocol has no text.
pub(super) fn is_said(answer: &Value) -> Result<(), String> {
    let Some(object) = answer["result"]["_meta"].get("dev.breakfall/error") else {
        return Ok(());
    };
    let text = texts(answer).next().unwrap_or_default();
    let word = |name: &str| object[name].as_str().unwrap_or("?").to_owned();
    for part in [
        format!("[{}]", word("code")),
        "\nFix: ".to_owned(),
        "\nRetry: ".to_owned(),
        word("correlation_id"),
    ] {
        if !text.contains(&part) {
            return Err(format!("the text does not say {part:?}"));
        }
    }
    Ok(())
}

/// What is lost of an answer on the way, but for what must not be seen.
pub(super) fn differences(direct: &Value, through: &Value, redactor: &Redactor) -> Vec<String> {
    let direct: Value =
        serde_json::from_str(&redactor.json(&direct.to_string())).expect("JSON stays JSON");
    let mut lost = Vec::new();
    match (direct.get("error"), direct.get("result")) {
        (Some(theirs), _) if through.get("error").is_some() => {
            let ours = &through["error"];
            let words = theirs["message"].as_str().unwrap_or_default();
            // Who wraps an error says its number again.
            let words = words.rsplit("MCP error ").next().unwrap_or_default();
            let words = words.split_once(": ").map_or(words, |(_, words)| words);
            if !ours["message"]
                .as_str()
                .is_some_and(|ours| ours.contains(words))
            {
                lost.push(format!("the message is lost: {words}"));
            }
            for member in ["code", "data"] {
                lost.extend(missing(member, &theirs[member], &ours[member]));
            }
        }
        (_, Some(Value::Object(theirs))) if through.get("result").is_some() => {
            let ours = &through["result"];
            for (member, value) in theirs.iter().filter(|(member, _)| *member != "isError") {
                let elsewhere = &ours["_meta"]["dev.breakfall/structured_content"];
                match (member.as_str(), ours.get(member)) {
                    ("content", _) => lost.extend(dropped(value, &ours["content"])),
                    // Where it breaks the schema of the tool, many clients would throw all of it away.
                    ("structuredContent", None) => lost.extend(missing(member, value, elsewhere)),
                    (_, ours) => lost.extend(missing(member, value, ours.unwrap_or(&Value::Null))),
                }
            }
        }
        _ => lost.push("it came in another place".to_owned()),
    }
    lost
}

/// Additional members are not a loss.
fn missing(name: &str, theirs: &Value, ours: &Value) -> Option<String> {
    let is_there = match (theirs, ours) {
        (Value::Null, _) => true,
        (Value::Object(theirs), Value::Object(ours)) => theirs
            .iter()
            .all(|(key, value)| ours.get(key) == Some(value)),
        _ => theirs == ours,
    };
    (!is_there).then(|| format!("{name} is lost: {theirs}"))
}

/// Blocks that are not there any more, in their order.
fn dropped(theirs: &Value, ours: &Value) -> Option<String> {
    let (theirs, ours) = (
        theirs.as_array()?,
        ours.as_array().cloned().unwrap_or_default(),
    );
    let mut left = ours.iter();
    let lost = theirs.iter().find(|block| !left.any(|ours| ours == *block));
    lost.map(|block| format!("content is lost: {block}"))
}

//! One verdict on an answer, and what the caller is told of it.

mod dialects;
mod unchanged_content;
mod leaks;
mod prefilter;
mod questions;
mod shapes;
mod verdicts;
mod warnings;

use breakfall::Stamp;
use breakfall_gateway::classify::{
    ClassifiedFailure, HiddenFailures, JudgedRequest, Rules, Verdict, judge,
};
use breakfall_gateway::reply::{ReplyBody, ReplyOptions, failed, stamped};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
use serde_json::Value;

/// The answer of a server with this result.
fn result(body: &str) -> Frame {
    answer("result", body)
}

/// The answer of a server with this error.
fn error(body: &str) -> Frame {
    answer("error", body)
}

fn answer(kind: &str, body: &str) -> Frame {
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"{kind}":{body}}}"#);
    Frame::parse(text.into_bytes(), &FrameLimits::RESPONSE).expect("a message")
}

/// A failed result with one text.
fn text(words: &str) -> Frame {
    let words = Value::from(words);
    result(&format!(
        r#"{{"content":[{{"type":"text","text":{words}}}],"isError":true}}"#
    ))
}

/// The failure behind an answer to a call.
fn failure(answer: &Frame) -> ClassifiedFailure {
    let rules = Rules::new();
    let about = JudgedRequest::call("buy", &rules).hidden_failures(HiddenFailures::Likely);
    match judge(answer, &about) {
        Verdict::Failed(mut failure) => {
            failure.fault = stamped(failure.fault, &Stamp::System);
            failure
        }
        other @ (Verdict::Success
        | Verdict::Asks
        | Verdict::Malformed
        | Verdict::LooksFailed(_)) => {
            panic!("{other:?}: {answer:?}")
        }
    }
}

/// What the caller is told of an answer, as JSON.
fn told(answer: &Frame, manner: &ReplyOptions) -> Value {
    let said = failed(&failure(answer), Some(answer), manner, "{}");
    parsed(&said)
}

fn parsed(said: &ReplyBody) -> Value {
    serde_json::from_str(said.body()).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

fn block(told: &Value, at: usize) -> &str {
    told["content"][at]["text"].as_str().unwrap_or_default()
}

/// Code, and whether to repeat it, as a reader finds them.
fn read_back(message: Value) -> (String, bool) {
    let reading = breakfall::read(message);
    let fault = reading.outcome.fault().expect("a failure");
    (
        fault.code().name().to_owned(),
        fault.public().retry().is_retryable(),
    )
}

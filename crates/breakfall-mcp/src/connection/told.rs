//! A failure as an error of the protocol.

use std::sync::LazyLock;

use breakfall::disclose::Redactor;
use breakfall::wire::{Dialect, Options, Rpc, rpc_error, rpc_error_as};
use breakfall::{Fault, Stamp};
use serde::Deserialize;
use serde_json::Value;

use crate::error::in_words;
use crate::jsonrpc::Id;

/// A JSON-RPC error. Without an id it says `null`, as JSON-RPC does.
///
/// Whoever is told of a failure can ask by its correlation id: one that has none gets one, and a line in the log.
pub(super) fn error(id: Option<&Id>, fault: &Fault, rpc: Option<Rpc>) -> (Vec<u8>, i64) {
    let public = fault.public();
    let options = if public.correlation_id().is_some() {
        Options::new()
    } else {
        Options::new().stamp(logged(fault))
    };
    let error = match rpc {
        Some(rpc) => rpc_error_as(rpc, public, Dialect::Native, &options),
        None => rpc_error(public, Dialect::Native, &options),
    };
    let mut error = error.to_value();
    if let Value::String(words) = &error["message"] {
        error["message"] = in_words(words, public, &options).into();
    }
    let error = error.to_string();
    let code = code_in(&error).expect("an error of ours has a code");
    let id = id.map_or("null", Id::as_json);
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#);
    (text.into_bytes(), code)
}

/// The code in an error of the protocol.
pub(super) fn code_in(error: &str) -> Option<i64> {
    #[derive(Deserialize)]
    struct Error {
        code: i64,
    }
    let error: Error = serde_json::from_str(error).ok()?;
    Some(error.code)
}

/// What a failure is asked for by.
fn logged(fault: &Fault) -> Stamp {
    let (id, at) = Stamp::System.take();
    tracing::info!(correlation_id = %id, "{}", REDACTOR.report(fault));
    Stamp::Fixed(id, at)
}

/// Even the log gets no credentials.
pub static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::client);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_data_name_the_same_id() {
        for fault in [
            Fault::internal(),
            Fault::invalid("no"),
            Fault::unavailable("shop"),
        ] {
            for rpc in [None, Some(Rpc::ParseError)] {
                let (bytes, _) = error(None, &fault, rpc);
                let error: Value = serde_json::from_slice(&bytes).expect("JSON");
                let error = &error["error"];
                let id = error["data"]["correlation_id"].as_str().expect("an id");
                let words = error["message"].as_str().expect("words");
                assert!(words.ends_with(&format!("Reference: {id}")), "{error}");
            }
        }
    }
}

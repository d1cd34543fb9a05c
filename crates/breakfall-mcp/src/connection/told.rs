//! A failure as an error of the protocol.

use std::sync::LazyLock;

use breakfall::Fault;
use breakfall::disclose::Redactor;
use breakfall::wire::Rpc;
use serde::Deserialize;

use crate::error::{ReplyOptions, public_copy, rpc_message};
use crate::jsonrpc::Id;

/// A JSON-RPC error, and its code. A fault without a correlation id gets one, and a line in the log.
pub(super) fn error(
    id: Option<&Id>,
    fault: &Fault,
    rpc: Option<Rpc>,
    options: &ReplyOptions,
) -> (Vec<u8>, i64) {
    let shown = options.finished(public_copy(fault));
    let public = shown.public();
    if let (None, Some(id)) = (fault.public().correlation_id(), public.correlation_id()) {
        tracing::info!(correlation_id = %id, "{}", REDACTOR.report(fault));
    }
    let error = options.rpc_error(public, rpc);
    let code = error["code"].as_i64().expect("an encoded error has a code");
    (rpc_message(id, &error), code)
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

/// Even the log gets no credentials.
pub static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::client);

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn words_and_data_name_the_same_id() {
        for fault in [
            Fault::internal(),
            Fault::invalid("no"),
            Fault::unavailable("shop"),
        ] {
            for rpc in [None, Some(Rpc::ParseError)] {
                let (bytes, _) = error(None, &fault, rpc, &ReplyOptions::default());
                let error: Value = serde_json::from_slice(&bytes).expect("JSON");
                let error = &error["error"];
                let id = error["data"]["correlation_id"].as_str().expect("an id");
                let words = error["message"].as_str().expect("words");
                assert!(words.ends_with(&format!("Reference: {id}")), "{error}");
            }
        }
    }
}

//! What a caller is told of a call that went wrong, and whether that is honest.

use serde_json::Value;

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is answered as if nothing had happened.
    Answered,
    /// An error of the server itself is passed on.
    Passed,
    /// Nothing came in time.
    Late,
    /// The connection broke.
    Cut,
    /// The connection broke, before or after the request was read.
    Unreached,
    /// The response is not an answer.
    BadUpstream,
    /// The operator of the gateway has to fix it.
    Configuration,
    /// It fails with this code, and this was perhaps done.
    Fails(&'static str, &'static str),
}

impl Fate {
    /// Whether an answer is what can be expected after such a fate.
    pub(super) fn judge(self, answer: &Value) {
        well_formed(answer);
        match self.failure() {
            None if self == Self::Passed => {
                assert!(answer["error"]["code"].is_i64(), "{answer:.2000}");
            }
            None => {
                assert!(answer.get("error").is_none(), "{answer:.2000}");
                assert_ne!(answer["result"]["isError"], true, "{answer:.2000}");
            }
            Some((code, executed)) => {
                assert_eq!(answer["result"]["isError"], true, "{answer:.2000}");
                let error = &answer["result"]["_meta"]["dev.breakfall/error"];
                assert_eq!(error["code"], code, "{answer:.2000}");
                let told = &error["details"]["executed"];
                let is_open = self == Self::Unreached && told == "no";
                assert!(told == executed || is_open, "{answer:.2000}");
                // A call that may have been executed must not be repeated.
                let retry = &error["retry"];
                let is_final = retry["policy"] == "never" && retry["after_ms"].is_null();
                assert!(is_final || told == "no", "{answer:.2000}");
            }
        }
    }

    /// The code a caller is told, if it fails.
    pub(super) fn code(self) -> Option<&'static str> {
        self.failure().map(|(code, _)| code)
    }

    /// The code, and whether it was done.
    fn failure(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Answered | Self::Passed => None,
            Self::Late => Some(("UNAVAILABLE_TIMEOUT", "unknown")),
            Self::Cut | Self::Unreached => Some(("UNAVAILABLE_NETWORK", "unknown")),
            Self::BadUpstream => Some(("INTERNAL_BAD_UPSTREAM", "unknown")),
            Self::Configuration => Some(("INTERNAL_CONFIGURATION", "no")),
            Self::Fails(code, executed) => Some((code, executed)),
        }
    }
}

/// An answer as JSON-RPC and MCP want it.
pub(super) fn well_formed(answer: &Value) {
    assert_eq!(answer["jsonrpc"], "2.0");
    match (answer.get("result"), answer.get("error")) {
        (Some(result), None) => {
            assert!(result.is_object(), "{answer:.2000}");
            assert!(result["content"].is_array(), "{answer:.2000}");
        }
        (None, Some(error)) => {
            assert!(error["code"].is_i64(), "{answer:.2000}");
            assert!(error["message"].is_string(), "{answer:.2000}");
        }
        _ => panic!("a result or an error: {answer:.2000}"),
    }
}

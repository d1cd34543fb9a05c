//! The HTTP status of an answer.

use http::StatusCode;

use crate::protocol::error_code;

/// In a session every answer has status 200. Without one, some JSON-RPC errors have a status of their own.
pub(super) fn status(code: Option<i64>, has_session: bool) -> StatusCode {
    let bad_requests = [
        error_code::HEADER_MISMATCH,
        error_code::MISSING_CAPABILITY,
        error_code::UNSUPPORTED_VERSION,
    ]
    .map(i64::from);
    match code {
        Some(code) if !has_session && bad_requests.contains(&code) => StatusCode::BAD_REQUEST,
        Some(METHOD_NOT_FOUND) if !has_session => StatusCode::NOT_FOUND,
        Some(_) | None => StatusCode::OK,
    }
}

const METHOD_NOT_FOUND: i64 = -32601;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_without_a_session_have_a_status_of_their_own() {
        let cases = [
            (None, 200),
            (Some(-32020), 400),
            (Some(-32021), 400),
            (Some(-32022), 400),
            (Some(-32601), 404),
            (Some(-32602), 200),
            (Some(-32603), 200),
            (Some(-32700), 200),
            (Some(7), 200),
        ];
        for (code, want) in cases {
            assert_eq!(status(code, false), want, "{code:?}");
            assert_eq!(status(code, true), 200, "{code:?}");
        }
    }
}

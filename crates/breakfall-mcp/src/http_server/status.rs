//! Under which status an answer goes out.

use http::StatusCode;

use super::refused::{HEADER_MISMATCH, UNSUPPORTED_VERSION};

/// In a session every answer is a success of HTTP; a modern client may look at the status before the body.
pub(super) fn status(code: Option<i64>, is_modern: bool) -> StatusCode {
    let refusals = [HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION].map(i64::from);
    match code {
        Some(code) if is_modern && refusals.contains(&code) => StatusCode::BAD_REQUEST,
        Some(METHOD_NOT_FOUND) if is_modern => StatusCode::NOT_FOUND,
        Some(_) | None => StatusCode::OK,
    }
}

const MISSING_CAPABILITY: i32 = -32021;
const METHOD_NOT_FOUND: i64 = -32601;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refusals_of_the_modern_era_show_in_the_status() {
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
            assert_eq!(status(code, true), want, "{code:?}");
            assert_eq!(status(code, false), 200, "{code:?}");
        }
    }
}

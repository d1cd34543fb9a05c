//! Parameters of an address that sign it.

use super::bytes::{before, is_name, one_of, run, run_back};
use super::finder::MarkFinder;
use super::mark::{Mark, is_marker};

/// Looks at the sign after a parameter.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let start = run_back(text, at, 40, is_name);
    if !matches!(
        before(text, start),
        Some(b'?' | b'&' | b' ' | b',' | b';' | b'"')
    ) || !one_of(&text[start..at], SIGNED)
    {
        return;
    }
    let end = run(text, at + 1, 2048, |byte| {
        byte > b' '
            && byte.is_ascii()
            && !matches!(
                byte,
                b'&' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'#' | b',' | b';' | b')' | b'\\'
            )
    });
    if end - at > 8 && !is_marker(&text[at + 1..end]) {
        finder.found(at + 1, end, Mark::Signature);
    }
}

const SIGNED: &[&str] = &[
    "sig",
    "signature",
    "x-amz-signature",
    "x-amz-credential",
    "x-amz-security-token",
    "x-goog-signature",
    "x-goog-credential",
    "key-pair-id",
    "policy",
    "hmac",
    "code_verifier",
    "awsaccesskeyid",
    "saml_response",
    "samlresponse",
    "assertion",
    "client_assertion",
    "hdnts",
    "credential",
];

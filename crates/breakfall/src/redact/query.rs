//! Parameters of an address that sign it.

use super::bytes::{before, is_base64, is_name, is_random, is_uuid, one_of, run, run_back};
use super::finder::MarkFinder;
use super::mark::{Mark, is_marker};

/// Looks at the sign after a parameter.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let start = run_back(text, at, 40, is_name);
    if !matches!(
        before(text, start),
        None | Some(b'?' | b'&' | b' ' | b',' | b';' | b'"' | b'\n')
    ) {
        return;
    }
    let is_signed = one_of(&text[start..at], SIGNED);
    let in_query = matches!(before(text, start), Some(b'?' | b'&'));
    if !is_signed && (!in_query || one_of(&text[start..at], PLAIN)) {
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
    let value = &text[at + 1..end];
    let opaque = value.len() >= 20
        && is_random(value)
        && !is_uuid(value)
        && value
            .iter()
            .all(|byte| is_base64(*byte) || matches!(byte, b'.' | b'%' | b'~'));
    if (is_signed && value.len() >= 8 || opaque) && !is_marker(value) {
        finder.found(at + 1, end, Mark::Signature);
    }
}

const SIGNED: &str = "sig firma unterschrift assinatura signature x-amz-signature x-amz-credential x-amz-security-token x-goog-signature x-goog-credential \
    key-pair-id policy hmac code_verifier awsaccesskeyid saml_response samlresponse assertion \
    client_assertion hdnts credential";

/// Parameters that page, sort or name: their values may be as long and open nothing.
const PLAIN: &str = "id cursor page after before next v ver version hash etag q query fields sort filter since until date time ts t0 utm_source \
    utm_campaign request_id trace_id state nonce ref sha commit rev url redirect_uri client_id";

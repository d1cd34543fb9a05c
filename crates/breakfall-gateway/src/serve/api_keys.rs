//! The keys of clients: a key identifies a principal.

use std::fmt;
use std::sync::Arc;

use breakfall::{Fault, codes};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::config::ClientKey;
use breakfall_mcp::access::Principal;
use breakfall_mcp::http_server::HttpRefusal;

/// The keys of clients, as SHA-256 hashes: a memory dump does not contain them.
#[derive(Clone, Default)]
pub(super) struct ApiKeys(Vec<(KeyHash, Principal)>);

type KeyHash = [u8; 32];

impl ApiKeys {
    pub(super) fn new(keys: &[ClientKey]) -> Self {
        let known = keys.iter().map(|key| {
            let principal = Principal::Named(Arc::from(key.principal.as_str()));
            (hash(key.secret.reveal().as_bytes()), principal)
        });
        Self(known.collect())
    }

    /// The principal of a request; anonymous if no keys are configured.
    ///
    /// # Errors
    /// When the request has no key, or an unknown one.
    pub(super) fn authenticate(&self, headers: &HeaderMap) -> Result<Principal, HttpRefusal> {
        if self.0.is_empty() {
            return Ok(Principal::Anonymous);
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let token = match (given.next(), given.next()) {
            (Some(one), None) => bearer(one),
            _ => None,
        };
        let Some(token) = token else {
            let fault = Fault::new(codes::AUTHENTICATION_REQUIRED).remediation(SEND);
            return Err(HttpRefusal::unauthorized(
                fault,
                HeaderValue::from_static(CHALLENGE),
            ));
        };
        let known = self.find(&hash(token)).cloned();
        known.ok_or_else(|| {
            let fault = Fault::new(codes::AUTHENTICATION_INVALID_CREDENTIALS).remediation(SEND);
            HttpRefusal::unauthorized(fault, HeaderValue::from_static(WRONG))
        })
    }

    /// Compares with every key in constant time, so that the time does not depend on the key.
    fn find(&self, shown: &KeyHash) -> Option<&Principal> {
        let mut found = None;
        for (known, principal) in &self.0 {
            if known.ct_eq(shown).into() {
                found = Some(principal);
            }
        }
        found
    }
}

impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(_, principal)| principal);
        f.debug_list().entries(names).finish()
    }
}

/// The token after `Bearer`, whose case does not matter.
fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(SCHEME.len())?;
    let token = token.trim_ascii();
    let is_bearer = scheme.eq_ignore_ascii_case(SCHEME);
    (is_bearer && !token.is_empty()).then_some(token)
}

fn hash(bytes: &[u8]) -> KeyHash {
    Sha256::digest(bytes).into()
}

const SCHEME: &[u8] = b"Bearer ";
const CHALLENGE: &str = r#"Bearer realm="breakfall""#;
const WRONG: &str = r#"Bearer realm="breakfall", error="invalid_token""#;
const SEND: &str = "Send 'Authorization: Bearer KEY' with a key that is listed under 'keys' in the configuration of the gateway.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn keys() -> ApiKeys {
        let text = "keys: { alice: 0123456789abcdef, bob: fedcba9876543210 }\nupstreams: { one: { demo: true } }";
        let config = Config::parse(text, "my.yaml").expect("it is good");
        ApiKeys::new(&config.keys)
    }

    fn principal(keys: &ApiKeys, values: &[&'static str]) -> Option<Principal> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_static(value));
        }
        keys.authenticate(&headers).ok()
    }

    #[test]
    fn a_key_identifies_its_principal() {
        let keys = keys();
        for (values, want) in [
            (&["Bearer 0123456789abcdef"][..], Some("alice")),
            (&["bearer   fedcba9876543210 "], Some("bob")),
            (&["Bearer 0123456789abcdeg"], None),
            (&["Bearer 0123456789abcdef0"], None),
            (&["Bearer "], None),
            (&["Basic 0123456789abcdef"], None),
            (&["0123456789abcdef"], None),
            (&[], None),
            (
                &["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"],
                None,
            ),
        ] {
            let want = want.map(|name| Principal::Named(name.into()));
            assert_eq!(principal(&keys, values), want, "{values:?}");
        }
    }

    #[test]
    fn without_keys_every_client_is_anonymous() {
        assert_eq!(
            principal(&ApiKeys::default(), &[]),
            Some(Principal::Anonymous)
        );
        assert_eq!(
            principal(&ApiKeys::default(), &["Bearer x"]),
            Some(Principal::Anonymous)
        );
    }

    #[test]
    fn debug_output_contains_no_key() {
        let shown = format!("{:?}", keys());
        assert!(
            shown.contains("alice") && !shown.contains("0123"),
            "{shown}"
        );
    }
}

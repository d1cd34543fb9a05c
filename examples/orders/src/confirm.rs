//! Consent to what cannot be undone. The first call gets a token instead of its way; the second brings the token
//! back, and it is good for that very call, once, for a while.

use std::collections::HashMap;
use std::time::Duration;

use breakfall::{Fault, Timestamp};

/// How long a person has to think.
const LIFETIME: Duration = Duration::from_mins(5);

#[derive(Debug, Fault)]
pub enum TokenError {
    #[fault(code = TOKEN_INVALID)]
    Unknown { token: String },
    #[fault(code = TOKEN_EXPIRED)]
    Expired {
        token: String,
        #[fault(display)]
        expired_at: Timestamp,
        #[fault(display)]
        current_time: Timestamp,
    },
    #[fault(code = TOKEN_ALREADY_USED)]
    Used { token: String },
    #[fault(code = TOKEN_SCOPE_MISMATCH)]
    OtherCall {
        token: String,
        token_operation: String,
        requested_operation: String,
    },
}

/// The tokens that were given out.
#[derive(Debug, Default)]
pub struct Confirmations(HashMap<String, Issued>);

#[derive(Debug)]
struct Issued {
    call: String,
    expires_at: Timestamp,
    used: bool,
}

impl Confirmations {
    /// Gives out a token for a call and says when it expires.
    pub fn issue(&mut self, token: String, call: &str, now: Timestamp) -> Timestamp {
        let expires_at = now + LIFETIME;
        let call = call.to_owned();
        let issued = Issued {
            call,
            expires_at,
            used: false,
        };
        self.0.insert(token, issued);
        expires_at
    }

    /// Takes a token back, if it is good for the call.
    pub fn redeem(&mut self, token: &str, call: &str, now: Timestamp) -> Result<(), TokenError> {
        let text = || token.to_owned();
        let Some(issued) = self.0.get_mut(token) else {
            return Err(TokenError::Unknown { token: text() });
        };
        if issued.used {
            return Err(TokenError::Used { token: text() });
        }
        if issued.expires_at <= now {
            let expired_at = issued.expires_at;
            return Err(TokenError::Expired {
                token: text(),
                expired_at,
                current_time: now,
            });
        }
        if issued.call != call {
            let token_operation = issued.call.clone();
            return Err(TokenError::OtherCall {
                token: text(),
                token_operation,
                requested_operation: call.to_owned(),
            });
        }
        issued.used = true;
        Ok(())
    }
}

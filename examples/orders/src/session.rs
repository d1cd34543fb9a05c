//! Who is calling, and what they may do.

use std::collections::HashMap;

use breakfall::{Fault, Timestamp};

use crate::ids::{SessionId, UserId};

#[derive(Debug, Fault)]
pub enum SessionError {
    #[fault(
        code = AUTHENTICATION_REQUIRED,
        remediation = "Call sign_in, and send the session id it gives you.",
        fallback_tool = "sign_in"
    )]
    Unknown,

    #[fault(
        code = AUTHENTICATION_EXPIRED,
        remediation = "Call sign_in again: this session ended on {expired_at}.",
        fallback_tool = "sign_in"
    )]
    Expired {
        #[fault(display)]
        expired_at: Timestamp,
    },

    // One answer for a wrong pin and for a user there is not, or the difference would tell who there is.
    #[fault(code = AUTHENTICATION_INVALID_CREDENTIALS)]
    Refused,

    #[fault(code = PERMISSION_DENIED, user_message = "Please ask our staff to do that for you.")]
    StaffOnly { reason: &'static str },
}

/// Somebody who has signed in.
#[derive(Debug, Clone)]
pub struct Caller {
    pub user: UserId,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Customer,
    Staff,
}

impl Caller {
    /// Lets staff pass.
    pub fn must_be_staff(&self, reason: &'static str) -> Result<(), SessionError> {
        match self.role {
            Role::Staff => Ok(()),
            Role::Customer => Err(SessionError::StaffOnly { reason }),
        }
    }
}

/// The users and their sessions.
#[derive(Debug, Default)]
pub struct Sessions {
    users: HashMap<UserId, User>,
    open: HashMap<SessionId, Session>,
}

#[derive(Debug)]
struct User {
    // A real server keeps a salted hash.
    pin: String,
    role: Role,
}

#[derive(Debug)]
struct Session {
    user: UserId,
    expires_at: Timestamp,
}

impl Sessions {
    pub fn add_user(&mut self, user: UserId, pin: &str, role: Role) {
        let pin = pin.to_owned();
        self.users.insert(user, User { pin, role });
    }

    pub fn open(&mut self, id: SessionId, user: UserId, expires_at: Timestamp) {
        self.open.insert(id, Session { user, expires_at });
    }

    /// Whether these are the credentials of a user.
    pub fn check(&self, user: &UserId, pin: &str) -> Result<(), SessionError> {
        match self.users.get(user) {
            Some(known) if known.pin == pin => Ok(()),
            _ => Err(SessionError::Refused),
        }
    }

    /// Whose session it is.
    pub fn caller(&self, id: &SessionId, now: Timestamp) -> Result<Caller, SessionError> {
        let session = self.open.get(id).ok_or(SessionError::Unknown)?;
        if session.expires_at <= now {
            let expired_at = session.expires_at;
            return Err(SessionError::Expired { expired_at });
        }
        let user = session.user.clone();
        let role = self.users.get(&user).ok_or(SessionError::Unknown)?.role;
        Ok(Caller { user, role })
    }
}

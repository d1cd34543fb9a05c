//! The audit trail: a line for every call, whatever came of it. What was sent is in it as a hash and nothing else.

use breakfall::Stamp;
use breakfall::server::Called;

use crate::tools::Orders;

/// The line of a call, with the user whose session it was.
pub fn line(call: &Called<'_>, orders: &Orders) -> String {
    let entry = call.entry(&Stamp::System);
    let session = call.arguments["session_id"].as_str().unwrap_or_default();
    let entry = match orders.user(session) {
        Some(user) => entry.user(user.to_string()),
        None => entry,
    };
    entry.to_string()
}

//! Two eras of the protocol, and the bridge between them.
//!
//! Up to 2025-11-25 (*legacy*) a connection begins with a handshake, and both ends may ask. From 2026-07-28 on
//! (*modern*) every request speaks for itself, only clients ask, and a server that has to know more says so in its
//! answer. Where client and server are of the same era nothing in here touches a message.

mod capabilities;
mod detect;
mod gate;
mod legacy_client;
mod level;
mod meta;
mod modern_client;
mod say;
#[cfg(test)]
mod tests;
mod version;

use breakfall_mcp::jsonrpc::splice;
pub(crate) use gate::Gate;
pub(crate) use say::warned;

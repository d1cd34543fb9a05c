//! The two eras of the protocol, and the bridge between them.
//!
//! Up to version 2025-11-25 (*legacy*) a connection begins with a handshake, and both ends send requests. From
//! 2026-07-28 on (*modern*) every request is self-contained, only clients send requests, and a server that needs
//! input says so in its result. If client and server are of the same era, messages pass unchanged.

mod capabilities;
mod detect;
mod era_bridge;
mod legacy_client;
mod level;
mod meta;
mod modern_client;
mod say;
#[cfg(test)]
mod tests;

use breakfall_mcp::jsonrpc::splice;
pub(crate) use era_bridge::EraBridge;
pub(crate) use say::warned;

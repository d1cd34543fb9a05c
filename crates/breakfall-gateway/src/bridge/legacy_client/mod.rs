//! A legacy client in front of a modern server.

mod bridge;
pub(super) mod hello;
mod input;
pub(super) mod listen;
mod listening;
pub(super) mod result;

pub(super) use bridge::{BridgeContext, LegacyClientBridge};

//! A modern client in front of a legacy server.

mod bridge;
pub(super) mod caller;
pub(super) mod listen;
pub(super) mod result;
mod streams;

pub(super) use bridge::{ModernClientBridge, refuse};

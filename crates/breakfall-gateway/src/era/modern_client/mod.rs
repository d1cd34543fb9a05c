//! A modern client in front of a server with a handshake.

pub(super) mod caller;
pub(super) mod listen;
pub(super) mod result;

//! A client with a handshake in front of a modern server.

pub(super) mod hello;
pub(super) mod input;
pub(super) mod listen;
pub(super) mod result;

//! Inside a server on the official SDK: every way to fail, on the wire.

mod failures;
mod shop;
mod wire;

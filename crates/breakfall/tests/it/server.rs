//! Inside a server on the official SDK: every way to fail, on the wire.

mod arguments;
mod called;
mod cancelled;
mod failures;
mod honest;
mod hostile;
mod log;
mod others;
mod passed;
mod protocol;
mod shop;
mod shown;
mod wire;

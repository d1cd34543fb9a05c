//! Inside a server on the official SDK: every way to fail, on the wire.

mod arguments;
mod asked;
mod called;
mod cancelled;
mod failures;
mod honest;
mod hostile;
mod identified;
mod log;
mod others;
mod passed;
mod protocol;
mod repeat;
mod shop;
mod shown;
mod wire;

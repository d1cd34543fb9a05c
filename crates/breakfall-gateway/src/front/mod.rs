//! Where clients come in.

mod door;
pub mod http;
mod stdio;

pub(crate) use door::{Behind, Credentials, Door, Principal, Seat};
pub use stdio::{Stdio, stdio};

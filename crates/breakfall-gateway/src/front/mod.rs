//! Where clients come in.

mod stdio;

pub use stdio::{Stdio, stdio};

//! The versions of the protocol, and the names it defines: methods and the keys of `_meta`.

pub mod meta;
pub mod method;
mod version;

pub use version::{MODERN, Version};

//! The versions of the protocol, and the names and numbers it defines: methods, the keys of `_meta`, error codes.

pub mod error_code;
pub mod meta;
pub mod method;
mod version;

pub use version::{LATEST_LEGACY, MODERN, Version};

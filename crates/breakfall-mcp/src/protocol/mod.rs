//! The versions of the protocol, and the keys of `_meta` that it defines.

mod version;

pub use version::{MODERN, Version};

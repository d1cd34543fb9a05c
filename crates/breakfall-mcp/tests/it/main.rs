//! The crate as its users see it: connections over streams in memory.

mod module_order;
mod panics;

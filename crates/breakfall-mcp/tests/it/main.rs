//! The crate as its users see it: connections over streams in memory.

mod last_answer;
mod module_order;
mod panics;

//! JSON-RPC as it came: a frame is its bytes, and the places of the few members a proxy looks at.
//!
//! Everything else is forwarded byte for byte. What has to change (an id, a progress token) is spliced into a copy of
//! the bytes, so unknown members, odd numbers and the order of keys survive.

mod frame;
mod id;
pub(crate) mod rewrite;
mod scan;
mod splice;

pub use frame::{Failure, Frame, Kind, Limits, Refusal};
pub use id::Id;
pub(crate) use scan::Scan;
pub use splice::{Patch, splice};

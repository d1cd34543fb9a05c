//! JSON-RPC as it came: a frame is its bytes, and the places of the few members a proxy looks at.
//!
//! Everything else is forwarded byte for byte. What has to change (an id, a progress token) is replaced while the
//! bytes are written, so unknown members, odd numbers and the order of keys survive, and nothing is copied.

mod behind;
pub mod cursor;
mod frame;
mod id;
mod members;
mod mend;
mod mention;
mod message;
mod params;
mod refusal;
mod repeats;
mod scan;
mod shallow;
mod special;
pub mod splice;
mod strict;
mod twice;

pub use behind::message_behind;
pub use frame::{Edit, TransportStatus, edited};
pub use frame::{Frame, FrameLimits, Kind};
pub use id::Id;
pub use mention::{may_mention, may_mention_any};
pub use message::RawMessage;
pub use params::{RequestParams, cancelled_id, object, progress_token, subscription_id};
pub use refusal::Beyond;
pub use refusal::RejectedFrame;
pub use refusal::{BoxedFrameError, FrameError};
pub use scan::FrameScan;
pub use shallow::CUT_KEY;
pub use splice::put_all;

//! JSON-RPC messages as they came: a frame is its bytes, and the places of the few members a proxy needs.
//!
//! Everything else is forwarded byte for byte. An id or a progress token is replaced while the bytes are written, so unknown
//! members, numbers of any size and the order of keys survive, and nothing is copied.
//!
//! | file | reads |
//! |---|---|
//! | `strict` | a message, and validates it; `members` are the parts it finds |
//! | `cursor`, `splice` | valid JSON: to find members, and to change them |
//! | `scan` | any bytes in pieces: the id, the depth |

pub mod cursor;
mod duplicate_key;
mod frame;
mod frame_error;
mod id;
mod members;
mod message;
mod params;
mod repair;
mod scan;
mod schema_depth;
mod search;
pub mod splice;
mod strict;
mod string_end;
mod trailing_message;

pub use frame::{Edit, TransportStatus, edited};
pub use frame::{Frame, FrameLimits, Kind};
pub use frame_error::{BoxedFrameError, FrameError, LimitExceeded, RejectedFrame};
pub use id::Id;
pub use message::RawMessage;
pub use params::{RequestParams, cancelled_id, object, progress_token, subscription_id};
pub use scan::FrameScan;
pub use search::{may_contain, may_contain_any};
pub use splice::put_all;
pub use string_end::string_end;
pub use trailing_message::trailing_message;

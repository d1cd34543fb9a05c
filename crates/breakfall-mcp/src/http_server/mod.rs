//! Streamable HTTP: the protocol over POST, GET and DELETE, in both of its eras.
//!
//! ```text
//!  connection ─► gate     may it come from there?            403
//!                head     is it JSON, are answers welcome?   406 415
//!                read     whole, in bounds, in time          408 413
//!                claim    which era; headers against body    400
//!                session, or nothing                         400 404
//!                exchange ─► JSON, or a stream of events
//! ```
//!
//! What is behind a path, and who may come in, is whoever implements `House`.

mod begun;
mod body;
mod budget;
mod claim;
mod connections;
mod cors;
mod encoded;
mod events;
mod exchange;
#[cfg(any(test, fuzzing))]
pub mod fuzzed;
mod gate;
mod head;
mod house;
mod lasting;
mod log;
mod logs;
mod pipe;
mod pulse;
mod read;
mod refused;
mod server;
mod service;
mod session;
mod sessions;
mod status;
mod taking;
mod tls;

pub use body::Body;
pub use house::House;
pub use refused::Refused;
pub use server::{Handle, Server, SessionLimits, Settings, Unbound};
pub use taking::Piece;
pub use tls::{BadTls, Tls};

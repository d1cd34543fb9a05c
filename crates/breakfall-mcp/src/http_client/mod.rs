//! The client end of streamable HTTP: each message is sent in a request of its own.
//!
//! ```text
//!  carry ─► HttpTransport ── POST ──► PooledClient ─► server
//!             │                          │ JSON, a stream of events, or nothing
//!             ◄── Inbound::receive ◄── ResponseReader
//! ```
//!
//! A session that the server has forgotten is renewed. The request that it refused for that reason was not executed, and
//! is sent again.

mod config_error;
mod root_store;
mod in_flight;
mod payload;
mod connector;
mod client;
mod redirect;
mod faults;
mod message_headers;
mod param_headers;
mod remote_server;
mod session;
mod session_expiry;
pub mod sse;
mod stream_position;
mod response;
mod refusals;
mod notifications;
mod renewal;
mod get_stream;
mod post_request;
mod transport;

pub use config_error::UpstreamConfigError;
pub use remote_server::RemoteServer;
pub use transport::connect;

//! The server end of Streamable HTTP: POST, GET and DELETE, in protocol versions with and without sessions.
//!
//! ```text
//!  Server            accepts connections, bounds them, closes stalled ones     connections, connection_state
//!    └ Front         Host and Origin, CORS, transfer encoding             403  front, origin_policy
//!       └ HttpService  the service the server runs: routes a path to an endpoint
//!          └ McpService
//!              headers        content type, accepted answers           406 415
//!              read_body      whole, within its size and time          408 413
//!              header_check   protocol version; headers against body   400
//!              session_table  the session, if the version has them     400 404
//!              exchange       the response: JSON, or a stream of events
//! ```

mod bind_error;
mod body_budget;
mod connection_state;
mod connections;
mod cors;
mod event_log;
mod event_logs;
mod event_queue;
mod event_stream;
mod exchange;
mod front;
#[cfg(any(test, fuzzing))]
pub mod fuzzed;
mod header_check;
mod header_value;
mod headers;
mod http_session;
mod mcp_service;
mod monitored_io;
mod open_streams;
mod origin_policy;
mod preface_io;
mod read_body;
mod refusal;
mod response_body;
mod responses;
mod serve_connection;
mod server;
mod session_share;
mod session_table;
mod settings;
mod standalone_stream;
mod status;
mod tls;
mod tracked_body;
mod unread_answers;

pub use bind_error::BindError;
pub use front::{HttpService, is_mcp_path};
pub use mcp_service::McpService;
pub use refusal::HttpRefusal;
pub use response_body::ResponseBody;
pub use server::{Server, ServerHandle};
pub use settings::{SessionLimits, Settings};
pub use tls::{TlsCertificate, TlsError};
pub use tracked_body::BodyChunk;

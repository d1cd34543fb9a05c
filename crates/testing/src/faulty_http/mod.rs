//! An HTTP server that misbehaves on demand.
//!
//! It is a small, correct MCP server of both protocol eras, with sessions in the older one, and it is strict with its
//! clients. Its tool `misbehave` takes the name of a [`Behaviour`] as `how`; behaviours of the start are [`Options`]. Every number
//! a behaviour uses can be set by an argument of the name its description gives. What a call does is counted by its argument `key`,
//! so that a test can see that nothing was done twice.
//!
//! Tests hold a [`Server`] in their own process; the binary `fault-http` is the same for everybody else.
//!
//! ```
//! use testing::faulty_http::Server;
//! use testing::http::Client;
//!
//! let server = Server::start();
//! let client = Client::legacy(server.address(), "/mcp");
//! let how = serde_json::json!({"how": "events", "key": "first"});
//! assert_eq!(client.call(1, "misbehave", &how)["id"], 1);
//! assert_eq!(server.executed("first"), 1);
//! ```
#![expect(
    clippy::exhaustive_enums,
    reason = "private to the workspace; a test walks over all of it"
)]

mod behaviour;
mod connection;
mod exchange;
mod http2;
mod hub;
mod misbehave;
mod options;
mod program;
mod protocol;
mod request;
mod server;
mod stream;
mod tls;
mod tools;

pub use behaviour::{Behaviour, Effect, When, Yields};
pub use hub::Seen;
pub use misbehave::PLANTED;
pub use options::{Eras, Options};
pub use program::run;
pub use server::Server;

//! A client without a library, over HTTP: exact bytes to an address, and what comes back taken apart. Every wait has a limit.
//!
//! [`Request`] writes a request as it should be, or as it should not; [`Connection`] sends it, or any bytes, and reads what
//! comes, in pieces or events or whole; [`Client`] is an MCP client of either era on top of it.
//!
//! ```no_run
//! use testing::http::{Client, Connection, Request};
//!
//! # let address: std::net::SocketAddr = ([127, 0, 0, 1], 80).into();
//! let mut client = Client::legacy(address, "/mcp");
//! let answer = client.call(1, "echo", &serde_json::json!({"n": 1}));
//! assert_eq!(answer["id"], 1);
//!
//! let bad = Request::new("PUT", "/mcp").header("Origin", "https://elsewhere.test");
//! let response = Connection::open(address).ask(&bad).unwrap();
//! assert_eq!(response.status, 403);
//! ```
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

mod body;
mod client;
mod connection;
mod event;
mod request;
mod response;
mod tls;

pub use client::{Client, LEGACY, MODERN};
pub use connection::Connection;
pub use event::Event;
pub use request::Request;
pub use response::{Head, Response};

//! The wire of the Model Context Protocol, below the gateway and every other client.
//!
//! Messages stay raw: a frame keeps its bytes as they came, and the places of id, method and body.
//!
//! | module | |
//! |---|---|
//! | [`sync`] | a lock that a panic does not poison |
//! | [`timeouts`] | how long a request may take |
//! | [`lines`] | lines of bounded length out of a stream |
//! | [`protocol`] | versions, methods, error codes, and the keys of `_meta` |
//! | [`jsonrpc`] | bytes → a frame of JSON-RPC 2.0 |
//! | [`error`] | a fault as a JSON-RPC error |
//! | [`list_pages`] | the pages of a list, one after the other |
//! | [`health`] | whether a server was reachable at the last contact |
//! | [`connection`] | one end of a connection: open requests, deadlines, a bounded outbox |
//! | [`stdio`] | the standard streams of this process as a transport |
//! | [`process`] | a child process as a transport |
//! | [`access`] | the identity of a client, and the endpoints it reaches |
//! | [`http_client`] | the client end of streamable HTTP |
//! | [`http_server`] | the server end of streamable HTTP |

#![expect(
    clippy::exhaustive_enums,
    reason = "the gateway matches them in full; both are released together"
)]

pub mod sync;
mod repoll;
pub mod timeouts;
pub mod lines;
pub mod protocol;
pub mod jsonrpc;
pub mod list_pages;
pub mod error;
pub mod health;
pub mod connection;
pub mod stdio;
pub mod process;
pub mod access;
pub mod http_client;
pub mod http_server;

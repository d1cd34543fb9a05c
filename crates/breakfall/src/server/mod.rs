//! Inside a server on the official SDK, [`rmcp`].
//!
//! A tool handler returns `Result<T, Fault>` and uses `?`. [`Guard`] goes around the whole handler and gives every
//! other way to fail the same treatment: panics, arguments that do not fit, unknown tools, deadlines, and the
//! `ErrorData` of others.
//!
//! ```
//! use breakfall::Fault;
//! use breakfall::server::Guard;
//! use breakfall::wire::Dialect;
//! use rmcp::handler::server::wrapper::Parameters;
//! use rmcp::{ServerHandler, schemars, tool, tool_router};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Lookup {
//!     sku: String,
//! }
//!
//! #[derive(Clone)]
//! struct Shop;
//!
//! #[tool_router(server_handler)]
//! impl Shop {
//!     /// The price of an article.
//!     #[tool]
//!     fn price(&self, Parameters(lookup): Parameters<Lookup>) -> Result<String, Fault> {
//!         match lookup.sku.as_str() {
//!             "tea" => Ok("3.20 EUR".to_owned()),
//!             other => Err(Fault::not_found("article", other)),
//!         }
//!     }
//! }
//!
//! let server = Guard::new(Shop)
//!     .dialect(Dialect::Native)
//!     .on_fault(|event| eprintln!("{}", event.report()));
//! // server.serve(rmcp::transport::stdio()).await?.waiting().await?;
//! assert!(server.get_tool("price").is_some());
//! ```
//!
//! Without a guard a returned [`Fault`] is written in the native dialect; a panic is then left unanswered.
//!
//! # How a fault gets from the handler to the guard
//!
//! The SDK turns what a handler returns into a `CallToolResult` at once, and that type has room for what goes on
//! the wire only. So the guard leaves a note for the code that converts a fault ([`IntoCallToolResult`] is called on the
//! thread that polls the call): which dialect, which audience. The conversion follows it, and hands the fault with
//! its private half back beside the result. A fault converted on another thread finds no note and becomes a native
//! result, which the guard treats like any other error that was written by hand.
//!
//! [`Fault`]: struct@crate::Fault
//! [`IntoCallToolResult`]: rmcp::handler::server::tool::IntoCallToolResult

mod answer;
mod arguments;
mod ask;
mod block;
mod call;
#[cfg(feature = "validate")]
mod check;
mod event;
mod guard;
mod handler;
mod note;
mod protocol;
mod repeat;
mod reply;
mod run;
mod settings;
mod tools;

#[cfg(feature = "validate")]
pub use check::ArgumentCheck;
pub use event::{Called, Cancelled, Event};
pub use guard::Guard;

//! What a server says of its tools, and calls and results held against it.
//!
//! ```text
//! tools/list ──► ToolCache       cache.rs      by name; whole, under way, or out of date
//!            ──► Tool        tool.rs       one of them: hints, and what it says of arguments and results
//!            ──► SchemaCache     schemas.rs    once for all clients of a server, compiled when first needed
//! tools/call ──► Checked     validate.rs   as it is, changed here and there (edit.rs), or refused
//! result     ──► Mismatch    output.rs     a warning, or a fault
//! ```
//!
//! What strangers wrote is bounded in size, and what cannot be used is left aside: a tool with a schema nobody can read
//! is served unchecked, and its callers are told.

mod edit;
pub mod notice;
pub mod output;
mod schemas;
mod cache;
mod lossy_json;
mod tool;
pub mod validate;

pub use cache::{Found, NextPage, ToolCache, ToolListing};
pub use lossy_json::value as nearest;
pub use schemas::{DeclaredSchema, SchemaCache, SchemaError};
pub use tool::{Hints, Tool};

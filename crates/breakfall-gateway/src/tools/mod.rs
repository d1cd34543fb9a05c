//! The tool lists of servers, and validation of calls and results against them.
//!
//! ```text
//! tools/list ──► ToolCache          cache.rs      by name; complete, being fetched, or stale
//!            ──► Tool               tool.rs       hints, input schema and output schema
//!            ──► SchemaCache        schemas.rs    shared by all clients of a server, compiled by the first call
//! tools/call ──► CheckedArguments   validate.rs   unchanged, edited (edit.rs), or refused
//! result     ──► OutputMismatch     output.rs     a warning, or a fault
//! ```
//!
//! Input from servers is bounded in size, and unusable parts are skipped: calls of a tool with an invalid schema are
//! forwarded unchecked, with a warning.

mod edit;
pub mod notice;
pub mod output;
mod schemas;
mod cache;
mod lossy_json;
mod tool;
pub(crate) mod danger;
pub mod validate;

pub use cache::{ToolCache, ToolListing, ToolLookup};
pub use lossy_json::value as nearest;
pub use schemas::{DeclaredSchema, SchemaCache, SchemaError};
pub use tool::{Hints, Tool};

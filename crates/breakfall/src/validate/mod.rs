//! Arguments against a JSON Schema: every broken rule, one fault, and the arguments that would have done.
//!
//! ```
//! use breakfall::validate::Schema;
//! use serde_json::json;
//!
//! let schema = Schema::compile(&json!({
//!     "type": "object",
//!     "properties": {
//!         "state": {"enum": ["open", "closed"]},
//!         "limit": {"type": "integer", "maximum": 100}
//!     },
//!     "required": ["state"],
//!     "additionalProperties": false
//! }))?;
//!
//! let arguments = json!({"state": "Open", "limt": 50});
//! let fault = schema.check(&arguments).into_fault("list_issues").expect("two rules are broken");
//! assert_eq!(fault.code().name(), "VALIDATION_UNKNOWN_PARAM");
//! assert_eq!(fault.public().violations().len(), 2);
//! assert_eq!(
//!     fault.public().corrective_params(),
//!     Some(&json!({"state": "open", "limit": 50}))
//! );
//! # Ok::<(), breakfall::Fault>(())
//! ```
//!
//! A [`Schema`] is compiled once and checks many calls; what is valid costs no more than the yes or no of it.
//! [`Findings`] are all broken rules of one call: take the fault, or look at each [`Finding`] and decide by its
//! [`Kind`] what to refuse, to repair or to let pass.
//!
//! **Dialects.** 2020-12, which is also what a schema without `$schema` is written in, 2019-09, draft-07 and draft-06.
//! Well-known formats (`date-time`, `email`, `uri`, `uuid`, …) are asserted, because a server that writes them into the
//! schema of a tool means them; `regex` and the content keywords are not.
//!
//! **What is certain.** A suggestion is made where there is one thing the caller can have meant: the name one slip
//! away, `"50"` for `50`, the bound that was passed, the default of what is missing. Together they become
//! `corrective_params` when nothing is left open, and they are checked against the schema before the caller sees them.
//!
//! **Hostile input.** Schemas come from strangers and so do arguments. Documents are bounded in size, depth and
//! patterns; references stay inside the document; patterns run in linear time; where telling every broken rule would
//! take too long, one is told.

mod bare;
mod branch;
mod coerce;
mod document;
mod edit;
mod error_kind;
mod explain;
mod fault;
mod limits;
mod finding;
mod pattern;
mod propose;
mod raw;
mod reader;
mod refuse;
mod repair;
mod schema;
mod shown;
mod work;

pub use fault::unknown_tool;
pub use finding::{Finding, Findings, Kind, Repair};
pub use schema::Schema;

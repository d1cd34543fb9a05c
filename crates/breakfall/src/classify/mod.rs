//! Someone else's bare failure → a fault, with the rule that decided it and how sure it is.
//!
//! Failures that arrive as numbers and types have a module each: an HTTP answer ([`mod@http`]), a JSON-RPC error
//! ([`rpc`]), an error of the operating system ([`io`]), one of reading JSON ([`mod@serde`]) or a number ([`parse`]), a panic ([`mod@panic`]), a process
//! that ended ([`exit`]). The rule of a fault made by one of them is its name and what decided: `http.429`,
//! `http.400.amazon`, `rpc.-32602.unknown-tool`, `io.timed-out`. Failures that arrive as words, in the results of tools above all, are the business of a [`Classifier`]. In this order it asks
//!
//! 1. rules an operator added ([`TextRule`]),
//! 2. the layers frameworks put around an error ("MCP error -32602: …"), which come off first,
//! 3. what validators print (pydantic, Zod, JSON Schema, serde): every complaint becomes a violation,
//! 4. JSON in the text: one of our formats, or a body in one of the shapes APIs use,
//! 5. rules on words, each of which needs whole words in the place of an error,
//! 6. the number in a layer that came off;
//!
//! and what none of them knows is `INTERNAL_UNKNOWN`, with its words kept. A fault says which rule made it and how sure
//! that is ([`Provenance`](crate::Provenance)); `docs/classification.md` lists the rules of every kind, and so do
//! [`Classifier::rules`], [`fixed_rules`] and [`rpc::rules`]. Failures disguised as successes are recognised only on request ([`Classifier::unmask`]).

pub(crate) mod body;
mod internal;
#[cfg(feature = "anyhow")]
pub mod anyhow;
#[cfg(feature = "hyper")]
mod chain;
mod caller_values;
pub(crate) mod classifier;
pub(crate) mod constraint;
pub(crate) mod disguise;
pub(crate) mod dump;
pub(crate) mod excerpt;
pub mod exit;
pub(crate) mod fold;
pub mod http;
#[cfg(feature = "hyper")]
pub mod hyper;
pub mod io;
pub(crate) mod json;
pub(crate) mod moment;
mod page;
pub mod panic;
pub mod parse;
pub(crate) mod prefix;
#[cfg(feature = "reqwest")]
mod reqwest;
pub(crate) mod result;
pub mod rpc;
mod rule;
pub mod serde;
pub(crate) mod text;

/// The rules on errors of the operating system (`io`) and on processes that ended (`exit`). Those on words are
/// [`Classifier::rules`], those on JSON-RPC errors [`rpc::rules`]; an HTTP answer is judged by its status first, which needs no rule.
///
/// ```
/// let rules = breakfall::classify::fixed_rules();
/// assert!(rules.into_iter().any(|rule| rule.id == "io.refused" && rule.about == "Connection was refused"));
/// ```
pub fn fixed_rules() -> impl Iterator<Item = Rule<'static>> {
    io::rules().chain(exit::rules())
}

pub use crate::catalog::status;
pub use classifier::Classifier;
pub use rule::{Rule, RuleError, TextRule};
pub use text::PhraseProblem;

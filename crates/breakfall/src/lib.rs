//! Every failure of a tool, as one thing an agent can act on.
//!
//! A [`Fault`](struct@Fault) says what happened, whether and when to retry, what to change, what to call instead
//! and whom to ask. It is written once and read in any of seven wire formats:
//!
//! ```
//! use breakfall::Fault;
//! use breakfall::redact::Redactor;
//! use breakfall::wire::{Dialect, Options, encode};
//!
//! fn user(id: &str) -> Result<String, Fault> {
//!     Err(Fault::not_found("user", id).fallback_tool("list_users"))
//! }
//!
//! let outcome = Redactor::client().outcome(user("usr_999"));
//! let document = encode(outcome.as_ref(), Dialect::ResponseV2, &Options::new())?.to_value();
//! assert_eq!(document["success"], false);
//! assert_eq!(document["data"]["error_code"], "RESOURCE_NOT_FOUND");
//! # Ok::<(), breakfall::wire::EncodeError>(())
//! ```
//!
//! A handler that fails with `?` needs no more than that; `server` (feature `rmcp`) does the rest. The modules, in the
//! order data flows:
//!
//! | | module | feature | what it does |
//! |---|---|---|---|
//! | in | [`classify`] | | a foreign bare failure becomes a fault, with the rule that decided and how sure it is: HTTP, JSON-RPC, `std::io`, panics, exit states, tool results, words |
//! | | `validate` | `validate` | arguments against a JSON Schema: every violation, and arguments that would do |
//! | | [`derive@Fault`] | `derive` | an error enum becomes faults |
//! | | [`ResultExt`], [`OptionExt`] | | `.or_fault(…)` says which fault it is, `.context(…)` what was being done |
//! | model | [`Fault`](struct@Fault), [`Outcome`], [`Warning`] | | what went wrong; a success with warnings, a question, a batch, a fault |
//! | | [`catalog`], [`code`] | | a code is a row that everything else reads; servers add their own |
//! | out | [`redact`] | | what may leave: secrets, personal data, traces, paths, SQL and hosts stay here |
//! | | `locale` | `locale` | messages in the caller's language |
//! | | [`wire`] | | one outcome, seven formats, both directions |
//! | | `server` | `rmcp` | all of the above around a server on the official SDK |
//! | | `http` | `http` | all of the above as an HTTP response |
//! | | `audit` | `audit` | what an audit trail keeps of a call |
//! | before | [`gate`] | | whether a call may be made: trust in its server against the danger of its operation |
//! | | `confirm` | `confirm` | tokens that show that a call was agreed to |
//! | back | [`read`](mod@read) | | the caller's side: any reply becomes an outcome and advice what to do next |
//!
//! # Features
//!
//! `derive` is on by default. `anyhow`, `hyper` and `reqwest` add the errors of those crates to [`classify`]. Features add API and
//! never change behaviour, and none of them brings I/O of its own.

pub mod suggest;
mod ladder;
mod details;
mod template;
pub mod code;
pub mod catalog;
mod phrase;
mod violation;
#[cfg(feature = "locale")]
pub mod locale;
mod elicitation;
mod fault;
mod ext;
mod warning;
mod outcome;
pub mod gate;
#[cfg(feature = "confirm")]
pub mod confirm;
#[cfg(feature = "locale")]
mod speak;
pub mod redact;
mod render;
pub mod wire;
pub mod classify;
#[cfg(feature = "validate")]
pub mod validate;
pub mod read;
#[cfg(feature = "audit")]
pub mod audit;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "rmcp")]
pub mod server;
#[cfg(feature = "derive")]
mod derive;
#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private;

#[doc(inline)]
pub use catalog::codes;
#[doc(inline)]
pub use catalog::registry::{Catalog, Codes};
pub use code::{Category, Code, Entry, Hint, Origin, Retry, Severity};
#[cfg(feature = "derive")]
pub use derive::Fault;
pub use details::Details;
pub use ext::{IntoFault, IntoNamedFault, OptionExt, ResultExt};
pub use fault::{
    Confidence, CorrelationId, Fault, InvalidCorrelationId, LimitType, Provenance, Public, Report,
    Stamp, Window,
};
/// What `Fault::at`, `Fault::resets_at` and `Reading::delay` take.
pub use jiff::Timestamp;
pub use outcome::{
    Batch, Choice, Elicitation, Fidelity, Item, ItemResult, Outcome, Success, Tally, Verdict,
};
pub use read::read;
pub use violation::Violation;
pub use warning::Warning;

/// Keeps the example in the README true.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

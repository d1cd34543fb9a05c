//! `mcp-aql`: `{success: false, error: {code, message, details}}`, warnings beside `data`, results of a batch.

mod decode;
mod encode;
mod results;
mod warnings;

pub use crate::warning::MAX_WARNINGS;
pub(crate) use decode::decode;
pub(crate) use encode::encode;

use crate::catalog::registry::{Catalog, TextWarnings};
use crate::catalog::status;
use crate::catalog::{self, codes};
use crate::code::{Code, Status};
use crate::fault::{Fault, Public};
use crate::wire::{Options, foreign};

/// Holds the message templates of a server's own rows against the rules for `error.message`. A server that speaks this
/// dialect calls it once at start.
///
/// # Errors
/// When a template looks like leaked internals, says nothing, or has a value without quotes: all rows at once.
///
/// ```
/// use breakfall::catalog::registry::Catalog;
/// use breakfall::wire::mcp_aql;
///
/// assert!(mcp_aql::check_texts(&Catalog::builtin()).is_ok());
/// ```
pub fn check_texts(catalog: &Catalog) -> Result<(), TextWarnings> {
    let mut found = catalog.text_warnings();
    found
        .0
        .retain(|(_, problem)| problem.field.starts_with("message"));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The registered name; to the letter, one of the first two registries.
pub(crate) fn code_name<'a>(public: &'a Public, options: &Options) -> &'a str {
    let entry = public.code.entry();
    match (options.strict, entry.status) {
        (true, _) => entry.names.mcp_aql_strict,
        (false, Status::Custom) => entry.name,
        (false, _) => as_it_came(public, options).unwrap_or(entry.names.mcp_aql),
    }
}

/// A foreign name that stands in place of a registered one.
fn as_it_came<'a>(public: &'a Public, options: &Options) -> Option<&'a str> {
    foreign::as_it_came(public, |name| by_foreign_name(name, options)).filter(|_| !options.strict)
}

/// Codes that share a name here are told apart by their status, so it is written even if no upstream sent it.
pub(crate) fn http_status(public: &Public, options: &Options) -> Option<u16> {
    let entry = public.code.entry();
    let merged = is_merged(entry.names.mcp_aql)
        && entry.name != entry.names.mcp_aql
        && entry.status != Status::Custom
        && as_it_came(public, options).is_none();
    public.http_status.or(merged.then_some(entry.http))
}

fn is_merged(name: &str) -> bool {
    name == codes::PERMISSION_DENIED.name() || name == codes::INTERNAL_ERROR.name()
}

/// A status tells codes apart that share a name.
pub(crate) fn refine(code: Code, status: Option<u16>) -> Code {
    let exact = status
        .filter(|_| is_merged(code.name()))
        .map(status::code_for_status);
    exact
        .filter(|exact| exact.entry().names.mcp_aql == code.name())
        .unwrap_or(code)
}

pub(crate) fn by_foreign_name(name: &str, options: &Options) -> Fault {
    if let Some(code) = by_name(name).or_else(|| options.code(name)) {
        return Fault::new(code);
    }
    match alias(name) {
        Some((code, true)) => Fault::new(code).domain_code(name),
        Some((code, false)) => Fault::new(code),
        None => foreign::unknown(name, None),
    }
}

/// The code of a registered name: the one of that very name, or the first that goes by it.
pub(crate) fn by_name(name: &str) -> Option<Code> {
    let mut named = catalog::CODES
        .iter()
        .filter(|code| code.entry().names.mcp_aql == name);
    let first = named.clone().next();
    named.find(|code| code.name() == name).or(first).copied()
}

/// The code of a companion document's name, and whether the name says more than the code.
pub(crate) fn alias(name: &str) -> Option<(Code, bool)> {
    let known = ALIASES
        .iter()
        .find(|(have, ..)| name == *have || (have.ends_with('_') && name.starts_with(have)));
    known.map(|(_, code, says_more)| (*code, *says_more))
}

/// Names of companion documents, and whether they say more than the code they become.
const ALIASES: &[(&str, Code, bool)] = &[
    (
        "VALIDATION_UNKNOWN_OPERATION",
        codes::NOT_FOUND_OPERATION,
        false,
    ),
    (
        "VALIDATION_WRONG_ENDPOINT",
        codes::VALIDATION_ENDPOINT_MISMATCH,
        false,
    ),
    (
        "SERIALIZATION_PARSE_ERROR",
        codes::INTERNAL_BAD_UPSTREAM,
        false,
    ),
    ("UPSTREAM_TOOL_ERROR", codes::UNAVAILABLE_DEPENDENCY, true),
    ("TRANSPORT_TIMEOUT", codes::UNAVAILABLE_TIMEOUT, true),
    ("TRANSPORT_TLS_ERROR", codes::UNAVAILABLE_TLS, true),
    ("TRANSPORT_", codes::UNAVAILABLE_NETWORK, true),
    ("PLUGIN_", codes::INTERNAL_CONFIGURATION, true),
    ("AUTH_", codes::INTERNAL_CONFIGURATION, true),
];

/// Codes its integration guide calls recoverable and sends without `isError`.
pub(crate) fn is_recoverable(code: Code) -> bool {
    let name = code.entry().names.mcp_aql;
    name.starts_with("NOT_FOUND_") || RECOVERABLE.contains(&name)
}

const RECOVERABLE: &[&str] = &[
    "VALIDATION_MISSING_PARAM",
    "VALIDATION_INVALID_TYPE",
    "VALIDATION_INVALID_VALUE",
    "PERMISSION_DENIED",
    "RATE_LIMIT_EXCEEDED",
    "RATE_LIMIT_QUOTA_PAUSE",
    "CONFIRMATION_REQUIRED",
];

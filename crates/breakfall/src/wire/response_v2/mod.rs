//! `response-v2`: the `{success, data, error, meta}` envelope, with warnings and partial success.

mod decode;
mod encode;
pub(super) mod partial;

pub(crate) use decode::decode;
pub(crate) use encode::encode;

use crate::catalog::{self, codes};
use crate::code::{Category, Code, Status};
use crate::fault::{Confidence, Fault, Provenance, Public};
use crate::wire::{Options, foreign};

/// `meta.version`.
pub const VERSION: &str = "response-v2";

/// What a failure without a code is known by.
pub(crate) const NO_CODE: &str = "response-v2: no error_code";

/// The key for data that is not an object, which the envelope demands.
const RESULT_KEY: &str = "result";

/// Code and type as they are written. To the letter, only what the fault states is written.
pub(crate) fn stated<'a>(
    public: &'a Public,
    options: &Options,
) -> (Option<&'a str>, Option<&'static str>) {
    let names = &public.code.entry().names;
    let known = public
        .provenance()
        .map_or(Confidence::Exact, |provenance| provenance.confidence);
    let name = foreign::domain_code(public).unwrap_or(names.response_v2);
    (
        (!options.strict || known != Confidence::Default).then_some(name),
        (!options.strict || known == Confidence::Exact).then_some(names.error_type),
    )
}

/// The code of a name and a type. What is missing is inferred, and the provenance says so.
pub(crate) fn fault_of(name: Option<&str>, kind: Option<&str>, options: &Options) -> Fault {
    let of_type = kind.and_then(code_of_type);
    let Some(name) = name else {
        let fault = Fault::new(of_type.unwrap_or(codes::INTERNAL_ERROR));
        return fault.provenance(Provenance::new(NO_CODE, Confidence::Default));
    };
    let known = CODES.iter().filter(|(have, ..)| *have == name);
    let known = known
        .clone()
        .find(|(_, of, _)| Some(*of) == kind)
        .or(known.clone().next());
    let custom = |code: &Code| code.entry().status == Status::Custom;
    let fault = match (known, options.code(name).filter(custom)) {
        (Some((_, _, code)), _) => Fault::new(*code),
        (None, Some(code)) => Fault::new(code),
        (None, None) => foreign_fault(name, of_type),
    };
    match kind {
        Some(_) => fault,
        None => fault.provenance(Provenance::new(
            "response-v2: no error_type",
            Confidence::Structural,
        )),
    }
}

/// A name outside the registry, kept beside the code it comes nearest to.
fn foreign_fault(name: &str, of_type: Option<Code>) -> Fault {
    let live = LIVE
        .iter()
        .find(|(have, _)| *have == name)
        .map(|(_, code)| *code);
    let agrees = |code: &Code| of_type.is_none_or(|of_type| of_type.category() == code.category());
    match live.filter(agrees).or(of_type) {
        Some(code) => Fault::new(code).domain_code(name),
        None => foreign::unknown(name, None),
    }
}

fn code_of_type(kind: &str) -> Option<Code> {
    match kind {
        "feature_flag" => Some(codes::PERMISSION_FEATURE_DISABLED),
        "ai_provider" => Some(codes::UNAVAILABLE_DEPENDENCY),
        other => Category::from_word(other).map(catalog::usual),
    }
}

/// Names of servers in use that say more than their type.
const LIVE: &[(&str, Code)] = &[
    ("DUPLICATE_ENTRY", codes::CONFLICT_ALREADY_EXISTS),
    ("FEATURE_DISABLED", codes::PERMISSION_FEATURE_DISABLED),
    ("TIMEOUT", codes::UNAVAILABLE_TIMEOUT),
    ("VERSION_CONFLICT", codes::CONFLICT_VERSION_MISMATCH),
];

/// The registry, with the native code each name stands for when nothing more is said.
pub(crate) const CODES: &[(&str, &str, Code)] = &[
    (
        "VALIDATION_ERROR",
        "validation",
        codes::VALIDATION_INVALID_VALUE,
    ),
    (
        "INVALID_FORMAT",
        "validation",
        codes::VALIDATION_PATTERN_MISMATCH,
    ),
    (
        "MISSING_REQUIRED",
        "validation",
        codes::VALIDATION_MISSING_PARAM,
    ),
    (
        "VALUE_OUT_OF_RANGE",
        "validation",
        codes::VALIDATION_OUT_OF_RANGE,
    ),
    (
        "AUTHENTICATION_REQUIRED",
        "authentication",
        codes::AUTHENTICATION_REQUIRED,
    ),
    (
        "INVALID_CREDENTIALS",
        "authentication",
        codes::AUTHENTICATION_INVALID_CREDENTIALS,
    ),
    (
        "TOKEN_EXPIRED",
        "authentication",
        codes::AUTHENTICATION_EXPIRED,
    ),
    (
        "PERMISSION_DENIED",
        "authorization",
        codes::PERMISSION_DENIED,
    ),
    (
        "QUOTA_EXCEEDED",
        "rate_limit",
        codes::RATE_LIMIT_QUOTA_EXHAUSTED,
    ),
    ("RESOURCE_NOT_FOUND", "not_found", codes::NOT_FOUND_RESOURCE),
    (
        "RESOURCE_ALREADY_EXISTS",
        "conflict",
        codes::CONFLICT_ALREADY_EXISTS,
    ),
    (
        "RESOURCE_CONFLICT",
        "conflict",
        codes::CONFLICT_INVALID_STATE,
    ),
    (
        "RATE_LIMIT_EXCEEDED",
        "rate_limit",
        codes::RATE_LIMIT_EXCEEDED,
    ),
    ("INTERNAL_ERROR", "internal", codes::INTERNAL_ERROR),
    (
        "SERVICE_UNAVAILABLE",
        "unavailable",
        codes::UNAVAILABLE_SERVICE,
    ),
    (
        "DEPENDENCY_FAILED",
        "unavailable",
        codes::UNAVAILABLE_DEPENDENCY,
    ),
    (
        "DEPENDENCY_FAILED",
        "internal",
        codes::INTERNAL_BAD_UPSTREAM,
    ),
];

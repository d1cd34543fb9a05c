//! The built-in codes by name, and all of them in order.

use crate::code::Code;

/// Declares the constant of every row and the list of all of them, so that neither can lack one of the other's.
macro_rules! codes {
    ($($file:ident { $($(#[$doc:meta])+ $name:ident,)+ })+) => {
        $($($(#[$doc])+ pub const $name: Code = Code::new(&super::$file::$name);)+)+

        /// Every built-in code, by category and within it from the general to the particular.
        pub static CODES: &[Code] = &[$($($name,)+)+];
    };
}

codes! {
    validation {
        /// A value breaks a rule no narrower validation code describes.
        VALIDATION_INVALID_VALUE,
        /// A required parameter is absent.
        VALIDATION_MISSING_PARAM,
        /// A parameter has the wrong JSON type.
        VALIDATION_INVALID_TYPE,
        /// A string does not match its pattern or named format.
        VALIDATION_PATTERN_MISMATCH,
        /// A value is not one of the allowed ones.
        VALIDATION_INVALID_ENUM,
        /// A number, length or count is out of bounds.
        VALIDATION_OUT_OF_RANGE,
        /// The arguments name parameters the operation does not have.
        VALIDATION_UNKNOWN_PARAM,
        /// The input object of an update names fields the resource does not have.
        VALIDATION_UNKNOWN_FIELD,
        /// The request is not UTF-8.
        VALIDATION_INVALID_ENCODING,
        /// A request or response passes a size limit.
        VALIDATION_PAYLOAD_TOO_LARGE,
        /// The operation belongs to another endpoint.
        VALIDATION_ENDPOINT_MISMATCH,
        /// The call sets a field only the server sets.
        VALIDATION_READ_ONLY_FIELD,
        /// A batch as a whole is malformed.
        BATCH_VALIDATION_ERROR,
    }
    schema {
        /// A schema document lacks a mandatory field.
        SCHEMA_MISSING_FIELD,
        /// A field of a schema document has the wrong type.
        SCHEMA_INVALID_TYPE,
        /// A reference in a schema document leads nowhere.
        SCHEMA_UNRESOLVED_REF,
        /// A name in a schema document is declared twice.
        SCHEMA_DUPLICATE_NAME,
        /// A name in a schema document breaks the naming rule.
        SCHEMA_INVALID_NAME,
        /// A schema document uses a deprecated version.
        SCHEMA_VERSION_DEPRECATED,
        /// A schema document uses a version this library does not read.
        SCHEMA_VERSION_UNSUPPORTED,
    }
    authentication {
        /// Credentials are needed and none came.
        AUTHENTICATION_REQUIRED,
        /// The credentials were refused.
        AUTHENTICATION_INVALID_CREDENTIALS,
        /// The credentials are no longer valid.
        AUTHENTICATION_EXPIRED,
    }
    authorization {
        /// The caller may not do this.
        PERMISSION_DENIED,
        /// The adapter lacks the trust the operation asks for.
        PERMISSION_TRUST_LEVEL_INSUFFICIENT,
        /// The operation is too dangerous for the adapter's trust.
        PERMISSION_DANGER_LEVEL_DENIED,
        /// A policy forbids the operation.
        PERMISSION_NOT_ALLOWED,
        /// The feature is switched off.
        PERMISSION_FEATURE_DISABLED,
    }
    confirmation {
        /// A person has to agree first.
        CONFIRMATION_REQUIRED,
        /// The confirmation token is unknown or malformed.
        TOKEN_INVALID,
        /// The confirmation token is past its time.
        TOKEN_EXPIRED,
        /// The confirmation token was redeemed before.
        TOKEN_ALREADY_USED,
        /// The confirmation token belongs to another call.
        TOKEN_SCOPE_MISMATCH,
    }
    not_found {
        /// The resource does not exist.
        NOT_FOUND_RESOURCE,
        /// The tool or operation does not exist.
        NOT_FOUND_OPERATION,
    }
    conflict {
        /// The resource exists already.
        CONFLICT_ALREADY_EXISTS,
        /// The resource changed since it was read.
        CONFLICT_VERSION_MISMATCH,
        /// The resource is in the wrong state.
        CONFLICT_INVALID_STATE,
        /// The same operation was carried out before.
        CONFLICT_DUPLICATE_OPERATION,
    }
    rate_limit {
        /// Too many calls in the window.
        RATE_LIMIT_EXCEEDED,
        /// A quota waits for a person to let it go on.
        RATE_LIMIT_QUOTA_PAUSE,
        /// A quota is used up.
        RATE_LIMIT_QUOTA_EXHAUSTED,
    }
    business {
        /// A rule of the domain forbids it.
        BUSINESS_RULE_VIOLATION,
        /// The account does not hold enough.
        BUSINESS_INSUFFICIENT_BALANCE,
    }
    unavailable {
        /// The service is down or refuses work.
        UNAVAILABLE_SERVICE,
        /// Something the service relies on has failed.
        UNAVAILABLE_DEPENDENCY,
        /// No answer came in time.
        UNAVAILABLE_TIMEOUT,
        /// The circuit breaker is open.
        UNAVAILABLE_CIRCUIT_OPEN,
        /// Too many calls are in flight.
        UNAVAILABLE_OVERLOADED,
        /// The service cannot be reached.
        UNAVAILABLE_NETWORK,
        /// No secure connection can be made.
        UNAVAILABLE_TLS,
    }
    internal {
        /// An unforeseen defect.
        INTERNAL_ERROR,
        /// The upstream's answer cannot be read.
        INTERNAL_BAD_UPSTREAM,
        /// An adapter failed in its own vocabulary.
        INTERNAL_ADAPTER,
        /// The operation has not been built.
        INTERNAL_NOT_IMPLEMENTED,
        /// The server is set up wrongly.
        INTERNAL_CONFIGURATION,
        /// The failure could not be classified.
        INTERNAL_UNKNOWN,
        /// Every item of a batch failed.
        BATCH_FAILED,
        /// Some items of a batch failed; an outcome rather than a fault.
        BATCH_PARTIAL_FAILURE,
    }
}

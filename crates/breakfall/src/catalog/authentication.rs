//! The caller is not known, or not any more.

use super::base;
use super::detail::may;
use crate::code::{Category, Entry, Grpc, Hint, Names, Origin, Retry, Shape, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Authentication,
    status: Status::Extension,
    retry: Retry::AfterChange,
    actions: &["refresh_token", "reauthenticate"],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Caller,
    http: 401,
    grpc: Grpc::Unauthenticated,
    names: Names {
        error_type: "authentication",
        mcp_error: "UNAUTHORIZED",
        error_model: 4001,
        tool_error: "AUTHENTICATION_ERROR",
        mcp_aql: "PERMISSION_DENIED",
        mcp_aql_strict: "PERMISSION_DENIED",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

pub(super) static AUTHENTICATION_REQUIRED: Entry = Entry {
    name: "AUTHENTICATION_REQUIRED",
    meaning: "The call needs credentials and came without any.",
    when: "A request without credentials reaches something not open to everybody.",
    message: Text {
        template: "Authentication required for '{service}'",
        plain: "Authentication required",
    },
    details: &[
        may("service", Shape::Text, "The service that was called."),
        may(
            "scheme",
            Shape::Text,
            "The way to authenticate, for example Bearer.",
        ),
        may(
            "http_status",
            Shape::Integer,
            "The HTTP status the target answered with.",
        ),
    ],
    remediation: Text {
        template: "Sign in to '{service}' or configure credentials for it, then call again.",
        plain: "Sign in or configure credentials, then call again.",
    },
    user: "You need to sign in first.",
    names: Names {
        response_v2: "AUTHENTICATION_REQUIRED",
        ..BASE.names
    },
    ..BASE
};

pub(super) static AUTHENTICATION_INVALID_CREDENTIALS: Entry = Entry {
    name: "AUTHENTICATION_INVALID_CREDENTIALS",
    meaning: "Credentials were sent and were not accepted.",
    when: "The key, token or password is wrong, revoked or meant for somebody else.",
    message: Text {
        template: "Authentication failed: credentials for '{service}' were refused",
        plain: "Authentication failed: credentials were refused",
    },
    details: &[
        may("service", Shape::Text, "The service that was called."),
        may(
            "scheme",
            Shape::Text,
            "The way to authenticate, for example Bearer.",
        ),
        may(
            "http_status",
            Shape::Integer,
            "The HTTP status the target answered with.",
        ),
    ],
    remediation: Text {
        template: "Replace the credentials for '{service}': the same ones will be refused again.",
        plain: "Replace the credentials: the same ones will be refused again.",
    },
    user: "Your sign-in details were not accepted.",
    names: Names {
        response_v2: "INVALID_CREDENTIALS",
        ..BASE.names
    },
    ..BASE
};

pub(super) static AUTHENTICATION_EXPIRED: Entry = Entry {
    name: "AUTHENTICATION_EXPIRED",
    meaning: "The credentials were good once and are no longer. Not to be confused with TOKEN_EXPIRED, which is about confirmation tokens.",
    when: "An access token or session is past its end of life.",
    message: Text {
        template: "Authentication expired: credentials for '{service}' are no longer valid",
        plain: "Authentication expired: credentials are no longer valid",
    },
    details: &[
        may("service", Shape::Text, "The service that was called."),
        may(
            "expired_at",
            Shape::Timestamp,
            "When the credentials expired.",
        ),
        may(
            "http_status",
            Shape::Integer,
            "The HTTP status the target answered with.",
        ),
    ],
    remediation: Text::fixed("Refresh the access token or sign in again, then call again."),
    user: "Your sign-in has expired; please sign in again.",
    names: Names {
        response_v2: "TOKEN_EXPIRED",
        ..BASE.names
    },
    ..BASE
};

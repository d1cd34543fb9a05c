//! The caller is not known, or not any more.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

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

rows! {
    Code of Entry with details;

    AUTHENTICATION_REQUIRED = "The call needs credentials and came without any." [
        may("service", Text, "The service that was called."),
        may("scheme", Text, "The way to authenticate, for example Bearer."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "A request without credentials reaches something not open to everybody.";
        message.template = "Authentication required for '{service}'";
        message.plain = "Authentication required";
        remediation.template = "Sign in to '{service}' or configure credentials for it, then call again.";
        remediation.plain = "Sign in or configure credentials, then call again.";
        user = "You need to sign in first.";
        names.response_v2 = "AUTHENTICATION_REQUIRED";
    }

    AUTHENTICATION_INVALID_CREDENTIALS = "Credentials were sent and were not accepted." [
        may("service", Text, "The service that was called."),
        may("scheme", Text, "The way to authenticate, for example Bearer."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "The key, token or password is wrong, revoked or meant for another service.";
        message.template = "Authentication failed: credentials for '{service}' were refused";
        message.plain = "Authentication failed: credentials were refused";
        remediation.template = "Replace the credentials for '{service}': the same ones will be refused again.";
        remediation.plain = "Replace the credentials: the same ones will be refused again.";
        user = "Your sign-in details were not accepted.";
        names.response_v2 = "INVALID_CREDENTIALS";
    }

    AUTHENTICATION_EXPIRED = "The credentials were good once and are no longer. Not to be confused with TOKEN_EXPIRED, which is about confirmation tokens." [
        may("service", Text, "The service that was called."),
        may("expired_at", Timestamp, "When the credentials expired."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "An access token or session is past its end of life.";
        message.template = "Authentication expired: credentials for '{service}' are no longer valid";
        message.plain = "Authentication expired: credentials are no longer valid";
        remediation = Text::fixed("Refresh the access token or sign in again, then call again.");
        user = "Your sign-in has expired; please sign in again.";
        names.response_v2 = "TOKEN_EXPIRED";
    }
}

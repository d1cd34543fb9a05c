//! A person has to agree first, or their agreement does not fit the call.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Confirmation,
    status: Status::Phase1,
    retry: Retry::AfterChange,
    actions: &["escalate_to_human"],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Caller,
    http: 403,
    grpc: Grpc::FailedPrecondition,
    names: Names {
        response_v2: "PERMISSION_DENIED",
        error_type: "authorization",
        mcp_error: "OPERATION_NOT_ALLOWED",
        error_model: 4001,
        tool_error: "CLIENT_ERROR",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    CONFIRMATION_REQUIRED = "The operation is dangerous enough for a person to agree first. Nothing has been done yet." [
        need("operation", Text, "The operation that waits for consent."),
        need("danger_level", Text, "The danger of the operation."),
        may("reasons", Texts, "Why consent is asked for."),
        may("confirmation_message", Text, "The question to put to the person."),
        need("confirmation_token", Text, "The token to send along once the person has agreed."),
        need("expires_at", Timestamp, "When the token expires."),
        may("retry_after_seconds", Integer, "Whole seconds to wait before the next try."),
        may("not_before", Timestamp, "The earliest moment the token may be redeemed, if there is a cooldown."),
    ] {
        when = "The gate lets the operation pass only with a confirmation token, and the call carries none.";
        message = Text::fixed("This operation requires confirmation");
        remediation.template = "Ask a person to approve; then send the same call with the argument _confirmation set to '{confirmation_token}' before {expires_at}.";
        remediation.plain = "Ask a person to approve; then send the same call with the token in '_confirmation'.";
        user = "This action needs your approval first.";
        origin = Origin::Gateway;
        names.needs_input = Some("_confirmation");
        names.mcp_aql_strict = "CONFIRMATION_REQUIRED";
    }

    TOKEN_INVALID = "The confirmation token is unknown or malformed; the two are deliberately not told apart." [
        need("token", Text, "The token that was presented."),
    ] {
        when = "A call presents a token the store does not have.";
        message = Text::fixed("Invalid confirmation token");
        remediation = Text::fixed("Send the call without a token to get a new one, then ask a person to approve it.");
        user = "The approval was not recognised.";
        http = 400;
        grpc = Grpc::InvalidArgument;
        names.response_v2 = "VALIDATION_ERROR";
        names.error_type = "validation";
        names.mcp_error = "INVALID_INPUT";
        names.error_model = 2001;
        names.mcp_aql_strict = "TOKEN_INVALID";
    }

    TOKEN_EXPIRED = "The confirmation token was real and its time is over. Expired credentials are AUTHENTICATION_EXPIRED." [
        need("token", Text, "The token that was presented."),
        need("expired_at", Timestamp, "When it expired."),
        need("current_time", Timestamp, "The server's time when it was presented."),
    ] {
        when = "A token is presented after its expiry, clock tolerance included.";
        message = Text::fixed("Confirmation token has expired");
        remediation = Text::fixed("Drop the expired token, ask a person to approve once more, and use the new token in time.");
        user = "The approval came too late; please approve again.";
        names.mcp_aql_strict = "TOKEN_EXPIRED";
    }

    TOKEN_ALREADY_USED = "The confirmation token has been redeemed before; it is good for one call only." [
        need("token", Text, "The token that was presented."),
        may("consumed_at", Timestamp, "When it was redeemed."),
    ] {
        when = "A token is presented a second time, often by a retry of a call which went through.";
        message = Text::fixed("Confirmation token has already been used");
        remediation = Text::fixed("Look for the result of the earlier call; ask for a new approval only if the action must happen a second time.");
        user = "This approval has already been used.";
        retry = Retry::Never;
        actions = &["get_existing_result", "skip_operation"];
        names.response_v2 = "RESOURCE_CONFLICT";
        names.error_type = "conflict";
        names.mcp_error = "DUPLICATE_OPERATION";
        names.mcp_aql_strict = "TOKEN_ALREADY_USED";
    }

    TOKEN_SCOPE_MISMATCH = "The confirmation token was issued for another call: another operation, other arguments or another caller." [
        need("token", Text, "The token that was presented."),
        need("token_operation", Text, "The operation the token was issued for."),
        need("requested_operation", Text, "The operation it was presented with."),
    ] {
        when = "A valid token is presented with a call it is not bound to.";
        message = Text::fixed("Confirmation token scope mismatch");
        remediation.template = "Use the token only with the very call it was issued for ('{token_operation}'), or ask a person to approve this one.";
        remediation.plain = "Use the token only with the very call it was issued for, or ask a person to approve this one.";
        user = "The approval was given for a different action.";
        names.mcp_aql_strict = "TOKEN_SCOPE_MISMATCH";
    }
}

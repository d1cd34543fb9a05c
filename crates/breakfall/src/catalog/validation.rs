//! The input is wrong: the caller changes it and calls again.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Validation,
    retry: Retry::AfterChange,
    actions: &["check_input_format", "get_schema_info"],
    hint: Hint::CheckInput,
    hint_with_fallback: Hint::CheckInput,
    origin: Origin::Caller,
    rpc: Some(-32602),
    grpc: Grpc::InvalidArgument,
    names: Names {
        response_v2: "VALIDATION_ERROR",
        error_type: "validation",
        error_model: 2001,
        tool_error: "CLIENT_ERROR",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    VALIDATION_INVALID_VALUE = "A value has the right type and still cannot be used: it breaks a rule no narrower validation code describes." [
        need("param_name", Text, "The name of the parameter, or the dotted path to it."),
        may("operation", Text, "The operation that was called."),
        may("reason", Text, "Why the value was refused, in one sentence."),
        may("expected", Text, "What would have been accepted."),
        may("value", Any, "The value that was refused, if it is safe to repeat."),
    ] {
        when = "A parameter fails a check of the tool or of its schema, and none of the codes for missing values, types, patterns, choices or ranges fits.";
        message.template = "Parameter '{param_name}' has an invalid value";
        message.plain = "Invalid value";
        sentence = Some("Parameter '{param_name}' has an invalid value: {reason}");
        remediation.template = "Correct '{param_name}' as the details say, then call again.";
        remediation.plain = "Correct the value as the details say, then call again.";
        user = "Some of the information given is not valid.";
        http = 422;
        names.mcp_error = "VALIDATION_FAILED";
        names.mcp_aql_strict = "VALIDATION_INVALID_TYPE";
    }

    VALIDATION_MISSING_PARAM = "The call lacks a parameter the operation cannot do without." [
        need("param_name", Text, "The name of the missing parameter."),
        may("operation", Text, "The operation that needs it."),
    ] {
        status = Status::Mvp;
        when = "A parameter the schema marks as required is absent from the arguments.";
        message.template = "Missing required parameter '{param_name}'";
        message.plain = "Missing required parameter";
        remediation.template = "Add '{param_name}' to the arguments, then call again.";
        remediation.plain = "Add the missing parameter to the arguments, then call again.";
        user = "Some required information is missing.";
        http = 400;
        names.response_v2 = "MISSING_REQUIRED";
        names.mcp_error = "VALIDATION_FAILED";
        names.error_model = 2002;
        names.mcp_aql_strict = "VALIDATION_MISSING_PARAM";
    }

    VALIDATION_INVALID_TYPE = "A parameter is there but has the wrong JSON type." [
        need("param_name", Text, "The name of the parameter, or the dotted path to it."),
        need("expected_type", Text, "The type the schema wants."),
        need("actual_type", Text, "The type that came."),
        may("value", Any, "The value that was refused, if it is safe to repeat."),
    ] {
        status = Status::Mvp;
        when = "The schema wants one type, a number for example, and the arguments hold another.";
        message.template = "Parameter '{param_name}' expected '{expected_type}', got '{actual_type}'";
        message.plain = "Parameter has the wrong type";
        remediation.template = "Send '{param_name}' as {expected_type}, then call again.";
        remediation.plain = "Send the parameter with the type its schema declares, then call again.";
        user = "Some information was given in the wrong form.";
        http = 400;
        names.response_v2 = "INVALID_FORMAT";
        names.mcp_error = "INVALID_INPUT";
        names.mcp_aql_strict = "VALIDATION_INVALID_TYPE";
    }

    VALIDATION_PATTERN_MISMATCH = "A string is not written the way it has to be: it fails a regular expression or a named format such as an e-mail address or a date." [
        need("param_name", Text, "The name of the parameter, or the dotted path to it."),
        need("pattern", Text, "The regular expression, or the name of the format."),
        may("example", Text, "A value of the wanted form."),
        may("value", Any, "The value that was refused, if it is safe to repeat."),
    ] {
        status = Status::Future;
        when = "The schema declares a pattern or a format and the value does not match it.";
        message.template = "Parameter '{param_name}' does not match '{pattern}'";
        message.plain = "Parameter does not match its pattern";
        remediation.template = "Rewrite '{param_name}' to match '{pattern}', then call again.";
        remediation.plain = "Rewrite the value to match its declared pattern, then call again.";
        user = "Some information is not written the way it has to be.";
        http = 422;
        names.response_v2 = "INVALID_FORMAT";
        names.mcp_error = "VALIDATION_FAILED";
        names.error_model = 2003;
        names.mcp_aql_strict = "VALIDATION_INVALID_TYPE";
    }

    VALIDATION_INVALID_ENUM = "The value is not one of those the parameter allows." [
        need("param_name", Text, "The name of the parameter, or the dotted path to it."),
        need("allowed_values", Any, "The list of allowed values."),
        may("suggestion", Any, "The allowed value nearest to the one given."),
        may("value", Any, "The value that was refused, if it is safe to repeat."),
    ] {
        status = Status::Future;
        when = "The schema lists the allowed values and the one that came is not among them.";
        message.template = "Parameter '{param_name}' must be one of '{allowed_values}'";
        message.plain = "Parameter is not one of the allowed values";
        remediation.template = "Pick an allowed value for '{param_name}': {allowed_values}.";
        remediation.plain = "Pick one of the values the tool's input schema lists.";
        user = "One of the choices given does not exist.";
        http = 422;
        names.mcp_error = "VALIDATION_FAILED";
        names.mcp_aql_strict = "VALIDATION_INVALID_TYPE";
    }

    VALIDATION_OUT_OF_RANGE = "A number, a length or a count lies outside the bounds of the parameter." [
        need("param_name", Text, "The name of the parameter, or the dotted path to it."),
        may("minimum", Number, "The smallest value allowed."),
        may("maximum", Number, "The largest value allowed."),
        may("value", Any, "The value that was refused, if it is safe to repeat."),
    ] {
        status = Status::Future;
        when = "The schema sets a minimum, a maximum or both, and the value passes one of them.";
        message.template = "Parameter '{param_name}' is out of range";
        message.plain = "Parameter is out of range";
        sentence = Some("Parameter '{param_name}' must be between {minimum} and {maximum}");
        remediation.template = "Send a value from {minimum} to {maximum} for '{param_name}'.";
        remediation.plain = "Send a value inside the bounds of the tool's input schema.";
        user = "A number given is too small or too large.";
        http = 422;
        grpc = Grpc::OutOfRange;
        names.response_v2 = "VALUE_OUT_OF_RANGE";
        names.mcp_error = "VALIDATION_FAILED";
        names.mcp_aql_strict = "VALIDATION_INVALID_TYPE";
    }

    VALIDATION_UNKNOWN_PARAM = "The arguments contain parameters the operation does not have. For fields inside the input object of an update there is VALIDATION_UNKNOWN_FIELD." [
        need("operation", Text, "The operation that was called."),
        need("unknown_params", Texts, "The unknown names."),
        need("valid_params", Texts, "The names the operation has."),
    ] {
        status = Status::Mvp;
        when = "One or more names in the arguments are not in the operation's schema, and unknown names are refused rather than ignored.";
        message.template = "Unknown parameter(s) for operation '{operation}': {param_list}";
        message.plain = "Unknown parameter(s)";
        remediation.template = "Remove the unknown parameters or use these names: {valid_params}.";
        remediation.plain = "Remove the unknown parameters or look up their names in the tool's input schema.";
        user = "The request contained something the tool does not understand.";
        http = 400;
        names.mcp_error = "INVALID_INPUT";
        names.mcp_aql_strict = "VALIDATION_UNKNOWN_PARAM";
    }

    VALIDATION_UNKNOWN_FIELD = "The input object of an update names fields the resource does not have. For the arguments themselves there is VALIDATION_UNKNOWN_PARAM." [
        need("operation", Text, "The operation that was called."),
        need("unknown_fields", Texts, "The unknown names."),
        may("valid_fields", Texts, "The names the resource has."),
    ] {
        status = Status::Companion;
        when = "An update carries a nested input object with one or more names its schema lacks.";
        message.template = "Unknown field(s) in the input of operation '{operation}': '{unknown_fields}'";
        message.plain = "Unknown field(s) in the input";
        remediation.template = "Leave the unknown fields out of the input object; it may have: {valid_fields}.";
        remediation.plain = "Leave the unknown fields out of the input object.";
        user = "One of the things to be changed does not exist.";
        http = 400;
        names.mcp_error = "INVALID_INPUT";
        names.mcp_aql_strict = "VALIDATION_UNKNOWN_PARAM";
    }

    VALIDATION_INVALID_ENCODING = "The bytes of the request are not UTF-8." [
        may("location", Text, "Where in the request, for example params.description."),
        may("byte_offset", Integer, "Offset of the first bad byte."),
    ] {
        status = Status::Mvp;
        when = "Decoding the frame or one of its strings meets a sequence UTF-8 does not allow.";
        message = Text::fixed("Invalid character encoding in request");
        remediation = Text::fixed("Encode the request as UTF-8, then send it again.");
        user = "The request contained characters nobody can read.";
        actions = &["check_input_format"];
        http = 400;
        names.response_v2 = "INVALID_FORMAT";
        names.mcp_error = "INVALID_INPUT";
        names.error_model = 2003;
        names.mcp_aql_strict = "VALIDATION_INVALID_ENCODING";
    }

    VALIDATION_PAYLOAD_TOO_LARGE = "A request or its response is larger, longer, wider or deeper than the limits allow." [
        need("limit_type", OneOf(LIMIT_TYPES), "Which limit was passed."),
        need("limit_value", Integer, "The limit."),
        need("actual_value", Integer, "The size or count measured."),
        need("unit", OneOf(LIMIT_UNITS), "What is counted."),
    ] {
        status = Status::Mvp;
        when = "A size, length, element count or nesting depth passes its configured limit, on the way in or on the way out.";
        message.template = "Payload exceeds {limit_type} limit of {limit_value}";
        message.plain = "Payload too large";
        remediation.template = "Ask for less or send less: stay within {limit_value} {unit}.";
        remediation.plain = "Ask for less or send less, for example in several smaller calls.";
        user = "The request or its answer is too large.";
        actions = &["reduce_request_scope"];
        http = 413;
        rpc = Some(-32600);
        grpc = Grpc::ResourceExhausted;
        names.mcp_error = "INVALID_INPUT";
        names.mcp_aql_strict = "VALIDATION_PAYLOAD_TOO_LARGE";
    }

    VALIDATION_ENDPOINT_MISMATCH = "The operation exists, but behind another endpoint than the one that was called." [
        need("operation", Text, "The operation that was called."),
        need("expected_endpoint", Text, "The endpoint that has the operation."),
        need("actual_endpoint", Text, "The endpoint that was called."),
    ] {
        status = Status::Companion;
        when = "An operation is sent to an endpoint of another kind, for example a deletion to the endpoint for reading.";
        message.template = "Operation '{operation}' belongs to endpoint '{expected_endpoint}', not '{actual_endpoint}'";
        message.plain = "Operation belongs to another endpoint";
        remediation.template = "Call '{operation}' through the '{expected_endpoint}' endpoint instead.";
        remediation.plain = "Call the operation through the endpoint its schema names.";
        user = "The request was sent to the wrong place.";
        actions = &["get_schema_info"];
        http = 400;
        names.mcp_error = "INVALID_INPUT";
        names.mcp_aql_strict = "NOT_FOUND_OPERATION";
    }

    VALIDATION_READ_ONLY_FIELD = "The call tries to set a field only the server sets." [
        need("param_name", Text, "The name of the parameter, or the dotted path to it."),
        may("operation", Text, "The operation that was called."),
    ] {
        status = Status::Companion;
        when = "An update or a creation carries an identifier, a timestamp or another field the schema marks as read-only.";
        message.template = "Parameter '{param_name}' is read-only";
        message.plain = "Parameter is read-only";
        remediation.template = "Leave '{param_name}' out of the change: the server sets it.";
        remediation.plain = "Leave read-only fields out of the change: the server sets them.";
        user = "One of the things to be changed cannot be changed.";
        http = 422;
        names.mcp_error = "OPERATION_NOT_ALLOWED";
        names.mcp_aql_strict = "VALIDATION_UNKNOWN_PARAM";
    }

    BATCH_VALIDATION_ERROR = "A batch as a whole is malformed, so none of its operations was tried." [
        need("reason", Text, "What is wrong with the batch."),
        may("index", Integer, "Position of the first bad entry."),
    ] {
        status = Status::Companion;
        when = "The list of operations is empty, too long, not a list, or one of its entries names no operation.";
        message.template = "Batch request is invalid: '{reason}'";
        message.plain = "Batch request is invalid";
        remediation = Text::fixed("Send the batch as a list of objects, each with an operation and its params; nothing of it has been done yet.");
        user = "The list of things to do is not valid.";
        http = 400;
        names.mcp_error = "INVALID_INPUT";
        names.mcp_aql_strict = "VALIDATION_INVALID_TYPE";
    }
}

const LIMIT_TYPES: &[&str] = &[
    "request_size",
    "response_size",
    "string_length",
    "array_elements",
    "nesting_depth",
];
const LIMIT_UNITS: &[&str] = &["bytes", "elements", "levels"];

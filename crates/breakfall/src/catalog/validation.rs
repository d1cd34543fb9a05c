//! The input is wrong: the caller changes it and calls again.

use super::base;
use super::detail::{may, need};
use crate::code::{Category, Entry, Grpc, Hint, Names, Origin, Retry, Shape, Status, Text};

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

pub(super) static VALIDATION_INVALID_VALUE: Entry = Entry {
    name: "VALIDATION_INVALID_VALUE",
    status: Status::Extension,
    meaning: "A value has the right type and still cannot be used: it breaks a rule no narrower validation code describes.",
    when: "A parameter fails a check of the tool or of its schema, and none of the codes for missing values, types, patterns, choices or ranges fits.",
    message: Text {
        template: "Parameter '{param_name}' has an invalid value",
        plain: "Invalid value",
    },
    sentence: Some("Parameter '{param_name}' has an invalid value: {reason}"),
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the parameter, or the dotted path to it.",
        ),
        may("operation", Shape::Text, "The operation that was called."),
        may(
            "reason",
            Shape::Text,
            "Why the value was refused, in one sentence.",
        ),
        may("expected", Shape::Text, "What would have been accepted."),
        may(
            "value",
            Shape::Any,
            "The value that was refused, if it is safe to repeat.",
        ),
    ],
    remediation: Text {
        template: "Correct '{param_name}' as the details say, then call again.",
        plain: "Correct the value as the details say, then call again.",
    },
    user: "Some of the information given is not valid.",
    http: 422,
    names: Names {
        mcp_error: "VALIDATION_FAILED",
        mcp_aql: "VALIDATION_INVALID_VALUE",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_MISSING_PARAM: Entry = Entry {
    name: "VALIDATION_MISSING_PARAM",
    status: Status::Mvp,
    meaning: "The call lacks a parameter the operation cannot do without.",
    when: "A parameter the schema marks as required is absent from the arguments.",
    message: Text {
        template: "Missing required parameter '{param_name}'",
        plain: "Missing required parameter",
    },
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the missing parameter.",
        ),
        may("operation", Shape::Text, "The operation that needs it."),
    ],
    remediation: Text {
        template: "Add '{param_name}' to the arguments, then call again.",
        plain: "Add the missing parameter to the arguments, then call again.",
    },
    user: "Some required information is missing.",
    http: 400,
    names: Names {
        response_v2: "MISSING_REQUIRED",
        mcp_error: "VALIDATION_FAILED",
        error_model: 2002,
        mcp_aql: "VALIDATION_MISSING_PARAM",
        mcp_aql_strict: "VALIDATION_MISSING_PARAM",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_INVALID_TYPE: Entry = Entry {
    name: "VALIDATION_INVALID_TYPE",
    status: Status::Mvp,
    meaning: "A parameter is there but has the wrong JSON type.",
    when: "The schema wants one type, a number for example, and the arguments hold another.",
    message: Text {
        template: "Parameter '{param_name}' expected '{expected_type}', got '{actual_type}'",
        plain: "Parameter has the wrong type",
    },
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the parameter, or the dotted path to it.",
        ),
        need("expected_type", Shape::Text, "The type the schema wants."),
        need("actual_type", Shape::Text, "The type that came."),
        may(
            "value",
            Shape::Any,
            "The value that was refused, if it is safe to repeat.",
        ),
    ],
    remediation: Text {
        template: "Send '{param_name}' as {expected_type}, then call again.",
        plain: "Send the parameter with the type its schema declares, then call again.",
    },
    user: "Some information was given in the wrong form.",
    http: 400,
    names: Names {
        response_v2: "INVALID_FORMAT",
        mcp_error: "INVALID_INPUT",
        mcp_aql: "VALIDATION_INVALID_TYPE",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_PATTERN_MISMATCH: Entry = Entry {
    name: "VALIDATION_PATTERN_MISMATCH",
    status: Status::Future,
    meaning: "A string is not written the way it has to be: it fails a regular expression or a named format such as an e-mail address or a date.",
    when: "The schema declares a pattern or a format and the value does not match it.",
    message: Text {
        template: "Parameter '{param_name}' does not match '{pattern}'",
        plain: "Parameter does not match its pattern",
    },
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the parameter, or the dotted path to it.",
        ),
        need(
            "pattern",
            Shape::Text,
            "The regular expression, or the name of the format.",
        ),
        may("example", Shape::Text, "A value of the wanted form."),
        may(
            "value",
            Shape::Any,
            "The value that was refused, if it is safe to repeat.",
        ),
    ],
    remediation: Text {
        template: "Rewrite '{param_name}' to match '{pattern}', then call again.",
        plain: "Rewrite the value to match its declared pattern, then call again.",
    },
    user: "Some information is not written the way it has to be.",
    http: 422,
    names: Names {
        response_v2: "INVALID_FORMAT",
        mcp_error: "VALIDATION_FAILED",
        error_model: 2003,
        mcp_aql: "VALIDATION_PATTERN_MISMATCH",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_INVALID_ENUM: Entry = Entry {
    name: "VALIDATION_INVALID_ENUM",
    status: Status::Future,
    meaning: "The value is none of the few the parameter allows.",
    when: "The schema lists the allowed values and the one that came is not among them.",
    message: Text {
        template: "Parameter '{param_name}' must be one of '{allowed_values}'",
        plain: "Parameter is not one of the allowed values",
    },
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the parameter, or the dotted path to it.",
        ),
        need("allowed_values", Shape::Any, "The list of allowed values."),
        may(
            "suggestion",
            Shape::Any,
            "The allowed value nearest to the one given.",
        ),
        may(
            "value",
            Shape::Any,
            "The value that was refused, if it is safe to repeat.",
        ),
    ],
    remediation: Text {
        template: "Pick an allowed value for '{param_name}': {allowed_values}.",
        plain: "Pick one of the values the tool's input schema lists.",
    },
    user: "One of the choices given does not exist.",
    http: 422,
    names: Names {
        mcp_error: "VALIDATION_FAILED",
        mcp_aql: "VALIDATION_INVALID_ENUM",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_OUT_OF_RANGE: Entry = Entry {
    name: "VALIDATION_OUT_OF_RANGE",
    status: Status::Future,
    meaning: "A number, a length or a count lies outside the bounds of the parameter.",
    when: "The schema sets a minimum, a maximum or both, and the value passes one of them.",
    message: Text {
        template: "Parameter '{param_name}' is out of range",
        plain: "Parameter is out of range",
    },
    sentence: Some("Parameter '{param_name}' must be between {minimum} and {maximum}"),
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the parameter, or the dotted path to it.",
        ),
        may("minimum", Shape::Number, "The smallest value allowed."),
        may("maximum", Shape::Number, "The largest value allowed."),
        may(
            "value",
            Shape::Any,
            "The value that was refused, if it is safe to repeat.",
        ),
    ],
    remediation: Text {
        template: "Send a value from {minimum} to {maximum} for '{param_name}'.",
        plain: "Send a value inside the bounds of the tool's input schema.",
    },
    user: "A number given is too small or too large.",
    http: 422,
    grpc: Grpc::OutOfRange,
    names: Names {
        response_v2: "VALUE_OUT_OF_RANGE",
        mcp_error: "VALIDATION_FAILED",
        mcp_aql: "VALIDATION_OUT_OF_RANGE",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_UNKNOWN_PARAM: Entry = Entry {
    name: "VALIDATION_UNKNOWN_PARAM",
    status: Status::Mvp,
    meaning: "The arguments contain parameters the operation does not have. For fields inside the input object of an update there is VALIDATION_UNKNOWN_FIELD.",
    when: "One or more names in the arguments are not in the operation's schema, and unknown names are refused rather than ignored.",
    message: Text {
        template: "Unknown parameter(s) for operation '{operation}': {param_list}",
        plain: "Unknown parameter(s)",
    },
    details: &[
        need("operation", Shape::Text, "The operation that was called."),
        need("unknown_params", Shape::Texts, "The names nobody knows."),
        need("valid_params", Shape::Texts, "The names the operation has."),
    ],
    remediation: Text {
        template: "Remove the unknown parameters or use these names: {valid_params}.",
        plain: "Remove the unknown parameters or look up their names in the tool's input schema.",
    },
    user: "The request contained something the tool does not understand.",
    http: 400,
    names: Names {
        mcp_error: "INVALID_INPUT",
        mcp_aql: "VALIDATION_UNKNOWN_PARAM",
        mcp_aql_strict: "VALIDATION_UNKNOWN_PARAM",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_UNKNOWN_FIELD: Entry = Entry {
    name: "VALIDATION_UNKNOWN_FIELD",
    status: Status::Companion,
    meaning: "The input object of an update names fields the resource does not have. For the arguments themselves there is VALIDATION_UNKNOWN_PARAM.",
    when: "An update carries a nested input object with one or more names its schema lacks.",
    message: Text {
        template: "Unknown field(s) in the input of operation '{operation}': '{unknown_fields}'",
        plain: "Unknown field(s) in the input",
    },
    details: &[
        need("operation", Shape::Text, "The operation that was called."),
        need("unknown_fields", Shape::Texts, "The names nobody knows."),
        may("valid_fields", Shape::Texts, "The names the resource has."),
    ],
    remediation: Text {
        template: "Leave the unknown fields out of the input object; it may have: {valid_fields}.",
        plain: "Leave the unknown fields out of the input object.",
    },
    user: "One of the things to be changed does not exist.",
    http: 400,
    names: Names {
        mcp_error: "INVALID_INPUT",
        mcp_aql: "VALIDATION_UNKNOWN_FIELD",
        mcp_aql_strict: "VALIDATION_UNKNOWN_PARAM",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_INVALID_ENCODING: Entry = Entry {
    name: "VALIDATION_INVALID_ENCODING",
    status: Status::Mvp,
    meaning: "The bytes of the request are not UTF-8.",
    when: "Decoding the frame or one of its strings meets a sequence UTF-8 does not allow.",
    message: Text::fixed("Invalid character encoding in request"),
    details: &[
        may(
            "location",
            Shape::Text,
            "Where in the request, for example params.description.",
        ),
        may(
            "byte_offset",
            Shape::Integer,
            "Offset of the first bad byte.",
        ),
    ],
    remediation: Text::fixed("Encode the request as UTF-8, then send it again."),
    user: "The request contained characters nobody can read.",
    actions: &["check_input_format"],
    http: 400,
    names: Names {
        response_v2: "INVALID_FORMAT",
        mcp_error: "INVALID_INPUT",
        error_model: 2003,
        mcp_aql: "VALIDATION_INVALID_ENCODING",
        mcp_aql_strict: "VALIDATION_INVALID_ENCODING",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_PAYLOAD_TOO_LARGE: Entry = Entry {
    name: "VALIDATION_PAYLOAD_TOO_LARGE",
    status: Status::Mvp,
    meaning: "A request or its response is larger, longer, wider or deeper than the limits allow.",
    when: "A size, length, element count or nesting depth passes its configured limit, on the way in or on the way out.",
    message: Text {
        template: "Payload exceeds {limit_type} limit of {limit_value}",
        plain: "Payload too large",
    },
    details: &[
        need(
            "limit_type",
            Shape::OneOf(LIMIT_TYPES),
            "Which limit was passed.",
        ),
        need("limit_value", Shape::Integer, "The limit."),
        need(
            "actual_value",
            Shape::Integer,
            "The size or count measured.",
        ),
        need("unit", Shape::OneOf(LIMIT_UNITS), "What is counted."),
    ],
    remediation: Text {
        template: "Ask for less or send less: stay within {limit_value} {unit}.",
        plain: "Ask for less or send less, for example in several smaller calls.",
    },
    user: "The request or its answer is too large.",
    actions: &["reduce_request_scope"],
    http: 413,
    rpc: Some(-32600),
    grpc: Grpc::ResourceExhausted,
    names: Names {
        mcp_error: "INVALID_INPUT",
        mcp_aql: "VALIDATION_PAYLOAD_TOO_LARGE",
        mcp_aql_strict: "VALIDATION_PAYLOAD_TOO_LARGE",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_ENDPOINT_MISMATCH: Entry = Entry {
    name: "VALIDATION_ENDPOINT_MISMATCH",
    status: Status::Companion,
    meaning: "The operation exists, but behind another endpoint than the one that was called.",
    when: "An operation is sent to an endpoint of another kind, for example a deletion to the endpoint for reading.",
    message: Text {
        template: "Operation '{operation}' belongs to endpoint '{expected_endpoint}', not '{actual_endpoint}'",
        plain: "Operation belongs to another endpoint",
    },
    details: &[
        need("operation", Shape::Text, "The operation that was called."),
        need(
            "expected_endpoint",
            Shape::Text,
            "The endpoint that has the operation.",
        ),
        need(
            "actual_endpoint",
            Shape::Text,
            "The endpoint that was called.",
        ),
    ],
    remediation: Text {
        template: "Call '{operation}' through the '{expected_endpoint}' endpoint instead.",
        plain: "Call the operation through the endpoint its schema names.",
    },
    user: "The request was sent to the wrong place.",
    actions: &["get_schema_info"],
    http: 400,
    names: Names {
        mcp_error: "INVALID_INPUT",
        mcp_aql: "VALIDATION_ENDPOINT_MISMATCH",
        mcp_aql_strict: "NOT_FOUND_OPERATION",
        ..BASE.names
    },
    ..BASE
};

pub(super) static VALIDATION_READ_ONLY_FIELD: Entry = Entry {
    name: "VALIDATION_READ_ONLY_FIELD",
    status: Status::Companion,
    meaning: "The call tries to set a field only the server sets.",
    when: "An update or a creation carries an identifier, a timestamp or another field the schema marks as read-only.",
    message: Text {
        template: "Parameter '{param_name}' is read-only",
        plain: "Parameter is read-only",
    },
    details: &[
        need(
            "param_name",
            Shape::Text,
            "The name of the parameter, or the dotted path to it.",
        ),
        may("operation", Shape::Text, "The operation that was called."),
    ],
    remediation: Text {
        template: "Leave '{param_name}' out of the change: the server sets it.",
        plain: "Leave read-only fields out of the change: the server sets them.",
    },
    user: "One of the things to be changed cannot be changed.",
    http: 422,
    names: Names {
        mcp_error: "OPERATION_NOT_ALLOWED",
        mcp_aql: "VALIDATION_READ_ONLY_FIELD",
        mcp_aql_strict: "VALIDATION_UNKNOWN_PARAM",
        ..BASE.names
    },
    ..BASE
};

pub(super) static BATCH_VALIDATION_ERROR: Entry = Entry {
    name: "BATCH_VALIDATION_ERROR",
    status: Status::Companion,
    meaning: "A batch as a whole is malformed, so none of its operations was tried.",
    when: "The list of operations is empty, too long, not a list, or one of its entries names no operation.",
    message: Text {
        template: "Batch request is invalid: '{reason}'",
        plain: "Batch request is invalid",
    },
    details: &[
        need("reason", Shape::Text, "What is wrong with the batch."),
        may("index", Shape::Integer, "Position of the first bad entry."),
    ],
    remediation: Text::fixed(
        "Send the batch as a list of objects, each with an operation and its params; nothing of it has been done yet.",
    ),
    user: "The list of things to do is not valid.",
    http: 400,
    names: Names {
        mcp_error: "INVALID_INPUT",
        mcp_aql: "BATCH_VALIDATION_ERROR",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..BASE.names
    },
    ..BASE
};

const LIMIT_TYPES: &[&str] = &[
    "request_size",
    "response_size",
    "string_length",
    "array_elements",
    "nesting_depth",
];
const LIMIT_UNITS: &[&str] = &["bytes", "elements", "levels"];

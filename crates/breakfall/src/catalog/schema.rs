//! A schema document is wrong. Raised by loaders and generators, never while a call runs.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Validation,
    status: Status::Companion,
    retry: Retry::AfterChange,
    actions: &["check_input_format", "get_schema_info"],
    hint: Hint::CheckInput,
    hint_with_fallback: Hint::CheckInput,
    origin: Origin::Caller,
    http: 422,
    grpc: Grpc::InvalidArgument,
    names: Names {
        response_v2: "VALIDATION_ERROR",
        error_type: "validation",
        mcp_error: "VALIDATION_FAILED",
        error_model: 2001,
        tool_error: "CLIENT_ERROR",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    SCHEMA_MISSING_FIELD = "A schema document lacks a field it must have." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_type", Text, "The type the document should have here."),
        need("actual_type", Text, "The type found, or missing."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "A generator or loader reads an adapter's schema and a mandatory field is absent.";
        message.template = "Schema field '{field_path}' is missing";
        message.plain = "Schema field is missing";
        remediation.template = "Add the field '{field_path}' to the schema document.";
        remediation.plain = "Add the missing field to the schema document.";
        user = "The description of the service is incomplete.";
    }

    SCHEMA_INVALID_TYPE = "A field of a schema document has the wrong type." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_type", Text, "The type the document should have here."),
        need("actual_type", Text, "The type found, or missing."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "A generator or loader finds a list where it wants text, for example.";
        message.template = "Schema field '{field_path}' expected '{expected_type}', got '{actual_type}'";
        message.plain = "Schema field has the wrong type";
        remediation.template = "Change the schema field '{field_path}' to {expected_type}.";
        remediation.plain = "Change the schema field to the type the loader expects.";
        user = "The description of the service has a mistake.";
    }

    SCHEMA_UNRESOLVED_REF = "A schema document refers to a type that is not declared." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_value", Any, "The types the document declares."),
        need("actual_value", Any, "The name that was referred to."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "A reference is followed and its target is not in the document.";
        message.template = "Schema reference '{actual_value}' in '{field_path}' cannot be resolved";
        message.plain = "Schema reference cannot be resolved";
        remediation.template = "Declare the type '{actual_value}' or point the reference to a declared one.";
        remediation.plain = "Declare the missing type or point the reference to a declared one.";
        user = "The description of the service points to something missing.";
    }

    SCHEMA_DUPLICATE_NAME = "Two things in a schema document bear the same name." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_value", Any, "A name that is still free, or where the name was taken first."),
        need("actual_value", Any, "The name declared twice."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "A second operation or type is declared under a name already taken.";
        message.template = "Schema name '{actual_value}' in '{field_path}' is already taken";
        message.plain = "Schema name is already taken";
        remediation.template = "Rename one of the two declarations of '{actual_value}'.";
        remediation.plain = "Rename one of the two declarations with the same name.";
        user = "The description of the service uses one name twice.";
    }

    SCHEMA_INVALID_NAME = "A name in a schema document is not written as names have to be." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_value", Any, "The pattern names have to match."),
        need("actual_value", Any, "The name found."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "An operation, type or parameter name breaks the naming rule of its place.";
        message.template = "Schema name '{actual_value}' in '{field_path}' does not match '{expected_value}'";
        message.plain = "Schema name is not written as required";
        remediation.template = "Rename '{actual_value}' to match '{expected_value}'.";
        remediation.plain = "Rename it to match the naming rule of the schema.";
        user = "A name in the description of the service is not allowed.";
    }

    SCHEMA_VERSION_DEPRECATED = "The document uses a schema version on its way out." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_value", Any, "The version to move to."),
        need("actual_value", Any, "The version found."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "The loader still reads the version but is configured to refuse deprecated ones.";
        message.template = "Schema version '{actual_value}' is deprecated; use '{expected_value}'";
        message.plain = "Schema version is deprecated";
        remediation.template = "Migrate the schema document to version '{expected_value}'.";
        remediation.plain = "Migrate the schema document to the current version.";
        user = "The description of the service is outdated.";
    }

    SCHEMA_VERSION_UNSUPPORTED = "The document uses a schema version the loader cannot read." [
        need("field_path", Text, "Dotted path of the field in the schema document."),
        need("expected_value", Any, "The versions the loader reads."),
        need("actual_value", Any, "The version found."),
        may("suggestion", Text, "How to put it right, if known."),
    ] {
        when = "The version is older or newer than any the loader knows.";
        message.template = "Schema version '{actual_value}' is not supported; use '{expected_value}'";
        message.plain = "Schema version is not supported";
        remediation.template = "Rewrite the schema document for a supported version: {expected_value}.";
        remediation.plain = "Rewrite the schema document for a supported version.";
        user = "The description of the service is written for another version.";
    }
}

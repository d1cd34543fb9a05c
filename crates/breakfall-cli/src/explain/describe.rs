//! The closed sets of the catalogue in words.

use breakfall::Retry;
use breakfall::code::{Detail, Names, Shape, Status};
use breakfall::wire::number_name;

/// When the call may be repeated.
pub(super) const fn retry(class: Retry) -> &'static str {
    match class {
        Retry::Never => "the same call will not succeed",
        Retry::AfterChange => "only when something about the call, or around it, has changed",
        Retry::Once => "one more time, at once or soon",
        Retry::Backoff => "with exponential backoff and jitter",
        Retry::After => "after the wait the error states; with backoff if it states none",
    }
}

/// How firmly the code is promised.
pub(super) const fn status(status: Status) -> &'static str {
    match status {
        Status::Mvp => "in MCP-AQL's first registry, stable here",
        Status::Phase1 => "in MCP-AQL's registry of trust, limits and tokens, stable here",
        Status::Future => "announced by MCP-AQL, stable here",
        Status::Companion => "from a companion document of MCP-AQL, stable here",
        Status::Extension => "an extension of Breakfall, stable",
        Status::Custom => "a server's own",
    }
}

/// The shape of a value, in one or two words.
pub(super) const fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::OneOf(_) => "string",
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::Flag => "boolean",
        Shape::Texts => "strings",
        Shape::Timestamp => "timestamp",
        Shape::Object => "object",
        Shape::Objects => "objects",
        Shape::Any | _ => "any",
    }
}

/// The values of a closed list.
pub(super) const fn choices(shape: Shape) -> Option<&'static [&'static str]> {
    if let Shape::OneOf(values) = shape {
        return Some(values);
    }
    None
}

/// A detail as cells: key, shape, what it says.
pub(super) fn detail(detail: &Detail) -> [String; 3] {
    let shape_word = shape(detail.shape);
    let kind = if detail.required {
        format!("{shape_word}, required")
    } else {
        shape_word.to_owned()
    };
    let about = match choices(detail.shape) {
        Some(values) => format!("{} One of {}.", detail.about, values.join(", ")),
        None => detail.about.to_owned(),
    };
    [detail.name.to_owned(), kind, about]
}

/// A number of error-model with the word that goes with it.
pub(super) fn number(names: &Names) -> String {
    match number_name(names.error_model) {
        Some(word) => format!("{} {word}", names.error_model),
        None => names.error_model.to_string(),
    }
}

//! The JSON a field becomes, by the name of its type.

use quote::format_ident;
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type};

use crate::attr::Form;

pub(crate) struct FieldShape<'a> {
    /// The type of the value, once there is one.
    pub(crate) inner: &'a Type,
    /// Whether there is always a value.
    pub(crate) required: bool,
}

impl<'a> FieldShape<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        let inner = argument_of(ty, "Option");
        Self {
            inner: inner.unwrap_or(ty),
            required: inner.is_none(),
        }
    }

    /// The variant of `breakfall::code::Shape` for a value written in a form.
    pub(crate) fn name(&self, form: Form) -> Ident {
        format_ident!(
            "{}",
            match form {
                Form::Display => "Text",
                Form::Value | Form::Serialize => word(self.inner),
            }
        )
    }
}

fn word(ty: &Type) -> &'static str {
    if let Some(item) = argument_of(ty, "Vec") {
        return if is_text(item) { "Texts" } else { "Any" };
    }
    if is_text(ty) {
        return "Text";
    }
    match last_name(ty).as_deref() {
        Some("u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize") => {
            "Integer"
        }
        Some("f32" | "f64") => "Number",
        Some("bool") => "Flag",
        _ => "Any",
    }
}

fn is_text(ty: &Type) -> bool {
    if let Type::Reference(reference) = ty {
        return is_text(&reference.elem);
    }
    match last_name(ty).as_deref() {
        Some("String" | "str") => true,
        Some("Cow") => argument_of(ty, "Cow").is_some_and(is_text),
        _ => false,
    }
}

fn last_name(ty: &Type) -> Option<String> {
    last_segment(ty).map(|segment| segment.ident.to_string())
}

/// The type argument of a type with the given last name.
fn argument_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| {
        if let GenericArgument::Type(ty) = argument {
            Some(ty)
        } else {
            None
        }
    })
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    let Type::Path(path) = ty else {
        return None;
    };
    path.path.segments.last()
}

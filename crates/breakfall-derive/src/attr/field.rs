//! The attributes of a field: its role in the fault.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, LitStr};

use super::{detail_name, key_name, set, unknown};
use crate::errors::DeriveErrors;

/// What the attributes of a field say.
#[derive(Default)]
pub(crate) struct FieldAttributes {
    /// Its role. A field without attributes has none.
    pub(crate) role: Option<Role>,
    /// The error type is made of the field's by `?`.
    pub(crate) from: Option<FromMark>,
}

/// Who writes the conversion from the field's type.
#[derive(Clone, Copy)]
pub(crate) enum FromMark {
    /// `#[fault(from)]`: this derive.
    Fault(Span),
    /// `#[from]`: the derive that gives the type its `Display`.
    Plain(Span),
}

/// The role of a field.
pub(crate) enum Role {
    /// A detail, under another name if one is given.
    Detail(Option<LitStr>, Form),
    /// The private cause.
    Source(Span),
    /// The wait before a repetition.
    Wait(Span),
    /// Complete arguments that would do.
    Params(Span, Form),
    /// Nothing.
    Skip,
}

/// How a detail becomes JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// By `Into<serde_json::Value>`.
    Value,
    /// By `Display`.
    Display,
    /// By `Serialize`.
    Serialize,
}

impl FieldAttributes {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut DeriveErrors) -> Self {
        let mut keys = FieldKeys::default();
        for attribute in attributes {
            let path = attribute.path();
            let read = if path.is_ident("fault") {
                attribute.parse_nested_meta(|meta| keys.key(&meta))
            } else if path.is_ident("source") {
                keys.alone(path.span(), Role::Source(path.span()))
            } else if path.is_ident("from") {
                keys.from(FromMark::Plain(path.span()), path.span())
            } else {
                Ok(())
            };
            if let Err(error) = read {
                errors.add(error);
                // The field is certainly not a plain detail: no follow-up errors.
                keys.role = Some(Role::Skip);
            }
        }
        keys.settle(errors)
    }
}

/// The keys on one field: a role that excludes all else, or a detail's name and form.
#[derive(Default)]
struct FieldKeys {
    role: Option<Role>,
    from: Option<FromMark>,
    params: Option<Span>,
    name: Option<LitStr>,
    form: Option<Form>,
}

impl FieldKeys {
    fn key(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let name = key_name(meta)?;
        let at = meta.path.span();
        match name.as_str() {
            "skip" => self.alone(at, Role::Skip),
            "source" => self.alone(at, Role::Source(at)),
            "from" => self.from(FromMark::Fault(at), at),
            "retry_after" => self.alone(at, Role::Wait(at)),
            "corrective_params" => {
                self.refuse_second_role(at)?;
                set(&mut self.params, meta, at)
            }
            "detail" => {
                let name = detail_name(meta)?;
                self.refuse_second_role(at)?;
                set(&mut self.name, meta, name)
            }
            "display" => self.form(at, Form::Display),
            "serialize" => self.form(at, Form::Serialize),
            _ => Err(unknown(meta, FIELD_KEYS)),
        }
    }

    fn form(&mut self, at: Span, form: Form) -> syn::Result<()> {
        self.refuse_second_role(at)?;
        if self.form.replace(form).is_some() {
            let help = "a detail is written in one way; this is its second";
            return Err(syn::Error::new(at, help));
        }
        Ok(())
    }

    /// A field an error is made of is its cause.
    fn from(&mut self, from: FromMark, at: Span) -> syn::Result<()> {
        if !matches!(self.role, Some(Role::Source(_))) {
            self.alone(at, Role::Source(at))?;
        }
        self.from = Some(from);
        Ok(())
    }

    fn alone(&mut self, at: Span, role: Role) -> syn::Result<()> {
        if matches!((&self.from, &role), (Some(_), Role::Source(_))) {
            return Ok(());
        }
        self.refuse_second_role(at)?;
        if self.name.is_some() || self.form.is_some() || self.params.is_some() {
            return Err(syn::Error::new(at, TWO_ROLES));
        }
        self.role = Some(role);
        Ok(())
    }

    fn refuse_second_role(&self, at: Span) -> syn::Result<()> {
        match self.role {
            Some(_) => Err(syn::Error::new(at, TWO_ROLES)),
            None => Ok(()),
        }
    }

    fn settle(self, errors: &mut DeriveErrors) -> FieldAttributes {
        let form = self.form.unwrap_or(Form::Value);
        let role = match (self.role, self.params) {
            (Some(role), _) => Some(role),
            (None, Some(at)) => {
                if self.name.is_some() || form == Form::Display {
                    errors.add(syn::Error::new(at, TWO_ROLES));
                }
                Some(Role::Params(at, form))
            }
            (None, None) if self.name.is_none() && self.form.is_none() => None,
            (None, None) => Some(Role::Detail(self.name, form)),
        };
        FieldAttributes {
            role,
            from: self.from,
        }
    }
}

const TWO_ROLES: &str = "a field has one role; this is its second";

const FIELD_KEYS: &[&str] = &[
    "detail",
    "display",
    "serialize",
    "source",
    "from",
    "retry_after",
    "corrective_params",
    "skip",
];

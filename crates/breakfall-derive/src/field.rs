//! The fields of one case, and the role of each.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Fields, Ident, LitStr, Type};

use crate::attr::{self, Form, Role};
use crate::errors::DeriveErrors;

/// A field, and its part in the fault.
pub(crate) struct FaultField<'a> {
    /// Its name in the type, or its position.
    pub(crate) member: syn::Member,
    /// Its name in the generated code.
    pub(crate) binding: Ident,
    pub(crate) ty: &'a Type,
    pub(crate) about: String,
    pub(crate) becomes: Use,
}

/// The part of a field in the fault.
pub(crate) enum Use {
    Detail(String, Form),
    Source,
    Wait,
    /// The fault itself.
    Fault,
    Nothing,
}

impl<'a> FaultField<'a> {
    fn new(at: usize, member: syn::Member, field: &'a syn::Field, becomes: Use) -> Self {
        let place = field.ty.span().resolved_at(Span::call_site());
        Self {
            member,
            binding: format_ident!("field_{at}", span = place),
            ty: &field.ty,
            about: attr::docs(&field.attrs),
            becomes,
        }
    }

    /// The key of a detail.
    pub(crate) fn detail(&self) -> Option<&str> {
        match &self.becomes {
            Use::Detail(key, _) => Some(key),
            Use::Source | Use::Wait | Use::Fault | Use::Nothing => None,
        }
    }

    pub(crate) fn is_wait(&self) -> bool {
        matches!(self.becomes, Use::Wait)
    }
}

pub(crate) fn read<'a>(fields: &'a Fields, errors: &mut DeriveErrors) -> Vec<FaultField<'a>> {
    let mut taken = RoleUses::default();
    let read = fields.members().zip(fields).enumerate();
    let read = read.map(|(at, (member, field))| {
        let role = Role::read(&field.attrs, errors);
        let becomes = taken.settle(role, field, errors);
        FaultField::new(at, member, field, becomes)
    });
    read.collect()
}

/// The one field of a transparent case.
pub(crate) fn read_transparent<'a>(
    at: Span,
    fields: &'a Fields,
    errors: &mut DeriveErrors,
) -> Vec<FaultField<'a>> {
    let mut all = fields.members().zip(fields);
    let (Some((member, field)), None) = (all.next(), all.next()) else {
        let help =
            "a transparent fault has exactly one field: the fault, or an error that becomes one";
        errors.add(syn::Error::new(at, help));
        return Vec::new();
    };
    if let Some(attribute) = attr::faults(&field.attrs).next() {
        let help = "the field of a transparent fault is the fault itself; it has no attributes";
        errors.push(attribute, help);
    }
    vec![FaultField::new(0, member, field, Use::Fault)]
}

/// The roles that earlier fields have.
#[derive(Default)]
struct RoleUses {
    details: Vec<String>,
    source: bool,
    wait: bool,
}

impl RoleUses {
    fn settle(&mut self, role: Role, field: &syn::Field, errors: &mut DeriveErrors) -> Use {
        match role {
            Role::Skip => Use::Nothing,
            Role::Source(at) => {
                if std::mem::replace(&mut self.source, true) {
                    let help = "a fault has one cause; another field is it already";
                    errors.add(syn::Error::new(at, help));
                }
                Use::Source
            }
            Role::Wait(at) => {
                if std::mem::replace(&mut self.wait, true) {
                    let help = "a fault has one wait; another field is it already";
                    errors.add(syn::Error::new(at, help));
                }
                Use::Wait
            }
            Role::Detail(name, form) => match self.detail(name.as_ref(), field, errors) {
                Some(key) => Use::Detail(key, form),
                None => Use::Nothing,
            },
        }
    }

    fn detail(
        &mut self,
        name: Option<&LitStr>,
        field: &syn::Field,
        errors: &mut DeriveErrors,
    ) -> Option<String> {
        let key = match (name, &field.ident) {
            (Some(name), _) => name.value(),
            (None, Some(ident)) => ident.unraw().to_string(),
            (None, None) => {
                let help = "a field without a name needs to say what it is: #[fault(detail = \"name\")], \
                            #[fault(source)], #[fault(retry_after)] or #[fault(skip)]";
                errors.push(field, help);
                return None;
            }
        };
        // Details are public, and a field of this name is private by convention: a forgotten attribute must not publish
        // it.
        if name.is_none() && key == "source" {
            let help = "say what `source` is: #[fault(source)] for the private cause, #[fault(detail = \"source\")] \
                        to show it to callers";
            errors.push(field, help);
        }
        if self.details.contains(&key) {
            errors.push(field, format!("the detail '{key}' is given twice"));
        }
        self.details.push(key.clone());
        Some(key)
    }
}

//! The fields of one case, and the role of each.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Fields, Ident, LitStr, Type};

use crate::attr::{self, FieldAttributes, Form, FromMark, Role};
use crate::display::DisplayOwner;
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
    /// Whether the derive makes the error of the field by `?`.
    pub(crate) is_from: bool,
}

/// The part of a field in the fault.
pub(crate) enum Use {
    Detail(String, Form),
    Source,
    Wait,
    Params(Form),
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
            is_from: false,
        }
    }

    /// The key of a detail.
    pub(crate) fn detail(&self) -> Option<&str> {
        match &self.becomes {
            Use::Detail(key, _) => Some(key),
            Use::Source | Use::Wait | Use::Params(_) | Use::Fault | Use::Nothing => None,
        }
    }

    pub(crate) fn is_wait(&self) -> bool {
        matches!(self.becomes, Use::Wait)
    }
}

pub(crate) fn read<'a>(
    fields: &'a Fields,
    owner: DisplayOwner,
    errors: &mut DeriveErrors,
) -> Vec<FaultField<'a>> {
    let mut taken = RoleUses::default();
    let read = fields.members().zip(fields).enumerate();
    let read = read.map(|(at, (member, field))| {
        let said = FieldAttributes::read(&field.attrs, errors);
        let role = said.role.unwrap_or_else(|| unmarked(field, owner));
        let becomes = taken.settle(role, field, errors);
        let mut read = FaultField::new(at, member, field, becomes);
        read.is_from = is_from(said.from, fields, owner, errors);
        read
    });
    read.collect()
}

/// The role of a field without attributes. Where another derive gives the type its `Display`, that derive's conventions
/// hold: `source` is the cause, and a field without a name is for its message.
fn unmarked(field: &syn::Field, owner: DisplayOwner) -> Role {
    let detail = Role::Detail(None, Form::Value);
    if owner != DisplayOwner::OtherDerive {
        return detail;
    }
    match &field.ident {
        None => Role::Skip,
        Some(name) if name == "backtrace" => Role::Skip,
        Some(name) if name == "source" => Role::Source(field.ty.span()),
        Some(_) => detail,
    }
}

/// Whether this derive writes the conversion from the field's type.
fn is_from(
    mark: Option<FromMark>,
    fields: &Fields,
    owner: DisplayOwner,
    errors: &mut DeriveErrors,
) -> bool {
    let at = match mark {
        Some(FromMark::Fault(at)) => at,
        Some(FromMark::Plain(at)) if owner != DisplayOwner::OtherDerive => at,
        Some(FromMark::Plain(_)) | None => return false,
    };
    if fields.len() > 1 {
        let help =
            "`from` fills one field and there are others; leave it out, or move them elsewhere";
        errors.add(syn::Error::new(at, help));
    }
    true
}

/// The one field of a transparent case.
pub(crate) fn read_transparent<'a>(
    at: Span,
    fields: &'a Fields,
    owner: DisplayOwner,
    errors: &mut DeriveErrors,
) -> Vec<FaultField<'a>> {
    let mut all = fields.members().zip(fields);
    let (Some((member, field)), None) = (all.next(), all.next()) else {
        let help =
            "a transparent fault has exactly one field: the fault, or an error that becomes one";
        errors.add(syn::Error::new(at, help));
        return Vec::new();
    };
    let said = FieldAttributes::read(&field.attrs, errors);
    if said.role.is_some()
        && said.from.is_none()
        && let Some(attribute) = attr::faults(&field.attrs).next()
    {
        let help =
            "the field of a transparent fault is the fault itself; `from` is all it may have";
        errors.push(attribute, help);
    }
    let mut field = FaultField::new(0, member, field, Use::Fault);
    field.is_from = is_from(said.from, fields, owner, errors);
    vec![field]
}

/// Refuses a second field in a role of which a fault has one.
fn once(taken: &mut bool, what: &str, at: Span, errors: &mut DeriveErrors) {
    if std::mem::replace(taken, true) {
        let help = format!("a fault has one {what}; another field is it already");
        errors.add(syn::Error::new(at, help));
    }
}

/// The roles that earlier fields have.
#[derive(Default)]
struct RoleUses {
    details: Vec<String>,
    source: bool,
    wait: bool,
    params: bool,
}

impl RoleUses {
    fn settle(&mut self, role: Role, field: &syn::Field, errors: &mut DeriveErrors) -> Use {
        match role {
            Role::Skip => Use::Nothing,
            Role::Source(at) => {
                once(&mut self.source, "cause", at, errors);
                Use::Source
            }
            Role::Wait(at) => {
                once(&mut self.wait, "wait", at, errors);
                Use::Wait
            }
            Role::Params(at, form) => {
                once(&mut self.params, "set of corrective parameters", at, errors);
                Use::Params(form)
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

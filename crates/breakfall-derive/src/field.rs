//! The fields of one case, and what becomes of each.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Fields, Ident, LitStr, Type};

use crate::attr::{self, Form, Role};
use crate::problems::Problems;

/// A field that ends up in the fault, or does not.
pub(crate) struct Field<'a> {
    /// Its name in the type, or its position.
    pub(crate) member: syn::Member,
    /// What the generated code calls it.
    pub(crate) binding: Ident,
    pub(crate) ty: &'a Type,
    pub(crate) about: String,
    pub(crate) becomes: Use,
}

/// What becomes of a field.
pub(crate) enum Use {
    Detail(String, Form),
    Source,
    Wait,
    /// The fault itself.
    Fault,
    Nothing,
}

impl<'a> Field<'a> {
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

pub(crate) fn read<'a>(fields: &'a Fields, problems: &mut Problems) -> Vec<Field<'a>> {
    let mut taken = Taken::default();
    let read = fields.members().zip(fields).enumerate();
    let read = read.map(|(at, (member, field))| {
        let role = Role::read(&field.attrs, problems);
        let becomes = taken.settle(role, field, problems);
        Field::new(at, member, field, becomes)
    });
    read.collect()
}

/// The one field of a transparent case.
pub(crate) fn read_transparent<'a>(
    at: Span,
    fields: &'a Fields,
    problems: &mut Problems,
) -> Vec<Field<'a>> {
    let mut all = fields.members().zip(fields);
    let (Some((member, field)), None) = (all.next(), all.next()) else {
        let help =
            "a transparent fault has exactly one field: the fault, or an error that becomes one";
        problems.add(syn::Error::new(at, help));
        return Vec::new();
    };
    if let Some(attribute) = attr::faults(&field.attrs).next() {
        let help = "the field of a transparent fault is the fault itself; it has no attributes";
        problems.push(attribute, help);
    }
    vec![Field::new(0, member, field, Use::Fault)]
}

/// What the fields before have claimed.
#[derive(Default)]
struct Taken {
    details: Vec<String>,
    source: bool,
    wait: bool,
}

impl Taken {
    fn settle(&mut self, role: Role, field: &syn::Field, problems: &mut Problems) -> Use {
        match role {
            Role::Skip => Use::Nothing,
            Role::Source(at) => {
                if std::mem::replace(&mut self.source, true) {
                    let help = "a fault has one cause; another field is it already";
                    problems.add(syn::Error::new(at, help));
                }
                Use::Source
            }
            Role::Wait(at) => {
                if std::mem::replace(&mut self.wait, true) {
                    let help = "a fault has one wait; another field is it already";
                    problems.add(syn::Error::new(at, help));
                }
                Use::Wait
            }
            Role::Detail(name, form) => match self.detail(name.as_ref(), field, problems) {
                Some(key) => Use::Detail(key, form),
                None => Use::Nothing,
            },
        }
    }

    fn detail(
        &mut self,
        name: Option<&LitStr>,
        field: &syn::Field,
        problems: &mut Problems,
    ) -> Option<String> {
        let key = match (name, &field.ident) {
            (Some(name), _) => name.value(),
            (None, Some(ident)) => ident.unraw().to_string(),
            (None, None) => {
                let help = "a field without a name needs to say what it is: #[fault(detail = \"name\")], \
                            #[fault(source)], #[fault(retry_after)] or #[fault(skip)]";
                problems.push(field, help);
                return None;
            }
        };
        // Details are public. A field of this name is private by everybody's habit, so nobody may publish it by
        // forgetting an attribute.
        if name.is_none() && key == "source" {
            let help = "say what `source` is: #[fault(source)] for the private cause, #[fault(detail = \"source\")] \
                        to show it to callers";
            problems.push(field, help);
        }
        if self.details.contains(&key) {
            problems.push(field, format!("the detail '{key}' is given twice"));
        }
        self.details.push(key.clone());
        Some(key)
    }
}

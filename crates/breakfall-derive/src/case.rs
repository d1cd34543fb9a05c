//! One variant, or a struct as a whole: its code, its fields, and whether they fit together.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Ident, LitStr, Path, Type};

use crate::attr::{self, Role, Says};
use crate::check;
use crate::problems::Problems;
use crate::template;

/// One way the error type can fail.
pub(crate) struct Case<'a> {
    pub(crate) of: &'a Ident,
    pub(crate) variant: Option<&'a Ident>,
    pub(crate) code: Code,
    pub(crate) fallback_tool: Option<LitStr>,
    pub(crate) fields: Vec<Field<'a>>,
}

/// Where the code of a case comes from, with what goes along with it.
pub(crate) enum Code {
    /// A row that exists. The texts override the row's in this fault.
    Known {
        code: Path,
        remediation: Option<LitStr>,
        user_message: Option<LitStr>,
    },
    /// A row of the server's own.
    Own(Row),
    /// A mistake that has been reported.
    Broken,
}

/// What is known of a row to make.
pub(crate) struct Row {
    pub(crate) name: LitStr,
    pub(crate) base: Path,
    pub(crate) meaning: String,
    pub(crate) message: Option<LitStr>,
    pub(crate) remediation: Option<LitStr>,
    pub(crate) user_message: Option<LitStr>,
}

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
    Detail(String),
    Source,
    Wait,
    Nothing,
}

impl<'a> Case<'a> {
    pub(crate) fn read(
        of: &'a Ident,
        variant: Option<&'a Ident>,
        attributes: &[Attribute],
        fields: &'a Fields,
        problems: &mut Problems,
    ) -> Self {
        let name = variant.unwrap_or(of);
        let mut says = Says::read(attributes, problems);
        let fields = read_fields(fields, problems);
        for text in [&says.remediation, &says.user_message, &says.fallback_tool] {
            check::fixed(text.as_ref(), problems);
        }
        let fallback_tool = says.fallback_tool.take();
        let code = Code::read(name, says, attr::docs(attributes), problems);
        if let Code::Own(Row {
            message: Some(message),
            ..
        }) = &code
        {
            check::message(message, &fields, problems);
        }
        Self {
            of,
            variant,
            code,
            fallback_tool,
            fields,
        }
    }
}

impl Code {
    fn read(name: &Ident, says: Says, meaning: String, problems: &mut Problems) -> Self {
        // What an attribute that cannot be read leaves out is no second mistake.
        if says.is_broken {
            return Self::Broken;
        }
        match (says.code, says.extends) {
            (Some(attr::Code::Known(code)), None) => {
                if let Some(message) = &says.message {
                    let help = "a message belongs to a row of your own: write code = \"YOUR_NAME\" and extends = \
                                this code";
                    problems.push(message, help);
                }
                let (remediation, user_message) = (says.remediation, says.user_message);
                Self::Known {
                    code,
                    remediation,
                    user_message,
                }
            }
            (Some(attr::Code::Named(name)), Some(base)) => {
                if !template::is_code_name(&name.value()) {
                    let help = "a code is two upper-case words or more joined by underscores, for example \
                                ORDER_NOT_FOUND";
                    problems.push(&name, help);
                }
                let (message, remediation) = (says.message, says.remediation);
                let user_message = says.user_message;
                Self::Own(Row {
                    name,
                    base,
                    meaning,
                    message,
                    remediation,
                    user_message,
                })
            }
            (Some(attr::Code::Named(name)), None) => {
                let help = "a new code needs the one it behaves like: add extends = NOT_FOUND_RESOURCE or another; \
                            a code that exists is written without quotes";
                problems.push(&name, help);
                Self::Broken
            }
            (Some(attr::Code::Known(code)), Some(_)) => {
                let help = "extends makes a new code, whose name stands in quotes: code = \"ORDER_NOT_FOUND\"";
                problems.push(&code, help);
                Self::Broken
            }
            (None, _) => {
                problems.push(
                    name,
                    format!("`{name}` has no code: add #[fault(code = …)]"),
                );
                Self::Broken
            }
        }
    }
}

fn read_fields<'a>(fields: &'a Fields, problems: &mut Problems) -> Vec<Field<'a>> {
    let mut taken = Taken::default();
    let read = fields
        .members()
        .zip(fields)
        .enumerate()
        .map(|(at, (member, field))| {
            let role = Role::read(&field.attrs, problems);
            Field {
                becomes: taken.settle(role, field, problems),
                member,
                binding: format_ident!(
                    "field_{at}",
                    span = field.ty.span().resolved_at(Span::call_site())
                ),
                ty: &field.ty,
                about: attr::docs(&field.attrs),
            }
        });
    read.collect()
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
                    problems.add(syn::Error::new(
                        at,
                        "a fault has one cause; another field is it already",
                    ));
                }
                Use::Source
            }
            Role::Wait(at) => {
                if std::mem::replace(&mut self.wait, true) {
                    problems.add(syn::Error::new(
                        at,
                        "a fault has one wait; another field is it already",
                    ));
                }
                Use::Wait
            }
            Role::Detail(name) => self.detail(name.as_ref(), field, problems),
        }
    }

    fn detail(
        &mut self,
        name: Option<&LitStr>,
        field: &syn::Field,
        problems: &mut Problems,
    ) -> Use {
        let key = match (name, &field.ident) {
            (Some(name), _) => name.value(),
            (None, Some(ident)) => ident.unraw().to_string(),
            (None, None) => {
                let help = "a field without a name needs to say what it is: #[fault(detail = \"name\")], \
                            #[fault(source)], #[fault(retry_after)] or #[fault(skip)]";
                problems.push(field, help);
                return Use::Nothing;
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
        Use::Detail(key)
    }
}

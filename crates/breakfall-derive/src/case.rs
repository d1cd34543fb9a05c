//! One variant, or a struct as a whole: its code, its texts and its fields.

use syn::{Attribute, Fields, Ident, LitInt, LitStr, Path};

use crate::attr::{self, CaseAttributes, Constant, MessageKey, Retry};
use crate::display::DisplayOwner;
use crate::errors::DeriveErrors;
use crate::field::{self, FaultField};
use crate::template;

/// One way the error type can fail.
pub(crate) struct Case<'a> {
    pub(crate) of: &'a Ident,
    pub(crate) variant: Option<&'a Ident>,
    pub(crate) code: CaseCode,
    pub(crate) texts: CaseTexts,
    pub(crate) fields: Vec<FaultField<'a>>,
    /// Details with the same value in every fault.
    pub(crate) constants: Vec<Constant>,
}

/// Where the code of a case comes from.
pub(crate) enum CaseCode {
    /// A row that exists. The texts override the row's in this fault.
    Known(Path),
    /// A row of the server's own, which the texts are part of.
    Own(NewRow),
    /// The one field is the fault.
    Inner,
    /// A mistake that has been reported.
    Broken,
}

/// A row of the server's own.
pub(crate) struct NewRow {
    pub(crate) name: LitStr,
    pub(crate) base: Path,
    pub(crate) meaning: String,
}

/// The texts of a case.
pub(crate) struct CaseTexts {
    pub(crate) message: Option<LitStr>,
    /// The message is what `Display` writes.
    pub(crate) is_displayed: bool,
    pub(crate) http: Option<LitInt>,
    pub(crate) remediation: Option<LitStr>,
    pub(crate) user_message: Option<LitStr>,
    pub(crate) retry: Option<Retry>,
    pub(crate) fallback_tool: Option<LitStr>,
    pub(crate) docs_url: Option<LitStr>,
}

impl<'a> Case<'a> {
    pub(crate) fn read(
        of: &'a Ident,
        variant: Option<&'a Ident>,
        attributes: &[Attribute],
        fields: &'a Fields,
        owner: DisplayOwner,
        errors: &mut DeriveErrors,
    ) -> Self {
        let mut says = CaseAttributes::read(attributes, errors);
        let fields = match says.transparent {
            Some(at) => field::read_transparent(at, fields, owner, errors),
            None => field::read(fields, owner, errors),
        };
        if let (Some(at), Some(_)) = (says.no_error_impl, variant) {
            let help = "`no_error_impl` is for the whole enum; write it there";
            errors.add(syn::Error::new(at, help));
        }
        let name = variant.unwrap_or(of);
        let code = CaseCode::read(name, &mut says, attr::docs(attributes), errors);
        let (message, is_displayed) = match says.message {
            Some(MessageKey::Template(text)) => (Some(text), false),
            Some(MessageKey::Display(word)) => {
                if owner == DisplayOwner::Fault {
                    let help = "the Display of this derive writes the message; `display` is for one of another derive, \
                                or by hand with #[fault(no_error_impl)]";
                    errors.push(&word, help);
                }
                (None, true)
            }
            None => (None, false),
        };
        let texts = CaseTexts {
            message,
            is_displayed,
            http: says.http,
            remediation: says.remediation,
            user_message: says.user_message,
            retry: says.retry,
            fallback_tool: says.fallback_tool,
            docs_url: says.docs_url,
        };
        Self {
            of,
            variant,
            code,
            texts,
            fields,
            constants: says.details,
        }
    }

    /// The keys of the details a fault of the case has, in the order of the fields.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().filter_map(FaultField::detail);
        fields.chain(self.constants.iter().map(|constant| constant.name.as_str()))
    }
}

impl CaseCode {
    fn read(
        name: &Ident,
        says: &mut CaseAttributes,
        meaning: String,
        errors: &mut DeriveErrors,
    ) -> Self {
        // A part missing because its attribute could not be read is not a second error.
        if says.is_broken {
            return Self::Broken;
        }
        if says.transparent.is_some() {
            return Self::transparent(says, errors);
        }
        match (says.code.take(), says.extends.take()) {
            (Some(attr::CodeKey::Known(code)), None) => {
                if let Some(MessageKey::Template(message)) = &says.message {
                    let help = "a message belongs to a row of your own: write code = \"YOUR_NAME\" and extends = \
                                this code";
                    errors.push(message, help);
                    return Self::Broken;
                }
                if let Some(status) = &says.http {
                    let help = "an HTTP status belongs to a row of your own: write code = \"YOUR_NAME\" and extends = \
                                this code";
                    errors.push(status, help);
                    return Self::Broken;
                }
                Self::Known(code)
            }
            (Some(attr::CodeKey::Named(name)), Some(base)) => {
                if !template::is_code_name(&name.value()) {
                    let help = "a code is two upper-case words or more joined by underscores, for example \
                                ORDER_NOT_FOUND";
                    errors.push(&name, help);
                }
                Self::Own(NewRow {
                    name,
                    base,
                    meaning,
                })
            }
            (Some(attr::CodeKey::Named(name)), None) => {
                let help = "a new code needs the one it behaves like: add extends = NOT_FOUND_RESOURCE or another; \
                            a code that exists is written without quotes";
                errors.push(&name, help);
                Self::Broken
            }
            (Some(attr::CodeKey::Known(code)), Some(_)) => {
                let help = "extends makes a new code, whose name stands in quotes: code = \"ORDER_NOT_FOUND\"";
                errors.push(&code, help);
                Self::Broken
            }
            (None, _) => {
                let help = format!(
                    "`{name}` has no code: add #[fault(code = …)], or #[fault(transparent)] if its field is the fault"
                );
                errors.push(name, help);
                Self::Broken
            }
        }
    }

    fn transparent(says: &CaseAttributes, errors: &mut DeriveErrors) -> Self {
        let Some(other) = says.first_other else {
            return Self::Inner;
        };
        let help = "a transparent fault is its field's; no other key goes with it";
        errors.add(syn::Error::new(other, help));
        Self::Broken
    }
}

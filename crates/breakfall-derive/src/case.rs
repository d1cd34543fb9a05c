//! One variant, or a struct as a whole: its code, its texts, its fields, and whether they fit together.

use syn::{Attribute, Fields, Ident, LitStr, Path};

use crate::attr::{self, Retry, Says};
use crate::check;
use crate::field::{self, Field};
use crate::problems::Problems;
use crate::template;

/// One way the error type can fail.
pub(crate) struct Case<'a> {
    pub(crate) of: &'a Ident,
    pub(crate) variant: Option<&'a Ident>,
    pub(crate) code: Code,
    pub(crate) texts: Texts,
    pub(crate) fields: Vec<Field<'a>>,
}

/// Where the code of a case comes from.
pub(crate) enum Code {
    /// A row that exists. The texts override the row's in this fault.
    Known(Path),
    /// A row of the server's own, which the texts are part of.
    Own(Row),
    /// The one field is the fault.
    Inner,
    /// A mistake that has been reported.
    Broken,
}

/// What is known of a row to make.
pub(crate) struct Row {
    pub(crate) name: LitStr,
    pub(crate) base: Path,
    pub(crate) meaning: String,
}

/// What a case says beyond its code.
pub(crate) struct Texts {
    pub(crate) message: Option<LitStr>,
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
        problems: &mut Problems,
    ) -> Self {
        let mut says = Says::read(attributes, problems);
        let fields = match says.transparent {
            Some(at) => field::read_transparent(at, fields, problems),
            None => field::read(fields, problems),
        };
        let name = variant.unwrap_or(of);
        let code = Code::read(name, &mut says, attr::docs(attributes), problems);
        let texts = Texts {
            message: says.message,
            remediation: says.remediation,
            user_message: says.user_message,
            retry: says.retry,
            fallback_tool: says.fallback_tool,
            docs_url: says.docs_url,
        };
        if !matches!(code, Code::Broken) {
            check::texts(&texts, &fields, problems);
        }
        Self {
            of,
            variant,
            code,
            texts,
            fields,
        }
    }
}

impl Code {
    fn read(name: &Ident, says: &mut Says, meaning: String, problems: &mut Problems) -> Self {
        // What an attribute that cannot be read leaves out is no second mistake.
        if says.is_broken {
            return Self::Broken;
        }
        if says.transparent.is_some() {
            return Self::transparent(says, problems);
        }
        match (says.code.take(), says.extends.take()) {
            (Some(attr::Code::Known(code)), None) => {
                if let Some(message) = &says.message {
                    let help = "a message belongs to a row of your own: write code = \"YOUR_NAME\" and extends = \
                                this code";
                    problems.push(message, help);
                    return Self::Broken;
                }
                Self::Known(code)
            }
            (Some(attr::Code::Named(name)), Some(base)) => {
                if !template::is_code_name(&name.value()) {
                    let help = "a code is two upper-case words or more joined by underscores, for example \
                                ORDER_NOT_FOUND";
                    problems.push(&name, help);
                }
                Self::Own(Row {
                    name,
                    base,
                    meaning,
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
                let help = format!(
                    "`{name}` has no code: add #[fault(code = …)], or #[fault(transparent)] if its field is the fault"
                );
                problems.push(name, help);
                Self::Broken
            }
        }
    }

    fn transparent(says: &Says, problems: &mut Problems) -> Self {
        let Some(other) = says.first_other else {
            return Self::Inner;
        };
        let help = "a transparent fault is its field's; no other key goes with it";
        problems.add(syn::Error::new(other, help));
        Self::Broken
    }
}

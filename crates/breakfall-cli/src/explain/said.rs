//! The texts of a row in a language, with the names of its values in their places.

use breakfall::locale::Language;
use breakfall::{Fault, Warning};
use serde::Serialize;

use super::lookup::Row;

/// What callers are told. A warning has words only.
#[derive(Serialize)]
pub(super) struct Said {
    pub(super) language: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remediation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_message: Option<String>,
}

impl Said {
    pub(super) fn new(row: Row, language: Language) -> Self {
        let slot = |name: &'static str| format!("{{{name}}}");
        match row {
            Row::Code(code) => {
                let details = code.entry().details.iter();
                let fault = details.fold(Fault::new(code), |fault, detail| {
                    fault.detail(detail.name, slot(detail.name))
                });
                let fault = fault.in_language(language);
                let public = fault.public();
                Self {
                    language: language.as_str(),
                    message: public.message().into_owned(),
                    remediation: Some(public.remediation().into_owned()),
                    user_message: Some(public.user_message().to_owned()),
                }
            }
            Row::Warning(code) => {
                let context = code.entry().context.iter();
                let warning = context.fold(Warning::new(code), |warning, detail| {
                    warning.context(detail.name, slot(detail.name))
                });
                Self {
                    language: language.as_str(),
                    message: warning.in_language(language).text().into_owned(),
                    remediation: None,
                    user_message: None,
                }
            }
        }
    }
}

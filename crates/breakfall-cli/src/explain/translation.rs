//! The texts of a row in a language, with the names of placeholders in their places.

use breakfall::locale::Language;
use breakfall::{Fault, Warning};
use serde::Serialize;

use super::lookup::CatalogRow;

/// The texts for callers. A warning has only a message.
#[derive(Serialize)]
pub(super) struct Translation {
    pub(super) language: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remediation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_message: Option<String>,
}

impl Translation {
    pub(super) fn new(row: CatalogRow, language: Language) -> Self {
        let slot = |name: &'static str| format!("{{{name}}}");
        match row {
            CatalogRow::Code(code) => {
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
            CatalogRow::Warning(code) => {
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

//! Words in the caller's language: which language, which words, and that nothing but words changes.
#![cfg(feature = "locale")]

mod hostile;
mod negotiated;
mod ours;
mod own;
mod said;
mod warnings;
mod wire;

use breakfall::Fault;
use breakfall::locale::Language;

/// Every language but that of the rows.
const TRANSLATED: [Language; 3] = [Language::Spanish, Language::German, Language::Japanese];

fn message(fault: Fault, language: Language) -> String {
    fault.in_language(language).public().message().into_owned()
}

fn remedy(fault: Fault, language: Language) -> String {
    let fault = fault.in_language(language);
    fault.public().remediation().into_owned()
}

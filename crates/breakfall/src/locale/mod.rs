//! Words in the caller's language.
//!
//! The English of a row is the row. Its other languages are Fluent bundles, one file each in `locales/`, and a fault
//! speaks one of them when it is told to:
//!
//! ```
//! use breakfall::Fault;
//! use breakfall::locale::Language;
//!
//! let language = Language::negotiate("es-MX, en;q=0.5").unwrap_or_default();
//! let fault = Fault::missing_param("owner").in_language(language);
//! assert_eq!(fault.public().message(), "Falta el parámetro requerido 'owner'");
//! ```
//!
//! **What is translated**: message, remediation, user message and title of a fault, the words of a broken rule, the words of a
//! warning, the sentence on a batch, the question what to send instead, and the label of the answer that gives consent; also
//! where a classifier, a schema or a server has found words of its own that say more than the row. **What is not**: codes, keys, values, hints, action
//! words, the labels of the native text (readers look for them), upstream texts, and everything an operator reads.
//!
//! **Which words a reader gets**, the first that exist:
//!
//! 1. those the server set itself, in whatever language it wrote them: they say more than any template;
//! 2. the text under the language and the code, filled from the details;
//! 3. if one of its values is missing, the plain text under the language and the code, which needs none;
//! 4. if the language or the code has no text, the row's English.
//!
//! Code that *reads* an error rather than raises it translates the message that came with the error:
//! [`Translator::message`] takes the text under language and code if the details fill it, and that message if not.
//!
//! The words of a row are made when they are asked for. A detail that is added or redacted after [`Fault::in_language`] is
//! heeded. Sentences that belong to no row are made at once, and said again in the language by [`Fault::in_language`] unless
//! they have been changed meanwhile: one that had to be redacted stays as it is.
//!
//! A server translates its own rows with [`Languages`]. One without a translation speaks the language it was written
//! in; it does not borrow the words of the row it extends, whose facts are others.
//!
//! [`Fault::in_language`]: crate::Fault::in_language

mod bundle;
mod check;
mod language;
mod languages;
mod number;
mod pattern;
mod rows;
mod source;
#[cfg(test)]
mod tests;

pub use check::{Problem, TranslationError};
pub use language::Language;
pub use languages::{Languages, Translator};
pub use source::english;

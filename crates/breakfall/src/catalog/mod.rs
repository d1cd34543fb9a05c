//! The catalogue: one row per code, one file per category, and everything that can be asked about them.
//!
//! A row states what differs from the base of its file. [`codes`] names the rows, [`CODES`] lists them in a fixed order, [`registry`] adds a
//! server's own, [`warning`] holds the codes of warnings on successes, and [`decision`] says when something is a
//! warning and when an error. [`lint`] is the check every message passes.

pub mod codes;
pub mod decision;
pub mod lint;
pub mod registry;
pub mod status;
pub mod warning;

pub(crate) mod agree;
mod base;
#[expect(clippy::doc_markdown, reason = "a meaning is plain text")]
mod authentication;
mod authorization;
mod business;
#[expect(clippy::doc_markdown, reason = "a meaning is plain text")]
mod confirmation;
mod conflict;
mod detail;
mod draft;
mod internal;
mod map;
mod not_found;
mod rate_limit;
mod row_error;
mod schema;
mod unavailable;
#[expect(clippy::doc_markdown, reason = "a meaning is plain text")]
mod validation;
mod warning_rows;
pub(crate) mod words;

pub use codes::CODES;

use crate::code::{Category, Code, Entry, Status};

impl Code {
    /// Makes a code of a row. Rows in code are `static`s made by [`Entry::extends`].
    ///
    /// # Panics
    /// When the row has the name of a built-in code or warning, which two rows cannot share. In a `const` that is an error of the
    /// compiler.
    pub const fn new(entry: &'static Entry) -> Self {
        assert!(
            !matches!(entry.status, Status::Custom) || is_free(entry.name),
            "a built-in code or warning has this name"
        );
        Self(entry)
    }
}

/// The built-in code of a native name.
pub fn by_name(name: &str) -> Option<Code> {
    // Fifty-odd names differ in length more often than not, so a scan beats hashing the name.
    CODES.iter().copied().find(|code| code.name() == name)
}

/// The code that stands for a whole category.
pub const fn usual(category: Category) -> Code {
    match category {
        Category::Validation => codes::VALIDATION_INVALID_VALUE,
        Category::Authentication => codes::AUTHENTICATION_REQUIRED,
        Category::Authorization => codes::PERMISSION_DENIED,
        Category::NotFound => codes::NOT_FOUND_RESOURCE,
        Category::Conflict => codes::CONFLICT_INVALID_STATE,
        Category::RateLimit => codes::RATE_LIMIT_EXCEEDED,
        Category::Confirmation => codes::CONFIRMATION_REQUIRED,
        Category::Business => codes::BUSINESS_RULE_VIOLATION,
        Category::Unavailable => codes::UNAVAILABLE_SERVICE,
        Category::Internal => codes::INTERNAL_ERROR,
    }
}

/// Whether a row of a server's own may have this name: no built-in code and no warning has it. The compiler may ask.
pub const fn is_free(name: &str) -> bool {
    let mut at = 0;
    while at < CODES.len() {
        if same(CODES[at].name(), name) {
            return false;
        }
        at += 1;
    }
    at = 0;
    while at < warning::WARNINGS.len() {
        if same(warning::WARNINGS[at].name(), name) {
            return false;
        }
        at += 1;
    }
    true
}

/// Strings cannot be compared by `==` where constants are made.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

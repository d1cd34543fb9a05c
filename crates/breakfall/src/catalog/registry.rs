//! A server's own rows beside the built-in ones, in code and at run time.
//!
//! A row is checked when it is registered, by the rules the built-in rows keep, and every problem is reported at
//! once, each with the field it is in and what to do about it.

use std::any::type_name;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;

use serde_json::{Map, Value};

use super::draft::RowDraft;
use super::lint::{self, Finding};
pub use super::row_error::{Problem, RowError, TextWarnings};
use super::warning::{self, WarningCode, WarningEntry};
use super::{CODES, agree, by_name, map};
use crate::code::{Code, Entry, Status};
use crate::{suggest, template};

/// The codes a server speaks: the built-in ones and its own.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    own: BTreeMap<&'static str, RegisteredRow>,
    warnings: BTreeMap<&'static str, RegisteredWarning>,
}

/// An error type that knows the codes of its faults. `#[derive(Fault)]` implements it, and
/// [`Catalog::with_all`] registers what it lists.
pub trait Codes {
    /// The codes in the order of the variants, each once. What a transparent variant wraps lists its own.
    const CODES: &'static [Code];
}

impl Catalog {
    /// The built-in codes.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Adds a row written in code.
    ///
    /// ```
    /// use breakfall::catalog::{codes, registry::Catalog};
    /// use breakfall::code::{Code, Detail, Entry, Shape};
    ///
    /// static ORDER_NOT_FOUND: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
    ///     .message("Order '{order_id}' not found", "Order not found")
    ///     .details(&[Detail { name: "order_id", shape: Shape::Text, required: true, about: "The order." }]);
    ///
    /// let catalog = Catalog::builtin().with(Code::new(&ORDER_NOT_FOUND))?;
    /// assert_eq!(catalog.get("ORDER_NOT_FOUND").map(|code| code.entry().http), Some(404));
    /// # Ok::<(), breakfall::catalog::registry::RowError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the name is taken or badly formed, or a text or detail of the row breaks a rule.
    #[track_caller]
    pub fn with(mut self, code: Code) -> Result<Self, RowError> {
        self.add(code, RegisteredBy::Caller(Location::caller()))?;
        Ok(self)
    }

    /// Adds the rows of an error type.
    ///
    /// Codes that are built in need no registration, and a row that is here already, because two error types name
    /// it by its path, is not added twice.
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use breakfall::{Catalog, Fault};
    ///
    /// #[derive(Debug, Fault)]
    /// enum OrderError {
    ///     #[fault(code = "ORDER_NOT_FOUND", extends = NOT_FOUND_RESOURCE, message = "Order '{id}' not found")]
    ///     NotFound { id: String },
    ///     #[fault(code = UNAVAILABLE_DEPENDENCY)]
    ///     Database { dependency: String },
    /// }
    ///
    /// #[derive(Debug, Fault)]
    /// enum ReturnError {
    ///     #[fault(code = "ORDER_NOT_FOUND", extends = CONFLICT_INVALID_STATE, message = "Nothing to return")]
    ///     NothingToReturn,
    /// }
    ///
    /// let catalog = Catalog::builtin().with_all::<OrderError>()?;
    /// assert!(catalog.get("ORDER_NOT_FOUND").is_some());
    ///
    /// let error = catalog.with_all::<ReturnError>().unwrap_err().to_string();
    /// assert!(error.contains("OrderError") && error.contains("ReturnError"));
    /// # }
    /// # Ok::<(), breakfall::catalog::registry::RowError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// At the first row whose name another row has, or that breaks a rule.
    #[track_caller]
    pub fn with_all<E: Codes>(mut self) -> Result<Self, RowError> {
        let by = RegisteredBy::Type(type_name::<E>(), Location::caller());
        for code in E::CODES {
            let is_own = matches!(code.entry().status, Status::Custom);
            if is_own && !self.has(*code) {
                self.add(*code, by)?;
            }
        }
        Ok(self)
    }

    /// Adds a warning of the server's own, so that its texts are checked and can be translated.
    ///
    /// ```
    /// use breakfall::Catalog;
    /// use breakfall::catalog::warning::{WarningCode, WarningEntry};
    ///
    /// static ROW: WarningEntry = WarningEntry::new("STOCK_LOW", "Only {left} left", "Few are left");
    ///
    /// let error = Catalog::builtin().with_warning(WarningCode::new(&ROW)).unwrap_err();
    /// assert!(error.to_string().contains("write '{left}'"));
    /// ```
    ///
    /// # Errors
    ///
    /// When the name is taken or badly formed, or a text of the row breaks a rule.
    #[track_caller]
    pub fn with_warning(mut self, code: WarningCode) -> Result<Self, RowError> {
        let (entry, by) = (code.entry(), RegisteredBy::Caller(Location::caller()));
        let mut problems = self.check_name(entry.name, by);
        problems.extend(check_warning(entry));
        RowError::unless_empty(entry.name, problems)?;
        self.warnings
            .insert(entry.name, RegisteredWarning { code, by });
        Ok(self)
    }

    /// The warning of a native name.
    pub fn warning(&self, name: &str) -> Option<WarningCode> {
        let own = || self.warnings.get(name).map(|have| have.code);
        warning::by_name(name).or_else(own)
    }

    /// The server's own warnings, by name.
    pub fn own_warnings(&self) -> impl Iterator<Item = WarningCode> {
        self.warnings.values().map(|have| have.code)
    }

    /// Adds a row described by a map, as a configuration file has it.
    ///
    /// Keys: `extends` (a code) or `category` (a category, or a prefix such as `RATE_LIMIT`), `message_template`,
    /// `remediation`, `user_message`, `meaning`, `when`, `retry`, `http`, `hint`, `actions`, and `details` (key to
    /// `type`, `required`, `about`). `maps_from_http` and `condition` are let through for adapters, who use them.
    /// What is not said is taken over from the code the row extends or from the usual one of its category.
    ///
    /// The row lives as long as the process; the same row added again, by a reload say, takes no more memory.
    ///
    /// # Errors
    ///
    /// When the name is taken or badly formed, a key is unknown, or a value has the wrong type or breaks a rule.
    pub fn add_map(&mut self, name: &str, row: &Map<String, Value>) -> Result<Code, RowError> {
        let mut problems = self.check_name(name, RegisteredBy::Map);
        let draft = map::read(name, row, self, &mut problems);
        RowError::unless_empty(name, problems)?;
        // A draft is missing only where a problem says why, so this is the success path.
        let code = draft
            .map(RowDraft::intern)
            .ok_or_else(|| RowError::new(name, Vec::new()))?;
        self.own.insert(
            code.name(),
            RegisteredRow {
                code,
                by: RegisteredBy::Map,
            },
        );
        Ok(code)
    }

    /// The code of a native name.
    pub fn get(&self, name: &str) -> Option<Code> {
        by_name(name).or_else(|| self.own.get(name).map(|have| have.code))
    }

    /// All codes: the built-in ones in their order, then the server's by name.
    pub fn iter(&self) -> impl Iterator<Item = Code> {
        let own = self.own.values().map(|have| have.code);
        CODES.iter().copied().chain(own)
    }

    /// The code whose name is nearest to a misspelt one.
    pub fn suggest(&self, name: &str) -> Option<Code> {
        suggest::nearest(name, self.iter().map(Code::name)).and_then(|name| self.get(name))
    }

    /// What is wrong with the style of the server's own texts, in all rows at once. It keeps no row out; in the
    /// `error.message` of MCP-AQL it is an error: [`check_texts`](crate::wire::mcp_aql::check_texts).
    ///
    /// ```
    /// use breakfall::catalog::{codes, registry::Catalog};
    /// use breakfall::code::{Code, Detail, Entry, Shape};
    ///
    /// static CHAT_GONE: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "CHAT_GONE")
    ///     .message("Chat '{id}' not found", "Chat not found")
    ///     .details(&[Detail { name: "id", shape: Shape::Text, required: true, about: "The chat." }]);
    ///
    /// let catalog = Catalog::builtin().with(Code::new(&CHAT_GONE))?;
    /// let warnings = catalog.text_warnings().to_string();
    /// assert!(warnings.starts_with("CHAT_GONE: field 'message': the text looks like leaked internals"), "{warnings}");
    /// # Ok::<(), breakfall::catalog::registry::RowError>(())
    /// ```
    pub fn text_warnings(&self) -> TextWarnings {
        let rows = self.own.values().map(|have| have.code.entry());
        let all = rows.flat_map(|entry| {
            let (_, style) = check_texts(entry);
            style.into_iter().map(|problem| (entry.name, problem))
        });
        TextWarnings(all.collect())
    }

    fn add(&mut self, code: Code, by: RegisteredBy) -> Result<(), RowError> {
        let entry = code.entry();
        let mut problems = self.check_name(entry.name, by);
        problems.extend(check_entry(entry));
        RowError::unless_empty(entry.name, problems)?;
        self.own.insert(entry.name, RegisteredRow { code, by });
        Ok(())
    }

    /// Whether this very row is registered, not just one of its name.
    fn has(&self, code: Code) -> bool {
        let have = self.own.get(code.name());
        have.is_some_and(|have| std::ptr::eq(have.code.entry(), code.entry()))
    }

    fn registrant(&self, name: &str) -> Option<RegisteredBy> {
        let row = self.own.get(name).map(|have| have.by);
        row.or_else(|| self.warnings.get(name).map(|have| have.by))
    }

    fn check_name(&self, name: &str, by: RegisteredBy) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !is_code_name(name) {
            problems.push(Problem::new(
                "name",
                format!("'{name}' is not upper-case words joined by underscores"),
                "write two words or more, for example ORDER_NOT_FOUND",
            ));
        }
        if by_name(name).is_some() || warning::by_name(name).is_some() {
            let fix = "choose another name, for example one that begins with your domain";
            problems.push(Problem::new("name", format!("'{name}' is built in"), fix));
        } else if let Some(first) = self.registrant(name) {
            let problem = format!("'{name}' is registered already, by {first}, and again by {by}");
            let fix = "remove one of the two rows or rename it";
            problems.push(Problem::new("name", problem, fix));
        }
        problems
    }
}

/// A row and the place it was registered at, so that a duplicate can name the first.
#[derive(Debug, Clone, Copy)]
struct RegisteredRow {
    code: Code,
    by: RegisteredBy,
}

/// A warning and the place it was registered at.
#[derive(Debug, Clone, Copy)]
struct RegisteredWarning {
    code: WarningCode,
    by: RegisteredBy,
}

#[derive(Debug, Clone, Copy)]
enum RegisteredBy {
    Caller(&'static Location<'static>),
    Type(&'static str, &'static Location<'static>),
    Map,
}

impl fmt::Display for RegisteredBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caller(place) => write!(f, "{place}"),
            Self::Type(name, place) => write!(f, "{name} in {place}"),
            Self::Map => f.write_str("a configuration"),
        }
    }
}

/// Whether a text is the inherited template of a built-in row, which has passed the lint under its own name.
pub(super) fn is_inherited(template: &str) -> bool {
    CODES
        .iter()
        .map(|code| code.entry())
        .any(|entry| entry.message.template == template || entry.remediation.template == template)
}

/// The problems of a row's texts: those that break it, and those of style.
fn check_texts(entry: &Entry) -> (Vec<Problem>, Vec<Problem>) {
    let keys: Vec<&str> = entry.details.iter().map(|detail| detail.name).collect();
    let (mut broken, mut style) = (Vec::new(), Vec::new());
    let mut note = |field: &str, findings: Vec<lint::Finding>| {
        for finding in findings {
            let list = if finding.is_style() {
                &mut style
            } else {
                &mut broken
            };
            list.push(Problem::of(field, &finding, &keys));
        }
    };
    if !is_inherited(entry.message.template) {
        note(
            "message",
            lint::message(entry.name, entry.message.template, keys.iter().copied()),
        );
    }
    if !is_inherited(entry.remediation.template) {
        note(
            "remediation",
            lint::advice(entry.remediation.template, keys.iter().copied()),
        );
    }
    note("message.plain", lint::plain(entry.message.plain));
    note("remediation.plain", lint::plain(entry.remediation.plain));
    note("user", lint::plain(entry.user));
    (broken, style)
}

fn check_entry(entry: &Entry) -> Vec<Problem> {
    let keys: Vec<&str> = entry.details.iter().map(|detail| detail.name).collect();
    let (mut problems, _) = check_texts(entry);
    for (index, key) in keys.iter().enumerate() {
        if keys[..index].contains(key) {
            let problem = format!("the key '{key}' is declared twice");
            problems.push(Problem::new("details", problem, "remove one of the two"));
        }
    }
    if !(400..=599).contains(&entry.http) {
        problems.push(map::bad_http(&entry.http.to_string()));
    }
    problems.extend(agree::problems(entry));
    problems
}

fn check_warning(entry: &WarningEntry) -> Vec<Problem> {
    let template = entry.message.template;
    let declared = entry.context.iter().map(|detail| detail.name);
    // A row that declares none takes whatever its template names.
    let keys: Vec<&str> = match entry.context {
        [] => template::placeholders(template).collect(),
        _ => declared.collect(),
    };
    let of = |field: &'static str, findings: Vec<Finding>| {
        let keys = keys.clone();
        let problem = move |finding: Finding| Problem::of(field, &finding, &keys);
        findings.into_iter().map(problem)
    };
    let message = lint::message(entry.name, template, keys.iter().copied());
    let plain = lint::plain(entry.message.plain);
    of("message", message)
        .chain(of("message.plain", plain))
        .collect()
}

/// `^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`
pub(crate) fn is_code_name(name: &str) -> bool {
    let mut words = name.split('_');
    let begins = name.starts_with(|c: char| c.is_ascii_uppercase());
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    begins && name.contains('_') && words.all(is_word)
}

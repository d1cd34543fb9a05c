//! How a caller is answered.

use breakfall::Stamp;
use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format, Options};
use memchr::memmem;

use breakfall_mcp::jsonrpc::splice::Object;

/// `_meta` key of a request: the format its failure is to be told in.
pub const DIALECT_KEY: &str = "dev.breakfall/dialect";

/// `_meta` key of a request: which blocks `tool-error` writes.
pub const FORMAT_KEY: &str = "dev.breakfall/format";

/// `_meta` key of a request: the language of its caller, as in `Accept-Language`.
pub const LOCALE_KEY: &str = "dev.breakfall/locale";

/// `_meta` key of a request: whether the format is held to the letter.
pub const STRICT_KEY: &str = "dev.breakfall/strict";

/// How a caller is answered. What an operator says comes first, then what the call itself asks for.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[must_use]
#[expect(
    clippy::struct_excessive_bools,
    reason = "answers to questions of their own"
)]
pub struct Manner {
    /// The format of failures.
    pub dialect: Dialect,
    /// Which blocks `tool-error` writes.
    pub format: Format,
    /// The format to the letter, without anything of ours beside it.
    pub strict: bool,
    /// The caller's language, if it is not English.
    pub language: Option<Language>,
    /// The most bytes of a server's text that are passed on.
    pub text_limit: usize,
    /// Whether the tool says how its results look; nothing if the tool is not known.
    pub has_output_schema: Option<bool>,
    /// The server's own `structuredContent` breaks that schema. Many clients look, though it is a failure, and throw all of it
    /// away; so it goes elsewhere.
    pub is_misfit: bool,
    /// Answers of ours are for the protocol of 2026-07-28 or later.
    pub is_modern: bool,
    /// The caller wants a task, and would not understand the result of a tool.
    pub is_task: bool,
    /// Where ids and times come from.
    pub stamp: Stamp,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            dialect: Dialect::Native,
            format: Format::default(),
            strict: false,
            language: None,
            text_limit: Self::TEXT_LIMIT,
            has_output_schema: None,
            is_misfit: false,
            is_modern: false,
            is_task: false,
            stamp: Stamp::System,
        }
    }
}

impl Manner {
    /// The most bytes of a server's text that are passed on, unless another limit is set.
    pub const TEXT_LIMIT: usize = 64 << 10;

    /// Failures in another format.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Other blocks.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// To the letter, or not.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// In the first of these languages there is, as in `Accept-Language`. None of them changes nothing.
    ///
    /// ```
    /// use breakfall_gateway::reply::Manner;
    ///
    /// assert!(Manner::default().locale("tlh, de;q=0.8").language.is_some());
    /// assert!(Manner::default().locale("tlh").language.is_none());
    /// ```
    pub fn locale(self, ranges: &str) -> Self {
        match Language::negotiate(ranges) {
            Some(language) => self.language(language),
            None => self,
        }
    }

    /// In a language.
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language).filter(|language| *language != Language::English);
        self
    }

    /// Whether the tool says how its results look.
    pub fn output_schema(mut self, has: Option<bool>) -> Self {
        self.has_output_schema = has;
        self
    }

    /// As a call asks for in its `_meta`. What it asks for that there is not is not heeded.
    ///
    /// ```
    /// use breakfall::wire::Dialect;
    /// use breakfall_gateway::reply::Manner;
    ///
    /// let params = r#"{"name":"buy","_meta":{"dev.breakfall/dialect":"mcp-error"}}"#;
    /// assert_eq!(Manner::default().asked(params).dialect, Dialect::McpError);
    /// ```
    pub fn asked(mut self, params: &str) -> Self {
        // Hardly any call asks, and looking for the words is much cheaper than parsing.
        if memmem::find(params.as_bytes(), b"dev.breakfall").is_none() {
            return self;
        }
        let meta = Object::of(params, &["_meta"]).and_then(|params| params.get("_meta"));
        let keys = &[DIALECT_KEY, FORMAT_KEY, LOCALE_KEY, STRICT_KEY];
        let Some(meta) = meta.and_then(|meta| Object::of(meta, keys)) else {
            return self;
        };
        let word = |key| meta.text(key);
        if let Some(dialect) = word(DIALECT_KEY).and_then(|word| Dialect::from_name(&word)) {
            self.dialect = dialect;
        }
        if let Some(format) = word(FORMAT_KEY).and_then(|word| Format::from_word(&word)) {
            self.format = format;
        }
        match meta.get(STRICT_KEY) {
            Some("true") => self.strict = true,
            Some("false") => self.strict = false,
            Some(_) | None => {}
        }
        match word(LOCALE_KEY) {
            Some(ranges) => self.locale(&ranges),
            None => self,
        }
    }

    /// Whether a failure of ours may fill `structuredContent`: only where nobody could check it against a schema for
    /// successes. Two formats demand it to the letter.
    pub(super) fn may_be_structured(&self) -> bool {
        let demanded =
            self.strict && matches!(self.dialect, Dialect::ToolError | Dialect::ErrorModel);
        demanded || self.has_output_schema == Some(false)
    }

    pub(super) fn options(&self) -> Options {
        Options::new()
            .strict(self.strict)
            .format(self.format)
            .stamp(self.stamp.clone())
            .structured(self.may_be_structured())
    }
}

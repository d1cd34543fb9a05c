//! What rides on a success: it worked, but the caller should know this.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use crate::catalog::warning::{WARNINGS_SUPPRESSED, WarningCode};
use crate::code::{Severity, Text};
use crate::details::Details;
#[cfg(feature = "locale")]
use crate::locale::Translator;
use crate::template;

/// At most this many warnings; the rest is counted in one more.
pub const MAX_WARNINGS: usize = 10;

/// A structured warning. Only successes have a place for it.
#[derive(Debug, Clone)]
#[must_use]
pub struct Warning {
    pub(crate) name: Option<Cow<'static, str>>,
    pub(crate) severity: Severity,
    pub(crate) message: WarningMessage,
    pub(crate) context: Details,
    /// Who says the row's words in the caller's language.
    #[cfg(feature = "locale")]
    pub(crate) translator: Option<Translator>,
}

#[derive(Debug, Clone)]
pub(crate) enum WarningMessage {
    Row(Text),
    Own(Box<str>),
}

impl Warning {
    /// A warning of a registered code, in the words of its row.
    pub fn new(code: WarningCode) -> Self {
        let entry = code.entry();
        Self {
            name: Some(Cow::Borrowed(entry.name)),
            severity: entry.severity,
            message: WarningMessage::Row(entry.message),
            context: Details::default(),
            #[cfg(feature = "locale")]
            translator: None,
        }
    }

    /// A warning that has words but no code.
    pub fn plain(message: impl Into<Box<str>>) -> Self {
        Self {
            name: None,
            severity: Severity::Warning,
            message: WarningMessage::Own(message.into()),
            context: Details::default(),
            #[cfg(feature = "locale")]
            translator: None,
        }
    }

    /// A warning of a code the registry does not have. An empty code counts as absent.
    pub fn foreign(
        code: impl Into<String>,
        severity: Severity,
        message: impl Into<Box<str>>,
    ) -> Self {
        let code = code.into();
        Self {
            name: (!code.is_empty()).then_some(Cow::Owned(code)),
            severity,
            message: WarningMessage::Own(message.into()),
            context: Details::default(),
            #[cfg(feature = "locale")]
            translator: None,
        }
    }

    /// Replaces the words of the row.
    pub fn message(mut self, message: impl Into<Box<str>>) -> Self {
        self.message = WarningMessage::Own(message.into());
        self
    }

    /// Replaces the severity of the row.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// A fact about it.
    pub fn context(mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        self.context.insert(key, value.into());
        self
    }

    /// The warnings a reply shows: worst first, each once, no more than ten; what is left out is counted in the last one.
    ///
    /// ```
    /// use breakfall::Warning;
    ///
    /// let twice = [Warning::plain("slow"), Warning::plain("slow")];
    /// assert_eq!(Warning::curated(&twice).len(), 1);
    /// ```
    pub fn curated(warnings: &[Self]) -> Vec<Self> {
        let mut seen = HashSet::new();
        let key = |warning: &Self| {
            let context = Value::Object(warning.context.to_map()).to_string();
            (warning.name.clone(), context, warning.text().into_owned())
        };
        let first = warnings.iter().filter(|warning| seen.insert(key(warning)));
        let mut kept: Vec<Self> = first.cloned().collect();
        kept.sort_by_key(|warning| std::cmp::Reverse(warning.severity));
        if kept.len() > MAX_WARNINGS {
            let suppressed = kept.split_off(MAX_WARNINGS - 1).len();
            let notice = Self::new(WARNINGS_SUPPRESSED).context("suppressed_count", suppressed);
            kept.push(notice.like(&kept[0]));
        }
        kept
    }

    /// Its code, if it has one.
    pub fn code(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Its words.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.message {
            WarningMessage::Own(text) => Cow::Borrowed(text),
            WarningMessage::Row(row) => self.translated().unwrap_or_else(|| self.row_text(*row)),
        }
    }

    fn row_text(&self, text: Text) -> Cow<'_, str> {
        if text.template == text.plain {
            return Cow::Borrowed(text.plain);
        }
        template::format(text.template, &self.context).map_or(Cow::Borrowed(text.plain), Cow::Owned)
    }

    #[cfg(feature = "locale")]
    fn translated(&self) -> Option<Cow<'_, str>> {
        self.translator
            .as_ref()?
            .warning(self.code()?, &self.context)
    }

    #[cfg(not(feature = "locale"))]
    #[expect(clippy::unused_self, reason = "the shape it has with the feature")]
    fn translated(&self) -> Option<Cow<'_, str>> {
        None
    }

    /// Speaks as another warning does.
    #[cfg(feature = "locale")]
    pub(crate) fn like(mut self, other: &Self) -> Self {
        self.translator.clone_from(&other.translator);
        self
    }

    #[cfg(not(feature = "locale"))]
    pub(crate) fn like(self, _: &Self) -> Self {
        self
    }

    /// How bad it is.
    pub fn level(&self) -> Severity {
        self.severity
    }

    /// The facts about it.
    pub fn facts(&self) -> &Details {
        &self.context
    }
}

/// Equal for a reader, wherever the words come from.
impl PartialEq for Warning {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.severity == other.severity
            && self.text() == other.text()
            && self.context == other.context
    }
}

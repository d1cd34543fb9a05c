//! The public half: what a caller may see, each fact once, the row's value wherever the fault says nothing.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::CorrelationId;
#[cfg(feature = "locale")]
use super::say::TextSlot;
use crate::code::{Category, Code, Hint, Origin, Retry, RowText, Text, words};
use crate::details::Details;
use crate::elicitation::Elicitation;
#[cfg(feature = "locale")]
use crate::locale::Translator;
use crate::phrase::Phrase;
#[cfg(feature = "locale")]
use crate::phrase::RenderedPhrase;
use crate::template;
use crate::violation::Violation;

/// The half of a fault that renderers and wire formats accept.
#[derive(Debug, Clone)]
pub struct Public {
    pub(crate) code: Code,
    pub(crate) domain_code: Option<Box<str>>,
    pub(crate) message: Option<Box<str>>,
    pub(crate) details: Details,
    pub(crate) violations: Vec<Violation>,
    pub(crate) retry: Option<Retry>,
    pub(crate) wait: Option<Duration>,
    pub(crate) remediation: Option<Box<str>>,
    pub(crate) actions: Option<Vec<Cow<'static, str>>>,
    pub(crate) hint: Option<Hint>,
    pub(crate) user_message: Option<Box<str>>,
    pub(crate) fallback_tool: Option<Box<str>>,
    pub(crate) corrective_params: Option<Value>,
    pub(crate) origin: Option<Origin>,
    pub(crate) provenance: Option<Provenance>,
    pub(crate) http_status: Option<u16>,
    pub(crate) correlation_id: Option<CorrelationId>,
    pub(crate) timestamp: Option<Timestamp>,
    pub(crate) docs_url: Option<Box<str>>,
    pub(crate) elicitation: Option<Box<Elicitation>>,
    /// Who says the row's texts in the caller's language. They are made when they are asked for, so that they say
    /// what the details say then.
    #[cfg(feature = "locale")]
    pub(crate) translator: Option<Translator>,
    /// What our own words among those above were made of.
    #[cfg(feature = "locale")]
    pub(crate) sayings: Vec<(TextSlot, RenderedPhrase)>,
}

impl Public {
    pub(super) fn new(code: Code) -> Self {
        Self {
            code,
            domain_code: None,
            message: None,
            details: Details::default(),
            violations: Vec::new(),
            retry: None,
            wait: None,
            remediation: None,
            actions: None,
            hint: None,
            user_message: None,
            fallback_tool: None,
            corrective_params: None,
            origin: None,
            provenance: None,
            http_status: None,
            correlation_id: None,
            timestamp: None,
            docs_url: None,
            elicitation: None,
            #[cfg(feature = "locale")]
            translator: None,
            #[cfg(feature = "locale")]
            sayings: Vec::new(),
        }
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The category of the code.
    pub fn category(&self) -> Category {
        self.code.category()
    }

    /// A name from another vocabulary that stands beside the code: a server's own, or one we do not know.
    pub fn domain_code(&self) -> Option<&str> {
        self.domain_code.as_deref()
    }

    /// What happened, in a sentence.
    pub fn message(&self) -> Cow<'_, str> {
        match &self.message {
            Some(text) => Cow::Borrowed(text),
            None => self
                .translated(RowText::Message)
                .unwrap_or_else(|| self.row_message()),
        }
    }

    /// The message for a log: the operator's language is English, whatever the caller's is.
    pub(super) fn log_message(&self) -> Cow<'_, str> {
        match &self.message {
            Some(text) => self.said_in_english().unwrap_or(Cow::Borrowed(text)),
            None => self.row_message(),
        }
    }

    fn row_message(&self) -> Cow<'_, str> {
        let entry = self.code.entry();
        let sentence = entry.sentence;
        match sentence.and_then(|sentence| template::format(sentence, &self.details)) {
            Some(text) => Cow::Owned(text),
            None => fill(entry.message, &self.details),
        }
    }

    /// The message in the wording of the registry's template, unless one was set.
    pub(crate) fn template_message(&self) -> Cow<'_, str> {
        match &self.message {
            Some(text) => Cow::Borrowed(text),
            None => self
                .translated(RowText::Template)
                .unwrap_or_else(|| fill(self.code.entry().message, &self.details)),
        }
    }

    /// The message of every fault of this code: without values.
    pub(crate) fn title(&self) -> Cow<'_, str> {
        self.translated(RowText::Title)
            .unwrap_or(Cow::Borrowed(self.code.entry().message.plain))
    }

    /// The free part.
    pub fn details(&self) -> &Details {
        &self.details
    }

    /// Every broken rule.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Every broken rule in the form we extend other formats with, if there is any.
    pub(crate) fn violations_value(&self) -> Option<Value> {
        let all = || self.violations.iter().map(Violation::to_value).collect();
        (!self.violations.is_empty()).then(all)
    }

    /// May the call be repeated? Who states a wait says that it may, except where a person has to agree first.
    pub fn retry(&self) -> Retry {
        let entry = self.code.entry();
        self.retry.unwrap_or(match self.wait {
            Some(_) if entry.names.needs_input.is_none() => Retry::After,
            _ => entry.retry,
        })
    }

    /// What to do instead of what the row says, if another class than the row's was set and the advice no longer fits.
    fn overruled(&self) -> Option<Phrase> {
        match (self.code.entry().retry, self.retry?) {
            (row, set) if row.is_retryable() != set.is_retryable() => {
                Some(Phrase::remedy(set.is_retryable()))
            }
            (Retry::Backoff | Retry::After, Retry::Once) => Some(Phrase::REPEAT_ONCE),
            (Retry::Once, Retry::Backoff | Retry::After) => Some(Phrase::REPEAT_LATER),
            _ => None,
        }
    }

    /// The wait before a repetition, if one is stated.
    pub fn retry_after(&self) -> Option<Duration> {
        self.wait
    }

    /// The wait in whole seconds: rounded up, and never zero when there is a wait.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.wait.map(whole_seconds)
    }

    /// What the caller should do.
    pub fn remediation(&self) -> Cow<'_, str> {
        if let Some(text) = &self.remediation {
            return Cow::Borrowed(text);
        }
        if let Some(instead) = self.overruled() {
            return self.phrase(instead);
        }
        if let Some(text) = self.translated(RowText::Remediation) {
            return text;
        }
        let text = self.code.entry().remediation;
        if text.template == text.plain {
            return Cow::Borrowed(text.plain);
        }
        let instead = |name: &str| match name {
            "retry_after_seconds" => self.retry_after_seconds().map(Value::from),
            "resource_type" => Some(self.details.text(name)?.to_lowercase().into()),
            _ => None,
        };
        template::format_with(text.template, &self.details, instead)
            .map_or(Cow::Borrowed(text.plain), Cow::Owned)
    }

    /// Recovery actions, the preferred one first.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = &str> {
        let own = self.actions.as_deref();
        let row = match self.overruled() {
            None => self.code.entry().actions,
            Some(_) => self.retry().actions(),
        };
        let count = own.map_or(row.len(), <[_]>::len);
        (0..count).map(move |at| own.map_or_else(|| row[at], |own| own[at].as_ref()))
    }

    /// The remedy a format without extensions says: one that was given, or the row's where the fault speaks in the
    /// row's own words. A fault that came with its own message says no more than it came with.
    pub(crate) fn stated_remediation(&self) -> Option<Cow<'_, str>> {
        (self.remediation.is_some() || self.message.is_none()).then(|| self.remediation())
    }

    /// One word on how to recover. Where the fault overrides its row's retry class, the row's hint no longer fits.
    pub fn hint(&self) -> Hint {
        let entry = self.code.entry();
        let now = self.retry().is_retryable();
        if self.hint.is_none() && now != entry.retry.is_retryable() {
            return match (now, self.fallback_tool.is_some()) {
                (true, _) => Hint::RetryLater,
                (false, true) => Hint::TryAlternative,
                (false, false) => Hint::ReportToUser,
            };
        }
        self.hint.unwrap_or(if self.fallback_tool.is_some() {
            entry.hint_with_fallback
        } else {
            entry.hint
        })
    }

    /// What a person may be told.
    pub fn user_message(&self) -> &str {
        self.user_message
            .as_deref()
            .or_else(|| self.translated_user())
            .unwrap_or(self.code.entry().user)
    }

    /// A tool to call instead.
    pub fn fallback_tool(&self) -> Option<&str> {
        self.fallback_tool.as_deref()
    }

    /// Complete arguments that would do.
    pub fn corrective_params(&self) -> Option<&Value> {
        self.corrective_params.as_ref()
    }

    /// Whose doing it was.
    pub fn origin(&self) -> Origin {
        self.origin.unwrap_or(self.code.entry().origin)
    }

    /// Which rule made the fault of a bare failure, and how sure it was. Faults raised as such have none.
    pub fn provenance(&self) -> Option<&Provenance> {
        self.provenance.as_ref()
    }

    /// The HTTP status that an upstream answered with.
    pub fn http_status(&self) -> Option<u16> {
        self.http_status
    }

    /// The id under which the operator finds the rest.
    pub fn correlation_id(&self) -> Option<&CorrelationId> {
        self.correlation_id.as_ref()
    }

    /// When it happened.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.timestamp
    }

    /// Where to read more.
    pub fn docs_url(&self) -> Option<&str> {
        self.docs_url.as_deref()
    }

    /// The question to put to a person, when the value at fault is theirs to correct.
    pub fn elicitation(&self) -> Option<&Elicitation> {
        self.elicitation.as_deref()
    }
}

/// Two halves are equal when a reader could not tell them apart: by what they say, not by where it comes from.
impl PartialEq for Public {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
            && self.domain_code == other.domain_code
            && self.message() == other.message()
            && self.details == other.details
            && self.violations == other.violations
            && self.retry() == other.retry()
            && self.wait == other.wait
            && self.remediation() == other.remediation()
            && self.actions().eq(other.actions())
            && self.hint() == other.hint()
            && self.user_message() == other.user_message()
            && self.fallback_tool == other.fallback_tool
            && self.corrective_params == other.corrective_params
            && self.origin() == other.origin()
            && self.provenance == other.provenance
            && self.http_status == other.http_status
            && self.correlation_id == other.correlation_id
            && self.timestamp == other.timestamp
            && self.docs_url == other.docs_url
            && self.elicitation == other.elicitation
    }
}

/// Who classified a bare failure, and how sure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// The rule.
    pub rule: Cow<'static, str>,
    /// How sure it is.
    pub confidence: Confidence,
}

impl Provenance {
    /// A rule and its confidence.
    pub fn new(rule: impl Into<Cow<'static, str>>, confidence: Confidence) -> Self {
        Self {
            rule: rule.into(),
            confidence,
        }
    }
}

words! {
    /// How sure a classification is, surest first.
    Confidence {
        /// The failure said so itself, in one of this library's formats.
        Exact = "exact",
        /// Its structure says so.
        Structural = "structural",
        /// Its words say so.
        Textual = "textual",
        /// Nothing says so; it is the default.
        Default = "default",
    }
}

fn fill(text: Text, details: &Details) -> Cow<'static, str> {
    if text.template == text.plain {
        return Cow::Borrowed(text.plain);
    }
    template::format(text.template, details).map_or(Cow::Borrowed(text.plain), Cow::Owned)
}

fn whole_seconds(wait: Duration) -> u64 {
    let up = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(up).max(1)
}

//! The rules in use, and what they make of a text.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::body::{self, BodyReading};
use super::caller_values::CallFacts;
use super::rule::{Rule, RuleEffect, RuleError, RuleRow, TextRule};
use super::text::{self, RuleScanner, TextJudgement};
use super::{disguise, dump, json, page, prefix};
use crate::catalog::codes;
use crate::code::{Category, Origin};
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::Phrase;
use crate::suggest;
use crate::wire::Options;

/// Rules by which a bare failure is recognised: the built-in ones and an operator's own, each of which can be seen and
/// switched off.
///
/// Cloning is cheap. [`read_by`](crate::read::read_by) reads whole MCP messages with one.
///
/// ```
/// use breakfall::classify::Classifier;
///
/// let fault = Classifier::new().text("Error: rate limit exceeded, retry after 7 seconds");
/// assert_eq!(fault.code().name(), "RATE_LIMIT_EXCEEDED");
/// assert_eq!(fault.public().retry_after_seconds(), Some(7));
/// assert_eq!(fault.public().provenance().map(|by| &*by.rule), Some("text.rate-limit"));
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Classifier {
    changes: Option<Arc<RuleChanges>>,
    /// The call whose answer is classified, if it is known.
    call: Option<Arc<CallFacts>>,
}

/// The differences from the built-in rules.
#[derive(Debug, Clone, Default)]
struct RuleChanges {
    off: Vec<Box<str>>,
    own: Vec<TextRule>,
    unmask: bool,
    /// The built-in rules on words, where some are off.
    words: Option<Arc<RuleScanner>>,
    own_words: Option<Arc<RuleScanner>>,
}

impl Classifier {
    /// The built-in rules, without those that unmask failures disguised as success.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether results that call themselves successes are looked at: off until switched on.
    ///
    /// ```
    /// use breakfall::classify::Classifier;
    /// use serde_json::json;
    ///
    /// let result = json!({"content": [{"type": "text", "text": "Database error: no such table: orders"}]});
    /// let fault = Classifier::new().unmask(true).disguised(&result).expect("a failure");
    /// assert_eq!(fault.code().name(), "NOT_FOUND_RESOURCE");
    /// assert!(fault.public().provenance().is_some_and(|by| by.rule.starts_with("disguise.")));
    /// assert!(Classifier::new().disguised(&result).is_none());
    /// ```
    pub fn unmask(self, on: bool) -> Self {
        self.change(|changed| changed.unmask = on)
    }

    /// The same rules for the answer to one call: the values that its caller sent, of four bytes or more, are masked before
    /// a rule looks at a text, because they say nothing about what happened. `arguments` are JSON.
    ///
    /// ```
    /// use breakfall::classify::Classifier;
    ///
    /// let text = "Unexpected shell operator: 'Rate limit exceeded'";
    /// assert_eq!(Classifier::new().text(text).code().name(), "RATE_LIMIT_EXCEEDED");
    /// let call = Classifier::new().for_call("run", r#"{"command": "echo 'Rate limit exceeded' && ls"}"#);
    /// assert_ne!(call.text(text).code().name(), "RATE_LIMIT_EXCEEDED");
    /// ```
    pub fn for_call(&self, tool: &str, arguments: &str) -> Self {
        Self {
            changes: self.changes.clone(),
            call: Some(Arc::new(CallFacts::new(tool, arguments))),
        }
    }

    /// The call whose answer is classified, if it is known.
    pub(crate) fn call(&self) -> Option<&CallFacts> {
        self.call.as_deref()
    }

    /// A text as the rules see it.
    pub(crate) fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.call() {
            Some(call) => call.mask(text),
            None => Cow::Borrowed(text),
        }
    }

    /// Switches a rule off.
    ///
    /// ```
    /// use breakfall::classify::Classifier;
    ///
    /// let careful = Classifier::new().without("text.network")?;
    /// assert_eq!(careful.text("connection refused").code().name(), "INTERNAL_UNKNOWN");
    /// # Ok::<(), breakfall::classify::RuleError>(())
    /// ```
    ///
    /// # Errors
    /// When no rule has this id, or it is the fallback rule.
    pub fn without(self, id: &str) -> Result<Self, RuleError> {
        if !self.rules().any(|rule| rule.id == id) {
            let nearest = suggest::nearest(id, self.rules().map(|rule| rule.id)).map(str::to_owned);
            let id = id.to_owned();
            return Err(RuleError::Unknown { id, nearest });
        }
        if id == UNCLASSIFIED.id {
            return Err(RuleError::Needed(id.to_owned()));
        }
        Ok(self.change(|changed| {
            changed.off.push(id.into());
            changed.compile();
        }))
    }

    /// Adds a rule of one's own. Such rules come before the built-in ones, in the order they were added.
    ///
    /// # Errors
    /// When the id is malformed or taken, or a phrase is malformed.
    pub fn with(self, rule: TextRule) -> Result<Self, RuleError> {
        rule.check()?;
        if self.rules().any(|have| have.id == rule.id) {
            return Err(RuleError::Duplicate(rule.id));
        }
        Ok(self.change(|changed| {
            changed.own.push(rule);
            changed.compile();
        }))
    }

    /// Every rule, in the order in which they are asked.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        let own = self.changes.iter().flat_map(|changed| &changed.own);
        let own = own.map(|rule| rule.listed(self.is_on(&rule.id)));
        own.chain(built_in().map(|row| row.listed(self.is_on(row.id))))
    }

    /// Makes a fault of a text that is known to be about a failure: the text of an `isError` result, a line on
    /// standard error. It always makes one; a text no rule recognises is `INTERNAL_UNKNOWN`.
    pub fn text(&self, text: &str) -> Fault {
        self.words(text, None, &Options::new())
    }

    /// [`Self::text`] of bytes that should be UTF-8.
    ///
    /// ```
    /// use breakfall::classify::Classifier;
    ///
    /// let fault = Classifier::new().bytes(b"\xff\xfe permission denied");
    /// assert_eq!(fault.code().name(), "PERMISSION_DENIED");
    /// ```
    pub fn bytes(&self, bytes: &[u8]) -> Fault {
        self.text(&String::from_utf8_lossy(bytes))
    }

    /// Whether results that call themselves successes are looked at.
    pub fn unmasks(&self) -> bool {
        let changes = self.changes.as_ref();
        changes.is_some_and(|changed| changed.unmask)
    }

    pub(crate) fn is_on(&self, id: &str) -> bool {
        let off = |changed: &Arc<RuleChanges>| changed.off.iter().any(|off| **off == *id);
        let masked = id.starts_with(disguise::FAMILY) && !self.unmasks();
        !masked && !self.changes.as_ref().is_some_and(off)
    }

    /// What the rules on words say.
    pub(super) fn judge(&self, text: &str) -> Option<TextJudgement> {
        let text = &self.masked(text);
        let changes = self.changes.as_ref();
        match changes.and_then(|changed| changed.words.as_deref()) {
            Some(some) => some.judge(text),
            None => text::judge(text),
        }
    }

    /// What an operator's own rules on words say.
    pub(crate) fn own(&self, text: &str) -> Option<TextJudgement> {
        let own = self.changes.as_ref()?.own_words.as_deref()?;
        own.judge(&self.masked(text))
    }

    /// Own rules first, then what has a structure, then words, then the layers around them.
    /// `parsed` is the whole text as JSON, if it has been parsed already.
    pub(crate) fn words(&self, text: &str, parsed: Option<Value>, options: &Options) -> Fault {
        let on = |id: &str| self.is_on(id);
        let layers = prefix::unwrap(text, &on);
        let inner = page::without(layers.inner);
        let fault = self
            .own(text)
            .map(|judgement| judged(judgement).message(&*inner))
            .or_else(|| {
                let found = match parsed {
                    Some(value) => Some(json::EmbeddedJson { value, whole: true }),
                    None => json::find(layers.bare),
                };
                self.structured(&layers, &inner, found, options)
            })
            .or_else(|| Some(judged(self.judge(&inner)?).message(&*inner)))
            .or_else(|| {
                let (code, rule) = layers.code?;
                let by = Provenance::new(rule, Confidence::Structural);
                Some(Fault::new(code).provenance(by).message(&*inner))
            });
        let mut fault = fault.unwrap_or_else(|| unclassified(&inner));
        if let Some(status) = layers.status
            && fault.public().http_status().is_none()
        {
            fault = fault.http_status(status);
        }
        match layers.tool {
            Some(tool) if fault.public().details().get("operation").is_none() => {
                fault.in_operation(tool)
            }
            _ => fault,
        }
    }

    /// A dump or JSON in a text.
    fn structured(
        &self,
        layers: &prefix::UnwrappedText<'_>,
        inner: &str,
        found: Option<json::EmbeddedJson>,
        options: &Options,
    ) -> Option<Fault> {
        let bare = layers.bare;
        let value = found.as_ref().map(|found| &found.value);
        if let Some(said) = dump::read(bare, value, &|id| self.is_on(id)) {
            let code = said.code.unwrap_or(codes::VALIDATION_INVALID_VALUE);
            let by = Provenance::new(said.shape, Confidence::Structural);
            return Some(said.add_to(Fault::new(code)).provenance(by));
        }
        let found = found?;
        let fault = self.json(&found.value, options)?;
        let paged = inner.len() != layers.inner.len();
        Some(if paged || found.whole && bare.len() == inner.len() {
            fault
        } else {
            // Words in front are part of what the failure says.
            fault.message(inner)
        })
    }

    /// A body in some format, of which it is known that it is about a failure.
    pub(crate) fn json(&self, value: &Value, options: &Options) -> Option<Fault> {
        if self.is_on(json::DOCUMENT.id)
            && let Some((fault, _, sure)) = body::exact(value, options)
        {
            let known = fault.public().provenance().is_some();
            let by = Provenance::new(json::DOCUMENT.id, sure);
            return Some(if known { fault } else { fault.provenance(by) });
        }
        let said = json::read(value).filter(|_| self.is_on(json::BODY.id))?;
        let judged = json::judge(&said, &|text| self.judge(text))?;
        let status = said.status;
        let mut fault = self::said(said, &judged);
        if let Some(status) = status {
            fault = fault.http_status(status);
        }
        Some(fault)
    }

    fn change(self, change: impl FnOnce(&mut RuleChanges)) -> Self {
        let mut changed = self.changes.unwrap_or_default();
        change(Arc::make_mut(&mut changed));
        Self {
            changes: Some(changed),
            call: self.call,
        }
    }
}

impl RuleChanges {
    fn compile(&mut self) {
        let is_on = |id: &str| !self.off.iter().any(|off| **off == *id);
        if self.off.iter().any(|off| off.starts_with("text.")) {
            let rows = text::RULES.iter().filter(|row| is_on(row.id));
            self.words = Some(Arc::new(RuleScanner::of(rows)));
        }
        let own: Vec<TextRule> = self
            .own
            .iter()
            .filter(|rule| is_on(&rule.id))
            .cloned()
            .collect();
        self.own_words = (!own.is_empty()).then(|| Arc::new(RuleScanner::own(&own)));
    }
}

/// Every built-in rule, in the order in which they are asked.
fn built_in() -> impl Iterator<Item = &'static RuleRow> {
    prefix::rows()
        .chain(dump::rows())
        .chain([&json::DOCUMENT, &json::BODY])
        .chain(text::RULES)
        .chain([&UNCLASSIFIED])
        .chain(disguise::rows())
}

/// The rule that takes what no other does.
pub(crate) static UNCLASSIFIED: RuleRow = RuleRow {
    id: "default.unclassified",
    about: "A failure no rule recognises. Its words are kept, its cause is not guessed.",
    code: Some(codes::INTERNAL_UNKNOWN),
    confidence: Confidence::Default,
    examples: &["no luck", "Error: no luck", "500 items", ""],
    counter_examples: &["rate limit exceeded"],
    ..RuleRow::STRUCTURAL
};

/// A failure no rule recognises. Its words, if there are any, are all there is to go by: a compiler, a test run and a tool
/// of the trade tell their users in them what to change.
pub(crate) fn unclassified(words: &str) -> Fault {
    let by = Provenance::new(UNCLASSIFIED.id, UNCLASSIFIED.confidence);
    let fault = Fault::new(codes::INTERNAL_UNKNOWN).provenance(by);
    if words.trim().is_empty() {
        fault
    } else {
        fault.message(words).read_its_words()
    }
}

/// The fault of a judgement on words, without any words yet.
fn judged(judgement: TextJudgement) -> Fault {
    let mut fault = heeding_user(Fault::new(judgement.code), judgement.effect);
    if judgement.effect == RuleEffect::ReadWords {
        fault = fault.read_its_words();
    }
    fault = fault.provenance(Provenance::new(judgement.rule, Confidence::Textual));
    if let Some(wait) = judgement.wait {
        fault = fault.retry_after(wait);
    }
    if let Some(status) = judgement.status {
        fault = fault.http_status(status);
    }
    of_a_tool(fault)
}

/// Where a person called it off, the row would send its reader to an operator.
pub(super) fn heeding_user(fault: Fault, effect: RuleEffect) -> Fault {
    let is_advised = fault.public().remediation.is_some();
    if effect == RuleEffect::AskUser && !is_advised {
        fault.advise(Phrase::CALL_ASK_USER)
    } else {
        fault
    }
}

/// What a gateway does by default is a tool's or its upstream's doing when a tool tells of it.
fn of_a_tool(fault: Fault) -> Fault {
    match (fault.public().origin(), fault.public().category()) {
        (Origin::Gateway, Category::Unavailable) => fault.origin(Origin::Upstream),
        (Origin::Gateway, _) => fault.origin(Origin::Tool),
        (Origin::Caller | Origin::Upstream | Origin::Tool, _) => fault,
    }
}

/// The fault of a body.
fn said(mut said: BodyReading, judged: &json::BodyJudgement) -> Fault {
    let words = judged.by_words.as_ref();
    said.wait = said.wait.or(words.and_then(|words| words.wait));
    let rule = words.map_or(Cow::Borrowed(json::BODY.id), |words| words.rule.clone());
    let effect = words.map_or(RuleEffect::None, |words| words.effect);
    let fault = heeding_user(said.add_to(Fault::new(judged.code)), effect);
    of_a_tool(fault.provenance(Provenance::new(rule, judged.confidence)))
}

//! What is wrong with arguments, one finding for each broken rule, and what to do about it.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::coerce::coercions;
use super::edit;
use super::explain;
use super::raw::BrokenRule;
use super::schema::Schema;
use super::{fault, repair};
use crate::fault::Fault;
use crate::redact::Redactor;
use crate::violation::Violation;

/// Every broken rule of one call, the gravest kind first; empty if the arguments are valid.
#[must_use]
pub struct Findings<'a> {
    schema: &'a Schema,
    arguments: &'a Value,
    items: Vec<(BrokenRule, Option<Repair>)>,
    corrected: Option<Value>,
    incomplete: bool,
}

impl<'a> Findings<'a> {
    pub(super) fn none(schema: &'a Schema, arguments: &'a Value) -> Self {
        Self::new(schema, arguments, Vec::new(), None)
    }

    pub(super) fn new(
        schema: &'a Schema,
        arguments: &'a Value,
        items: Vec<(BrokenRule, Option<Repair>)>,
        corrected: Option<Value>,
    ) -> Self {
        Self {
            schema,
            arguments,
            items,
            corrected,
            incomplete: false,
        }
    }

    pub(super) fn incomplete(mut self) -> Self {
        self.incomplete = !self.items.is_empty();
        self
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many rules are broken.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether more may be wrong than was found, because looking for all of it would have taken too long.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Whether nothing is known about the arguments, because judging them would have taken too long or gone too deep.
    /// There is one finding then, which says so and blames no argument: a server that can do without validation may let it pass.
    ///
    /// ```
    /// use breakfall::validate::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"items": {"type": "integer"}}))?;
    /// let mut nested = json!(0);
    /// for _ in 0..200 {
    ///     nested = json!([nested]);
    /// }
    /// assert!(schema.check(&nested).is_unjudged());
    /// assert!(!schema.check(&json!(["a"])).is_unjudged());
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    pub fn is_unjudged(&self) -> bool {
        matches!(self.items.as_slice(), [(raw, _)] if raw.is_unjudged())
    }

    /// Each broken rule.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Finding<'_>> {
        self.items.iter().map(|(raw, repair)| Finding {
            findings: self,
            raw,
            repair: repair.as_ref(),
        })
    }

    /// Only some of the findings: those a caller decides to act on.
    ///
    /// ```
    /// use breakfall::validate::{Kind, Schema};
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({
    ///     "properties": {"limit": {"type": "integer"}},
    ///     "additionalProperties": false
    /// }))?;
    /// let arguments = json!({"limit": "50", "colour": "red"});
    /// let strict = schema.check(&arguments);
    /// assert_eq!(strict.corrective_params(), None, "the colour is not declared");
    /// let lenient = strict.keep(|finding| finding.kind() != Kind::Unknown);
    /// assert_eq!(lenient.corrective_params(), Some(&json!({"limit": 50, "colour": "red"})));
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    pub fn keep(mut self, mut keep: impl FnMut(&Finding<'_>) -> bool) -> Self {
        let mut kept: Vec<bool> = self.iter().map(|finding| keep(&finding)).collect();
        // What is missing and what is there under another name are one mistake.
        let missed: Vec<bool> = self
            .items
            .iter()
            .map(|item| self.names_a_kept(item, &kept))
            .collect();
        for (kept, missed) in kept.iter_mut().zip(missed) {
            *kept |= missed;
        }
        if kept.iter().all(|kept| *kept) {
            return self;
        }
        let mut kept = kept.into_iter();
        let (items, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut self.items)
            .into_iter()
            .partition(|_| kept.next().unwrap_or(true));
        self.corrected = repair::correct(self.schema, self.arguments, &items, &dropped);
        self.items = items;
        self
    }

    /// Whether one of the findings is about a name that stands for what another, which is kept, misses.
    fn names_a_kept(&self, (raw, repair): &(BrokenRule, Option<Repair>), kept: &[bool]) -> bool {
        let Some(target) = repair
            .as_ref()
            .and_then(|repair| repair::target(&raw.at, repair))
        else {
            return false;
        };
        let mut others = self.items.iter().zip(kept);
        others.any(|((other, _), kept)| *kept && other.at == target)
    }

    /// Complete arguments that break none of these rules, if it is certain what was meant everywhere. They differ
    /// from what was sent only where a rule is broken.
    pub fn corrective_params(&self) -> Option<&Value> {
        self.corrected.as_ref()
    }

    /// The arguments with every value of a wrong type turned into what it plainly stands for. A finding whose value
    /// stands for nothing in particular has no [repair](Finding::repair), and its value stays.
    ///
    /// ```
    /// use breakfall::validate::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"properties": {"limit": {"type": "integer"}, "on": {"type": "boolean"}}}))?;
    /// let arguments = json!({"limit": "50", "on": "perhaps"});
    /// assert_eq!(schema.check(&arguments).coerced(), json!({"limit": 50, "on": "perhaps"}));
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    pub fn coerced(&self) -> Value {
        let coercible = self.iter().filter(|finding| finding.kind() == Kind::Type);
        let repairs = coercible.filter_map(|finding| Some((finding.pointer(), finding.repair()?)));
        edit::repaired(self.arguments, repairs)
    }

    /// The arguments without unknown parameters.
    ///
    /// ```
    /// use breakfall::validate::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"properties": {"city": {}}, "additionalProperties": false}))?;
    /// let arguments = json!({"city": "Oslo", "colour": "red"});
    /// assert_eq!(schema.check(&arguments).stripped(), json!({"city": "Oslo"}));
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    pub fn stripped(&self) -> Value {
        let unknown = self
            .iter()
            .filter(|finding| finding.kind() == Kind::Unknown);
        edit::without(self.arguments, unknown.map(|finding| finding.pointer()))
    }

    /// One fault for all findings, if there are any, for the call of a tool. Its code is that of the gravest kind.
    pub fn into_fault(self, tool: &str) -> Option<Fault> {
        fault::of(self, tool)
    }

    pub(super) fn take_corrected(&mut self) -> Option<Value> {
        self.corrected.take()
    }

    pub(super) fn schema(&self) -> &'a Schema {
        self.schema
    }

    pub(super) fn arguments(&self) -> &'a Value {
        self.arguments
    }
}

impl fmt::Debug for Findings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// One broken rule of one value.
#[derive(Clone, Copy)]
pub struct Finding<'f> {
    pub(super) findings: &'f Findings<'f>,
    pub(super) raw: &'f BrokenRule,
    repair: Option<&'f Repair>,
}

impl<'f> Finding<'f> {
    /// What kind of mistake it is.
    pub fn kind(&self) -> Kind {
        self.raw.kind()
    }

    /// Where in the arguments, exactly; for a missing parameter, where it should be. It may repeat what the caller
    /// wrote: what is shown to others is [`Self::violation`].
    pub fn pointer(&self) -> &'f str {
        &self.raw.at
    }

    /// What would put it right, when that is certain.
    pub fn repair(&self) -> Option<&'f Repair> {
        self.repair
    }

    /// Whether a value of the wrong type plainly stands for one of the right type: `"50"` for 50, or nothing for what may
    /// be left out or is [nullable](Self::is_nullable). The [repair](Self::repair) then changes how it is written, and not what it says.
    ///
    /// ```
    /// use breakfall::validate::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"properties": {"limit": {"type": "integer", "maximum": 100}}}))?;
    /// let is_coercible = |limit| {
    ///     let arguments = json!({"limit": limit});
    ///     schema.check(&arguments).iter().all(|finding| finding.is_coercible())
    /// };
    /// assert!(is_coercible(json!("50")));
    /// assert!(is_coercible(json!(null)));
    /// assert!(!is_coercible(json!("500")), "there is a repair, and it says something else");
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    pub fn is_coercible(&self) -> bool {
        if self.is_nullable() {
            return true;
        }
        let (Some(types), Some(value)) = (self.raw.types(), self.value()) else {
            return false;
        };
        match self.repair {
            Some(Repair::Replace(meant)) => coercions(value, types).contains(meant),
            Some(Repair::Remove) => value.is_null(),
            Some(Repair::Insert(_) | Repair::Rename(_)) | None => false,
        }
    }

    /// Whether nothing stands where the schema says `nullable`. That is not JSON Schema, but many schemas come from `OpenAPI`, and
    /// their servers take it.
    ///
    /// ```
    /// use breakfall::validate::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"properties": {"note": {"type": "string", "nullable": true}}, "required": ["note"]}))?;
    /// let arguments = json!({"note": null});
    /// assert!(schema.check(&arguments).iter().all(|finding| finding.is_nullable()));
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    pub fn is_nullable(&self) -> bool {
        let is_about_value = matches!(self.kind(), Kind::Type | Kind::Enum);
        let is_nothing = is_about_value && self.value().is_some_and(Value::is_null);
        is_nothing && {
            let document = self.findings.schema().document();
            let said = document.values(&document.at(&self.raw.at), "nullable");
            said.contains(&&Value::Bool(true))
        }
    }

    /// The violation to show: what came is in it only where it is short and no secret.
    pub fn violation(&self) -> Violation {
        explain::violation(self)
    }

    /// What came, if anything did.
    pub(super) fn value(&self) -> Option<&'f Value> {
        edit::get(self.findings.arguments, &self.raw.at)
    }

    /// The name by which a value may be a secret: the one it has, that of the list it is in, or the one that was meant.
    pub(super) fn name(&self) -> Option<Cow<'f, str>> {
        if let Some(Repair::Rename(meant)) = self.repair()
            && Redactor::hides(meant)
        {
            return Some(Cow::Borrowed(&**meant));
        }
        let mut at = self.raw.at.as_str();
        // Items are what their list is.
        while let Some((list, item)) = edit::parent(at) {
            if list.is_empty() || edit::index(&item).is_none() {
                return Some(item);
            }
            at = list;
        }
        None
    }
}

impl fmt::Debug for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.violation().fmt(f)
    }
}

/// Kinds of mistakes, the gravest first. It is also the order in which one of them gives a fault its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever has a rule for each kind wants to know them all"
)]
pub enum Kind {
    /// A required parameter is missing.
    Missing,
    /// A value has the wrong type.
    Type,
    /// A name the schema does not have.
    Unknown,
    /// A value that is not one of those allowed.
    Enum,
    /// A number beyond a bound.
    Range,
    /// A text, list or object that is too short, too long or too deep.
    Size,
    /// A text that does not match a regular expression.
    Pattern,
    /// A text that is not written as a date, an address or another well-known format.
    Format,
    /// Anything else: a multiple, a repeated item, an alternative, a rule across members.
    Other,
}

impl Kind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::Missing,
        Self::Type,
        Self::Unknown,
        Self::Enum,
        Self::Range,
        Self::Size,
        Self::Pattern,
        Self::Format,
        Self::Other,
    ];

    /// The word in a configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Type => "type",
            Self::Unknown => "unknown",
            Self::Enum => "enum",
            Self::Range => "range",
            Self::Size => "size",
            Self::Pattern => "pattern",
            Self::Format => "format",
            Self::Other => "other",
        }
    }
}

/// What to do to the value at the pointer of a finding.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Repair {
    /// Put this in its place.
    Replace(Value),
    /// Add this there.
    Insert(Value),
    /// Call it by this name, in the same object.
    Rename(Box<str>),
    /// Leave it out.
    Remove,
}

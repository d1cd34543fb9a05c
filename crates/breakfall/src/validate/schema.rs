//! A compiled schema, and checking with it.

use std::fmt;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::document::SchemaDocument;
use super::finding::Findings;
use super::raw::{self, BrokenRule};
use super::work::{self, WorkPlan};
use super::{refuse, repair};
use crate::fault::Fault;

/// A JSON Schema, compiled once to check many calls.
pub struct Schema {
    validator: Validator,
    document: SchemaDocument,
    closed: bool,
}

impl Schema {
    /// Compiles a schema. Nothing is fetched: references lead into the document or nowhere.
    ///
    /// ```
    /// use breakfall::validate::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"properties": {"city": {"type": "string"}}}))?;
    /// assert!(schema.check(&json!({"city": "Oslo"})).is_empty());
    ///
    /// let fault = Schema::compile(&json!({"$ref": "https://example.com/schema"})).unwrap_err();
    /// assert_eq!(fault.code().name(), "SCHEMA_UNRESOLVED_REF");
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A fault of the schema's author, with the place in it: a mistake, an unsupported dialect, a
    /// reference out of the document or to nothing, a pattern that has no bound on its time, or too much of it.
    pub fn compile(schema: &Value) -> Result<Self, Fault> {
        let (document, bare) = SchemaDocument::read(schema)?;
        let patterns = PatternOptions::regex()
            .size_limit(document.most())
            .dfa_size_limit(document.most());
        let options = jsonschema::options()
            .with_draft(document.draft())
            .offline()
            .with_pattern_options(patterns)
            .should_validate_formats(true)
            // Which dialect of expressions a tool takes is not ours to know.
            .with_format("regex", |_: &str| true)
            // Draft 7 does not know it, and those who write draft 7 use it all the same.
            .with_format("uuid", |text: &str| {
                text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
            })
            .without_content_encoding_support("base64")
            .without_content_media_type_support("application/json");
        let validator = options
            .build(&bare)
            .map_err(|error| refuse::build(&error))?;
        Ok(Self {
            validator,
            document,
            closed: false,
        })
    }

    /// Finds names the schema does not declare even where it leaves room for them. Few schemas of tools forbid
    /// unknown names, and a misspelt parameter should not be ignored silently.
    ///
    /// It has no effect where the schema says what other names may hold, and none below the arguments themselves.
    ///
    /// ```
    /// use breakfall::validate::{Kind, Schema};
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({"properties": {"limit": {"type": "integer"}}}))?;
    /// let arguments = json!({"limt": 5});
    /// assert!(schema.check(&arguments).is_empty());
    /// let schema = schema.closed();
    /// assert_eq!(schema.check(&arguments).iter().next().map(|finding| finding.kind()), Some(Kind::Unknown));
    /// # Ok::<(), breakfall::Fault>(())
    /// ```
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.closed = self.document.is_open();
        self
    }

    /// Everything that is wrong with arguments. Names that begin with `_` are ignored.
    pub fn check<'a>(&'a self, arguments: &'a Value) -> Findings<'a> {
        let limit = self.document.depth();
        let Some(longest) = work::longest(arguments, limit) else {
            let too_deep = BrokenRule::too_deep(limit);
            return Findings::new(self, arguments, vec![(too_deep, None)], None);
        };
        let Some(plan) = self.judged(arguments, longest) else {
            return Findings::none(self, arguments);
        };
        let raws = self.errors(arguments, plan);
        if plan != WorkPlan::All {
            let items = raws.into_iter().map(|raw| (raw, None));
            return Findings::new(self, arguments, items.collect(), None).incomplete();
        }
        let (repairs, corrected) = repair::find(self, arguments, &raws);
        let items = raws.into_iter().zip(repairs).collect();
        Findings::new(self, arguments, items, corrected)
    }

    pub(super) fn document(&self) -> &SchemaDocument {
        &self.document
    }

    /// The broken rules of arguments that are not deeper than those that were checked, or so many that one stands for
    /// all of them.
    pub(super) fn raws(&self, arguments: &Value) -> Vec<BrokenRule> {
        let limit = self.document.depth();
        let Some(longest) = work::longest(arguments, limit) else {
            return vec![BrokenRule::too_deep(limit)];
        };
        let plan = self.judged(arguments, longest);
        plan.map_or_else(Vec::new, |plan| self.errors(arguments, plan))
    }

    /// The plan for collecting errors; nothing if the arguments are valid.
    fn judged(&self, arguments: &Value, longest: usize) -> Option<WorkPlan> {
        if work::is_easy(&self.document, longest) {
            return (!self.is_valid(arguments))
                .then(|| work::plan(&self.document, arguments, true));
        }
        let plan = work::plan(&self.document, arguments, false);
        (plan == WorkPlan::None || !self.is_valid(arguments)).then_some(plan)
    }

    fn is_valid(&self, arguments: &Value) -> bool {
        self.validator.is_valid(arguments) && self.undeclared(arguments).next().is_none()
    }

    fn errors(&self, arguments: &Value, plan: WorkPlan) -> Vec<BrokenRule> {
        let mut raws = match plan {
            WorkPlan::All => raw::all(arguments, self.validator.iter_errors(arguments)),
            WorkPlan::First => raw::all(arguments, self.validator.validate(arguments).err()),
            WorkPlan::Judge => vec![BrokenRule::unexplained()],
            WorkPlan::None => return vec![BrokenRule::unjudged()],
        };
        raws.extend(self.undeclared(arguments).map(BrokenRule::undeclared));
        raw::sorted(raws)
    }

    /// Names the schema leaves room for and does not declare, if that matters.
    fn undeclared<'a>(&'a self, arguments: &'a Value) -> impl Iterator<Item = &'a str> {
        let names = arguments
            .as_object()
            .filter(|_| self.closed)
            .into_iter()
            .flat_map(|map| map.keys());
        names
            .map(String::as_str)
            .filter(|name| !name.starts_with('_') && !self.document.declares(name))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("draft", &self.document.draft())
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}

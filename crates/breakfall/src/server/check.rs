//! Arguments against the schema of their tool, before the handler is asked.

use rmcp::ServerHandler;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::guard::Guard;
use super::settings::{CallerView, GuardSettings};
use crate::catalog::warning;
use crate::fault::Fault;
use crate::outcome::{Outcome, Success};
use crate::render;
use crate::violation::Violation;
use crate::warning::Warning;
use crate::wire::native::{SUCCESS_KEY, warning_value};

/// What a [`Guard`] does with arguments that break the input schema of their tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum ArgumentCheck {
    /// The schema is not looked at. What the handler says of arguments it cannot read is told.
    #[default]
    Off,
    /// The handler is called all the same. A success carries the warning `ARGUMENTS_MISMATCH`; where the handler
    /// refuses the arguments, the caller is told every rule they break.
    Warn,
    /// The call is refused, and the caller is told every rule the arguments break.
    Reject,
}

impl<H: ServerHandler> Guard<H> {
    /// What is wrong with arguments by the schema the tool has now, if that is looked at.
    pub(super) fn misfit(&self, name: &str, arguments: &Value) -> Option<Fault> {
        if self.settings.check == ArgumentCheck::Off {
            return None;
        }
        let known = self.known(name)?;
        let fault = known.misfit(name, arguments)?;
        match self.fresh(name) {
            Some(fresh) if std::sync::Arc::ptr_eq(&fresh, &known) => Some(fault),
            fresh => fresh?.misfit(name, arguments),
        }
    }
}

impl GuardSettings {
    /// Adds to a success that its arguments do not fit: as text, and in `_meta`.
    pub(super) fn warn_of_misfit(
        &self,
        result: &mut CallToolResult,
        misfit: &Fault,
        caller: &CallerView,
    ) {
        let violations = misfit.public().violations();
        let fields: Vec<String> = violations.iter().map(Violation::field).collect();
        let warning = Warning::new(warning::ARGUMENTS_MISMATCH)
            .context("params", fields)
            .context("violations", misfit.public().violations_value());
        let success = Outcome::Success(Success::default().warning(warning));
        let shown = self.redacted(success, caller);
        let Outcome::Success(success) = &*shown else {
            return;
        };
        result
            .content
            .extend(render::warnings(success.warnings()).map(ContentBlock::text));
        let meta = result.meta.get_or_insert_default();
        let about = meta.entry(SUCCESS_KEY).or_insert_with(|| json!({}));
        let told = about.as_object_mut().map(|about: &mut Map<_, _>| {
            about
                .entry("warnings")
                .or_insert_with(|| Value::Array(Vec::new()))
        });
        if let Some(Value::Array(told)) = told {
            told.extend(success.warnings().iter().map(warning_value));
        }
    }
}

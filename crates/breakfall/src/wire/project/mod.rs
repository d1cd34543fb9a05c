//! What a dialect can carry: the data behind `decode(encode(x)) = project(x)` and behind the report of what a
//! conversion loses.

mod carries;
mod losses;

pub use carries::{Carries, Says, Times};
pub use losses::{Loss, changes, losses};

use std::time::Duration;

use crate::catalog::warning;
use crate::details::Details;
use crate::fault::{Fault, Public, whole_seconds};
use crate::outcome::{Batch, ItemResult, Outcome, Success};
use crate::warning::{Warning, WarningMessage};
use crate::wire::{
    Dialect, Format, Options, batch, error_model, foreign, mcp_aql, mcp_error, problem,
    response_v2, tool_error,
};

/// What is left of an outcome after a dialect has carried it; nothing if the dialect cannot say it at all.
pub fn project(outcome: &Outcome, dialect: Dialect, options: &Options) -> Option<Outcome> {
    match outcome {
        Outcome::Fault(fault) => Some(project_fault(fault.public(), dialect, options)),
        Outcome::Success(_) | Outcome::NeedsInput(_) if dialect == Dialect::Problem => None,
        Outcome::Success(success) => {
            Some(Outcome::Success(project_success(success, dialect, options)))
        }
        Outcome::NeedsInput(question) => Some(Outcome::NeedsInput(question.clone())),
        Outcome::Batch(batch) => project_batch(batch, dialect, options),
    }
}

fn project_fault(public: &Public, dialect: Dialect, options: &Options) -> Outcome {
    if dialect == Dialect::ToolError
        && let Some(question) = tool_error::question(public)
    {
        return Outcome::NeedsInput(question);
    }
    let carries = Carries::of(dialect, options.strict);
    let mut left = public.clone();
    left.speak_plainly();
    keep_words(&mut left, public, dialect, carries);
    keep_facts(&mut left, public, carries, options);
    project_code(&mut left, public, dialect, options);
    if carries.origin == Says::Never {
        (left.origin, left.elicitation) = (None, None);
    } else {
        left.origin = Some(public.origin());
    }
    left.retry = None;
    if dialect == Dialect::McpError {
        mcp_error::heed(&mut left);
    }
    match carries.retry {
        Says::Never => {}
        Says::Always => left.retry = Some(public.retry()),
        Says::WhenSet => {
            let flag = if dialect == Dialect::ToolError {
                tool_error::is_retryable(public, options)
            } else {
                public.retry().is_retryable()
            };
            error_model::set_retryable(&mut left, Some(flag));
        }
    }
    Outcome::Fault(Fault::from_public(left))
}

fn keep_words(left: &mut Public, public: &Public, dialect: Dialect, carries: Carries) {
    let message = if dialect == Dialect::McpAql {
        public.template_message()
    } else {
        public.message()
    };
    left.message = Some(message.into());
    match carries.remediation {
        Says::Never => left.remediation = None,
        Says::WhenSet => left.remediation = public.stated_remediation().map(Into::into),
        Says::Always => left.remediation = Some(public.remediation().into()),
    }
    match carries.user_message {
        Says::Never => left.user_message = None,
        Says::WhenSet => {}
        Says::Always => left.user_message = Some(public.user_message().into()),
    }
    match carries.hint {
        Says::Never => left.hint = None,
        Says::WhenSet => {}
        Says::Always => left.hint = Some(public.hint()),
    }
    match carries.actions {
        Says::Never => left.actions = None,
        Says::WhenSet => {}
        Says::Always => {
            left.actions = Some(
                public
                    .actions()
                    .map(|action| action.to_owned().into())
                    .collect(),
            );
        }
    }
    if carries.alternatives == Says::Never {
        (left.fallback_tool, left.corrective_params) = (None, None);
    }
}

fn keep_facts(left: &mut Public, public: &Public, carries: Carries, options: &Options) {
    left.wait = match carries.wait {
        Times::Never => None,
        Times::Seconds => public
            .wait
            .map(|wait| Duration::from_secs(whole_seconds(wait))),
        Times::Millis => public
            .wait
            .map(|wait| Duration::from_millis(super::native::millis(wait))),
        Times::Exact => public.wait,
    };
    match carries.violations {
        Says::Never => left.violations = Vec::new(),
        Says::WhenSet => {
            left.violations = public
                .violations
                .iter()
                .map(|v| v.cut(response_v2::is_listed(public)))
                .collect();
        }
        Says::Always => {}
    }
    let stamp = options.stamp.take();
    match carries.correlation_id {
        Says::Never => left.correlation_id = None,
        Says::WhenSet => {}
        Says::Always => {
            left.correlation_id = Some(public.correlation_id.clone().unwrap_or(stamp.0));
        }
    }
    let at = public.timestamp.unwrap_or(stamp.1);
    left.timestamp = match carries.timestamp {
        Times::Never => None,
        Times::Seconds | Times::Millis => super::mcp_error::iso_millis(at).parse().ok(),
        Times::Exact => Some(at),
    };
    if carries.http_status == Says::Never {
        left.http_status = None;
    }
    if carries.docs_url == Says::Never {
        left.docs_url = None;
    }
}

/// The code as a reader of the dialect gets it, and what tells it apart from others of the same name.
fn project_code(left: &mut Public, public: &Public, dialect: Dialect, options: &Options) {
    let names = public.code.entry().names;
    let domain = foreign::domain_code(public).map(str::to_owned);
    let mut read = match dialect {
        Dialect::Problem if options.strict => {
            foreign::named(problem::type_name(public, options), None, options)
        }
        Dialect::Native | Dialect::Problem => {
            foreign::named(public.code.name(), Some(public.category()), options)
        }
        Dialect::ResponseV2 => {
            let (name, kind) = response_v2::stated(public, options);
            response_v2::fault_of(name, kind, options)
        }
        Dialect::McpError => Fault::new(mcp_error::by_name(names.mcp_error).unwrap_or(public.code)),
        Dialect::ErrorModel => error_model::project_code(public, options),
        Dialect::ToolError => {
            left.http_status = tool_error::status_code(public, options);
            Fault::new(tool_error::by_name(names.tool_error))
        }
        Dialect::McpAql => {
            left.http_status = mcp_aql::http_status(public, options);
            mcp_aql::by_foreign_name(mcp_aql::code_name(public, options), options)
        }
    };
    let own = public.domain_code.clone();
    let read = read.public_mut();
    match dialect {
        Dialect::Problem if options.strict => {}
        Dialect::Native | Dialect::Problem => read.domain_code = own.or(read.domain_code.take()),
        Dialect::McpAql if !options.strict => {
            if let Some(own) = own {
                foreign::set_domain_code(read, &own, options);
            }
        }
        Dialect::ResponseV2 | Dialect::ErrorModel => {}
        Dialect::McpError | Dialect::ToolError | Dialect::McpAql => {
            if let Some(domain) = domain {
                foreign::set_domain_code(read, &domain, options);
            }
        }
    }
    left.code = match dialect {
        Dialect::ToolError => tool_error::refine(read.code, left.http_status),
        Dialect::McpAql => mcp_aql::refine(read.code, left.http_status),
        Dialect::Native
        | Dialect::Problem
        | Dialect::ResponseV2
        | Dialect::McpError
        | Dialect::ErrorModel => read.code,
    };
    left.domain_code = read.domain_code.take();
    if Carries::of(dialect, options.strict).origin == Says::Never {
        left.provenance = read.provenance.take();
    }
    if dialect == Dialect::Problem && options.strict {
        left.details = Details::default();
    }
}

fn project_success(success: &Success, dialect: Dialect, options: &Options) -> Success {
    let mut left = success.clone();
    match dialect {
        Dialect::Native | Dialect::Problem => {}
        Dialect::ResponseV2 => {
            left.warnings = response_v2_warnings(&success.warnings);
            for key in response_v2::META_KEYS {
                left.meta.remove(key);
            }
            if let serde_json::Value::Object(map) = left.data {
                left.data = response_v2::unwrap(map);
            }
        }
        Dialect::McpAql => {
            left.warnings = mcp_aql::curate(&success.warnings)
                .iter()
                .map(mcp_aql::warning_left)
                .collect();
            (left.fidelity, left.meta) = (None, Details::default());
        }
        Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError => {
            left = Success::new(success.data.clone());
            let shown = dialect == Dialect::ToolError && options.format == Format::Markdown;
            if shown && !success.data.is_object() {
                left.data = tool_error::human(&success.data).into();
            }
        }
    }
    left
}

pub(super) fn response_v2_warnings(warnings: &[Warning]) -> Vec<Warning> {
    let structured = warnings.iter().any(|warning| warning.code().is_some());
    warnings
        .iter()
        .map(|have| {
            if !structured {
                return Warning::plain(have.text());
            }
            let mut left = Warning {
                message: WarningMessage::Own(have.text().into()),
                ..have.clone()
            };
            let wire = have
                .code()
                .and_then(warning::by_name)
                .map(|known| known.entry().response_v2);
            if let Some(known) = wire.and_then(warning::by_response_v2_name) {
                left.name = Some(known.entry().name.into());
            }
            left
        })
        .collect()
}

fn project_batch(batch: &Batch, dialect: Dialect, options: &Options) -> Option<Outcome> {
    match dialect {
        Dialect::Native => Some(common(batch, options).into()),
        Dialect::ResponseV2 => Some(response_v2::partial::left_of(batch, options)),
        Dialect::McpAql => Some(mcp_aql::project_batch(batch, options).into()),
        Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError => {
            match batch::as_fault(batch) {
                Some(fault) => Some(project_fault(fault.public(), dialect, options)),
                None => Some(common(batch, options).into()),
            }
        }
        Dialect::Problem => {
            batch::as_fault(batch).map(|fault| project_fault(fault.public(), dialect, options))
        }
    }
}

/// The common form loses nothing of a batch but what native loses of its faults.
pub(crate) fn common(batch: &Batch, options: &Options) -> Batch {
    copy(batch, |fault| item_fault(fault, Dialect::Native, options))
}

pub(crate) fn item_fault(fault: &Fault, dialect: Dialect, options: &Options) -> Fault {
    match project_fault(fault.public(), dialect, options) {
        Outcome::Fault(fault) => fault,
        Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => {
            Fault::from_public(fault.public().clone())
        }
    }
}

/// A batch with its faults changed.
pub(crate) fn copy(batch: &Batch, mut change: impl FnMut(&Fault) -> Fault) -> Batch {
    let mut left = Batch {
        items: Vec::new(),
        message: None,
        ..Batch::default()
    };
    left.verb.clone_from(&batch.verb);
    left.halted = batch.halted;
    left.warnings.clone_from(&batch.warnings);
    for item in &batch.items {
        let result = match &item.result {
            ItemResult::Done(data) => ItemResult::Done(data.clone()),
            ItemResult::Failed(fault) => ItemResult::Failed(change(fault)),
            ItemResult::Pending(fault) => ItemResult::Pending(change(fault)),
        };
        left = left.item(item.id.clone(), item.operation.clone(), result);
    }
    left.message = batch::own_sentence(&left, batch.message.as_deref().map(str::to_owned));
    left
}

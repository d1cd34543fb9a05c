//! What a dialect writes it reads back, less what it has no room for.

use breakfall::wire::{Dialect, Options, losses, project};
use breakfall::{Batch, Fault, ItemResult, Outcome, Public};
use proptest::prelude::*;

use super::cases;
use super::strategies::{catalog, is_own, options, outcome, reads_as_more};
use crate::carried::trip;

macro_rules! each_dialect {
    ($($name:ident: $dialect:ident,)+) => {
        proptest! {
            #![proptest_config(cases(512))]
            $(
                #[test]
                fn $name(outcome in outcome(), options in options(), strict in any::<bool>()) {
                    round_trip(&outcome, Dialect::$dialect, &options.strict(strict), strict)?;
                }
            )+
        }
    };
}

each_dialect! {
    native_reads_back_what_it_writes: Native,
    response_v2_reads_back_what_it_writes: ResponseV2,
    mcp_error_reads_back_what_it_writes: McpError,
    error_model_reads_back_what_it_writes: ErrorModel,
    tool_error_reads_back_what_it_writes: ToolError,
    mcp_aql_reads_back_what_it_writes: McpAql,
    problem_reads_back_what_it_writes: Problem,
}

pub(super) fn round_trip(
    outcome: &Outcome,
    dialect: Dialect,
    options: &Options,
    strict: bool,
) -> Result<(), TestCaseError> {
    prop_assume!(!reads_as_more(outcome, dialect));
    trip(outcome, dialect, options, strict).map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_second_time_through_a_dialect_loses_nothing_more(outcome in outcome(), options in options()) {
        prop_assume!(!is_named_twice(&outcome));
        for &dialect in Dialect::ALL {
            prop_assume!(!reads_as_more(&outcome, dialect));
            if let Some(left) = project(&outcome, dialect, &options) {
                let again = project(&left, dialect, &options);
                prop_assert_eq!(again.as_ref(), Some(&left), "{}", dialect);
            }
        }
    }

    #[test]
    fn losses_are_told_exactly_where_something_is_lost(outcome in outcome(), options in options()) {
        for &dialect in Dialect::ALL {
            let told = losses(&outcome, dialect, &options);
            let Some(left) = project(&outcome, dialect, &options) else {
                prop_assert!(!told.is_empty());
                continue;
            };
            prop_assert_eq!(told.is_empty(), keeps(&outcome, &left), "{}: {:?}\n{:?}", dialect, told, left);
        }
    }
}

/// Whether a fault has two names: a domain code that is itself a row, or a row of the server's own and a domain code.
/// The reader then takes one of the two, and the second trip starts from that one. A server that has a row for what
/// happened raises that row.
fn is_named_twice(outcome: &Outcome) -> bool {
    let twice = |fault: &Fault| {
        let domain = fault.public().domain_code();
        domain.is_some_and(|name| {
            is_own(fault.code()) || catalog().get(&name.to_uppercase()).is_some()
        })
    };
    match outcome {
        Outcome::Fault(fault) => twice(fault),
        Outcome::Batch(batch) => batch.items().iter().any(|item| match &item.result {
            ItemResult::Done(_) => false,
            ItemResult::Failed(fault) | ItemResult::Pending(fault) => twice(fault),
        }),
        Outcome::Success(_) | Outcome::NeedsInput(_) => false,
    }
}

/// Whether everything that was said is still said the same way. Ids, times, statuses and provenance may be added.
fn keeps(before: &Outcome, after: &Outcome) -> bool {
    match (before, after) {
        (Outcome::Fault(before), Outcome::Fault(after)) => {
            keeps_fault(before.public(), after.public())
        }
        (Outcome::Batch(before), Outcome::Batch(after)) => keeps_batch(before, after),
        _ => before == after,
    }
}

fn keeps_batch(before: &Batch, after: &Batch) -> bool {
    let items = || before.items().iter().zip(after.items());
    before.items().len() == after.items().len()
        && before.sentence() == after.sentence()
        && before.is_halted() == after.is_halted()
        && before.warnings() == after.warnings()
        && items().all(|(a, b)| a.id == b.id && a.operation == b.operation)
        && items().all(|(a, b)| match (&a.result, &b.result) {
            (ItemResult::Failed(a), ItemResult::Failed(b))
            | (ItemResult::Pending(a), ItemResult::Pending(b)) => {
                keeps_fault(a.public(), b.public())
            }
            (a, b) => a == b,
        })
}

fn keeps_fault(before: &Public, after: &Public) -> bool {
    fn kept<T: PartialEq + Copy>(before: Option<T>, after: Option<T>) -> bool {
        before.is_none() || before == after
    }
    before.code() == after.code()
        && before.domain_code() == after.domain_code()
        && before.message() == after.message()
        && before.details() == after.details()
        && before.violations() == after.violations()
        && before.retry() == after.retry()
        && before.retry_after() == after.retry_after()
        && before.remediation() == after.remediation()
        && before.actions().eq(after.actions())
        && before.hint() == after.hint()
        && before.user_message() == after.user_message()
        && before.fallback_tool() == after.fallback_tool()
        && before.corrective_params() == after.corrective_params()
        && before.origin() == after.origin()
        && before.docs_url() == after.docs_url()
        && before.elicitation() == after.elicitation()
        && kept(before.provenance(), after.provenance())
        && kept(before.http_status(), after.http_status())
        && kept(before.correlation_id(), after.correlation_id())
        && kept(before.timestamp(), after.timestamp())
}

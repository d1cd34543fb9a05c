//! The table of retries in the documentation, row by row.

use breakfall::{Category, Fault, codes};
use breakfall_gateway::classify::ExecutionEvidence;
use breakfall_gateway::resilience::retry::{RetryAdvice, answer};

/// The rows of the table in `docs/operating.md`, cell by cell.
fn rows() -> Vec<Vec<String>> {
    let page = include_str!("../../../../../docs/operating.md");
    let table = page
        .lines()
        .skip_while(|line| !line.starts_with("| evidence | category |"));
    let rows = table.take_while(|line| line.starts_with('|')).skip(2);
    let cell = |cell: &str| cell.trim().trim_matches('`').to_owned();
    rows.map(|row| row.trim_matches('|').split('|').map(cell).collect())
        .collect()
}

fn is_passing(category: Category) -> bool {
    matches!(
        category,
        Category::RateLimit | Category::Unavailable | Category::Internal
    )
}

#[test]
fn every_case_has_one_row_in_the_documentation_and_is_decided_as_it_says() {
    let rows = rows();
    let mut used = vec![false; rows.len()];
    for evidence in ExecutionEvidence::ALL {
        for category in Category::ALL {
            for is_repeatable in [true, false] {
                let group = if is_passing(*category) {
                    "passing"
                } else {
                    "decided"
                };
                let fits = |row: &[String]| {
                    let twice = if is_repeatable { "yes" } else { "no" };
                    row[0] == evidence.as_str()
                        && ["any", group].contains(&row[1].as_str())
                        && ["any", twice].contains(&row[2].as_str())
                };
                let case = format!("{evidence:?}, {category:?}, {is_repeatable}");
                let fitting: Vec<usize> = (0..rows.len()).filter(|at| fits(&rows[*at])).collect();
                let [at] = fitting.as_slice() else {
                    panic!("{case}: {} rows", fitting.len());
                };
                used[*at] = true;
                let answer = answer(*evidence, *category, is_repeatable);
                let is_repeated = if answer.is_repeated { "yes" } else { "no" };
                let is_stated = *evidence == ExecutionEvidence::Stated;
                let executed = if is_stated {
                    "as stated"
                } else {
                    answer.executed.as_str()
                };
                let got = [executed, answer.advice.as_str(), is_repeated];
                assert_eq!(rows[*at][3..], got, "{case}");
            }
        }
    }
    assert!(
        used.iter().all(|used| *used),
        "a row fits nothing: {used:?}"
    );
}

#[test]
fn words_never_make_a_call_repeatable_that_is_not_known_to_be() {
    for code in breakfall::catalog::CODES {
        for evidence in [ExecutionEvidence::Answered, ExecutionEvidence::Hidden] {
            let answer = answer(evidence, code.category(), false);
            let told = answer.tell(Fault::new(*code));
            assert!(
                !told.public().retry().is_retryable(),
                "{code}: {evidence:?}"
            );
            assert_eq!(told.public().details().text("executed"), Some("unknown"));
            assert!(!answer.is_repeated);
        }
    }
    let hidden = answer(ExecutionEvidence::Hidden, Category::Unavailable, true);
    assert_eq!(hidden.advice, RetryAdvice::NotAgain);
    assert!(!hidden.is_repeated);
}

#[test]
fn what_the_server_states_about_the_execution_stands_unless_it_calls_the_result_a_success() {
    let category = Category::Unavailable;
    for (evidence, stated, told) in [
        (ExecutionEvidence::Stated, "no", "no"),
        (ExecutionEvidence::Stated, "yes", "yes"),
        (ExecutionEvidence::Stated, "perhaps", "unknown"),
        (ExecutionEvidence::Hidden, "no", "unknown"),
        (ExecutionEvidence::Refused, "yes", "no"),
    ] {
        let fault = Fault::new(codes::INTERNAL_NOT_IMPLEMENTED).detail("executed", stated);
        let fault = answer(evidence, category, false).tell(fault);
        let executed = fault.public().details().text("executed");
        assert_eq!(executed, Some(told), "{evidence:?}");
    }
}

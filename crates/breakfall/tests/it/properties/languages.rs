//! Whatever a fault says, it says it in any language, and what is read back is what was said.

use breakfall::locale::Language;
use breakfall::wire::Dialect;
use proptest::prelude::*;

use super::cases;
use super::round_trip::round_trip;
use super::strategies::{options, outcome};

/// Pieces of Fluent in any order.
const SOURCE: &str =
    r#"(TOKEN_INVALID|\$x|[a-zA-Z -]{0,3}|[\{\}\[\]*.=\n"\#()>-]|one|NUMBER| = |\n    ){0,80}"#;

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn every_dialect_reads_back_what_it_writes_in_any_language(
        outcome in outcome(),
        options in options(),
        language in prop::sample::select(Language::ALL),
    ) {
        let outcome = outcome.in_language(language);
        for &dialect in Dialect::ALL {
            round_trip(&outcome, dialect, &options.clone().strict(false), false)?;
        }
    }

    #[test]
    fn any_list_of_languages_is_read_without_panic(ranges in ".{0,200}") {
        let chosen = Language::negotiate(&ranges);
        let again = chosen.and_then(|language| Language::negotiate(language.as_str()));
        prop_assert_eq!(chosen, again);
    }

    #[test]
    fn any_source_is_read_without_panic(source in SOURCE) {
        let read = breakfall::locale::Languages::builtin().with(Language::German, &source);
        if let Err(error) = read {
            prop_assert!(error.problems().iter().all(|problem| problem.line >= 1));
        }
    }
}

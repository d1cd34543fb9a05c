//! The change between the two crates is as small as promised, and what it brings is there.

use std::io;

use breakfall::{Category, Fault, Origin, codes};
use converted::{after, before};

const BEFORE: &str = include_str!("../src/before.rs");
const AFTER: &str = include_str!("../src/after.rs");

/// The most lines that change beside the attributes.
const MAX_GLUE_LINES: usize = 3;

/// The lines of one text that the other does not have in the same order.
fn only_in_first<'a>(first: &'a str, second: &str) -> Vec<&'a str> {
    let (first, second): (Vec<_>, Vec<_>) = (first.lines().collect(), second.lines().collect());
    // The longest common subsequence of the rests of both.
    let mut common = vec![vec![0; second.len() + 1]; first.len() + 1];
    for (at, line) in first.iter().enumerate().rev() {
        for (other_at, other) in second.iter().enumerate().rev() {
            common[at][other_at] = if line == other {
                common[at + 1][other_at + 1] + 1
            } else {
                common[at + 1][other_at].max(common[at][other_at + 1])
            };
        }
    }
    let (mut at, mut other_at, mut only) = (0, 0, Vec::new());
    while at < first.len() {
        if other_at < second.len() && first[at] == second[other_at] {
            (at, other_at) = (at + 1, other_at + 1);
        } else if other_at < second.len() && common[at][other_at + 1] > common[at + 1][other_at] {
            other_at += 1;
        } else {
            only.push(first[at]);
            at += 1;
        }
    }
    only
}

#[test]
fn a_conversion_takes_an_attribute_for_each_variant_and_three_lines() {
    let variants = AFTER.matches("    #[error(").count();
    let added = only_in_first(AFTER, BEFORE);
    let (attributes, glue): (Vec<&str>, Vec<&str>) = added
        .iter()
        .partition(|line| line.starts_with("    #[fault(") && line.ends_with(")]"));
    assert!(attributes.len() <= variants, "{attributes:#?}");
    assert!(glue.len() <= MAX_GLUE_LINES, "{glue:#?}");
    let removed = only_in_first(BEFORE, AFTER);
    assert!(removed.len() <= MAX_GLUE_LINES, "{removed:#?}");
    assert!(variants > 3, "an error type worth converting");
}

fn stock() -> after::Stock {
    after::Stock::read("tea 3\ncake 1").expect("a list")
}

fn raised<T>(result: after::Result<T>) -> Fault {
    result.err().expect("a failure")
}

#[test]
fn a_failure_with_a_name_says_what_its_display_says() {
    let unknown = raised(stock().order("coffee", "1"));
    assert_eq!(unknown.code().name(), "ARTICLE_UNKNOWN");
    assert_eq!(unknown.message_text(), "there is no article 'coffee'");
    let old = before::Stock::read("tea 3")
        .expect("a list")
        .order("coffee", "1");
    assert_eq!(old.unwrap_err().to_string(), unknown.message_text());

    let too_few = raised(stock().order("tea", "7"));
    assert_eq!(too_few.code().name(), "STOCK_TOO_LOW");
    assert_eq!(too_few.details().get("left"), Some(&3.into()));
    let quantity = raised(stock().order("tea", "three"));
    assert_eq!(quantity.category(), Category::Validation);
    assert_eq!(
        quantity.message_text(),
        "the quantity 'three' is not a whole number"
    );
}

#[test]
fn a_cause_goes_to_the_log_alone() {
    let damaged = raised(after::Stock::read("tea 3\ncake x"));
    assert_eq!(
        (damaged.code(), damaged.responsible()),
        (codes::INTERNAL_ERROR, Origin::Tool)
    );
    assert!(damaged.report().to_string().contains("invalid digit"));

    let refused = |_: &str| Err(io::Error::other("10.0.0.7 refused"));
    let warehouse = raised(stock().refill(refused));
    assert_eq!(warehouse.code(), codes::UNAVAILABLE_DEPENDENCY);
    assert!(!warehouse.to_string().contains("10.0.0.7"));
    assert!(warehouse.report().to_string().contains("10.0.0.7 refused"));
}

#[test]
fn a_failure_without_a_name_is_internal_with_its_context_in_the_log() {
    let missing = raised(after::Stock::open("/no/such/list"));
    assert_eq!(missing.code(), codes::INTERNAL_ERROR);
    assert!(!missing.to_string().contains("/no/such/list"));
    assert!(
        missing
            .report()
            .to_string()
            .contains("reading /no/such/list")
    );
    let line = raised(after::Stock::read("tea"));
    assert_eq!(line.code(), codes::INTERNAL_ERROR);
}

//! Every row of the tables in the README, tried.

use std::collections::BTreeSet;

use breakfall::wire::Dialect;
use breakfall::{Category, Outcome, Warning};
use serde_json::Value;

use super::{Client, read};

/// A row: what to send, how often, and what it says will come of it.
struct Row {
    tool: String,
    arguments: Value,
    times: usize,
    comes: Vec<String>,
}

/// The rows under a heading.
fn rows(heading: &str) -> Vec<Row> {
    let readme = include_str!("../../README.md");
    let (_, section) = readme
        .split_once(&format!("\n## {heading}\n"))
        .expect(heading);
    let section = section.split("\n## ").next().expect("a section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Row> = rows.map(row).collect();
    assert!(rows.len() > 4, "{heading}");
    rows
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
    let [tool, arguments, times, comes, ..] = cells[..] else {
        panic!("four cells or more: {line}")
    };
    let plain = |cell: &str| cell.trim_matches('`').to_owned();
    Row {
        tool: plain(tool),
        arguments: serde_json::from_str(&plain(arguments)).expect(arguments),
        times: times.parse().expect(times),
        comes: comes.split(", ").map(plain).collect(),
    }
}

/// What the last call of a row is answered with, by a server that has seen nothing else.
async fn answer(row: &Row, dialect: Dialect) -> (Value, Client) {
    let client = Client::open(dialect).await;
    let mut answer = Value::Null;
    for _ in 0..row.times {
        answer = client.call(&row.tool, row.arguments.clone()).await;
    }
    (answer, client)
}

#[tokio::test(start_paused = true)]
async fn every_failure_is_as_the_readme_says_and_every_category_is_there() {
    let mut categories = BTreeSet::new();
    for row in rows("Failures") {
        let (answer, client) = answer(&row, Dialect::Native).await;
        let outcome = read(answer.clone());
        let fault = outcome
            .fault()
            .unwrap_or_else(|| panic!("{}: {answer}", row.tool));
        let public = fault.public();
        assert_eq!([public.code().name()], row.comes[..], "{answer}");
        assert!(!public.remediation().is_empty());
        let id = public.correlation_id().expect("an id").as_str();
        let log = client.log();
        assert!(log.last().is_some_and(|line| line.contains(id)), "{log:?}");
        categories.insert(public.category());
    }
    assert_eq!(categories, Category::ALL.iter().copied().collect());
}

#[tokio::test(start_paused = true)]
async fn every_failure_is_one_in_every_dialect() {
    for dialect in Dialect::ALL.iter().copied() {
        for row in rows("Failures") {
            let (answer, _) = answer(&row, dialect).await;
            let failed = matches!(
                read(answer.clone()),
                Outcome::Fault(_) | Outcome::NeedsInput(_)
            );
            assert!(failed, "{dialect}, {}: {answer}", row.tool);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_only_the_operator_may_know_is_in_the_log_alone() {
    let mut told = 0;
    for row in rows("Failures") {
        let (answer, client) = answer(&row, Dialect::Native).await;
        for private in ["/srv/orders", "gull.internal"] {
            assert!(!answer.to_string().contains(private), "{answer}");
            told += client
                .log()
                .iter()
                .filter(|line| line.contains(private))
                .count();
        }
        assert!(
            !client.log().join("\n").contains("s3cret"),
            "a log is no place for it"
        );
    }
    assert_eq!(told, 3, "the carrier, the panic and the disk");
}

#[tokio::test(start_paused = true)]
async fn every_warning_is_as_the_readme_says() {
    for row in rows("Warnings") {
        let (answer, _) = answer(&row, Dialect::Native).await;
        let Outcome::Success(success) = read(answer.clone()) else {
            panic!("{}: {answer}", row.tool)
        };
        let codes: Vec<&str> = success
            .warnings()
            .iter()
            .filter_map(Warning::code)
            .collect();
        assert_eq!(codes, row.comes, "{} {}", row.tool, row.arguments);
    }
}

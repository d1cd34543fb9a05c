//! Every kind of problem has a case here that raises it, and it alone.

use serde_json::{Value, json};

use super::data::OWNERS;
use super::ids::Id;
use super::input::Input;
use super::problem::{Flaw, Place, Problem};
use super::scan::Scan;
use super::{Arguments, Report};

/// A small world in which all is well: every id waits, except that one test proves `S0-01`.
struct World {
    entries: Vec<Value>,
    source: &'static str,
    cases: Value,
    page: Option<String>,
}

impl World {
    fn new() -> Self {
        let entries = Id::all()
            .map(|id| json!({"id": id.to_string(), "force": "MUST", "text": "Words.", "state": "waits", "for": "gateway"}))
            .collect();
        let mut world = Self {
            entries,
            source: r#"#[test] fn it_holds() { proves!("S0-01"); }"#,
            cases: json!({"it_holds": {"kind": "test", "ignored": false, "filter-match": {"status": "matches"}}}),
            page: None,
        };
        world.entries[0] =
            json!({"id": "S0-01", "force": "MUST", "text": "Words.", "state": "proven"});
        world.page = Some(world.report().page);
        world
    }

    fn report(&self) -> Report {
        let mut scan = Scan::default();
        scan.file(FILE, self.source);
        let suite = json!({"package-name": "a", "binary-name": "a", "kind": "lib", "testcases": self.cases});
        Report::new(Input {
            raws: serde_json::from_value(Value::Array(self.entries.clone())).unwrap(),
            scan,
            listing: serde_json::from_value(json!({"rust-suites": {"a": suite}})).unwrap(),
            page: self.page.clone(),
        })
    }

    /// Problems other than a page out of date, which nearly every change to the world makes.
    fn problems(&self) -> Vec<Problem> {
        self.report()
            .problems
            .into_iter()
            .filter(|problem| *problem != Problem::Stale)
            .collect()
    }

    /// Changes one field of the second entry, `S0-02`.
    fn set(mut self, field: &str, value: Value) -> Self {
        self.entries[1][field] = value;
        self
    }
}

#[test]
fn a_world_in_order_has_no_problem() {
    assert_eq!(World::new().report().problems, []);
}

#[test]
fn a_missing_id_is_a_problem() {
    let mut world = World::new();
    world.entries.remove(1);
    assert_eq!(
        world.problems(),
        [Problem::Entry(Flaw::Missing(id("S0-02")))]
    );
}

#[test]
fn an_unknown_id_is_a_problem() {
    let mut world = World::new();
    world
        .entries
        .push(json!({"id": "S5-01", "force": "MUST", "text": "Words.", "state": "proven"}));
    assert_eq!(
        world.problems(),
        [Problem::Entry(Flaw::Unknown("S5-01".to_owned()))]
    );
}

#[test]
fn a_duplicated_id_is_a_problem() {
    let mut world = World::new();
    world.entries.insert(2, world.entries[1].clone());
    assert_eq!(
        world.problems(),
        [Problem::Entry(Flaw::Duplicate(id("S0-02")))]
    );
}

#[test]
fn an_id_out_of_order_is_a_problem() {
    let mut world = World::new();
    world.entries.swap(1, 2);
    assert_eq!(
        world.problems(),
        [Problem::Entry(Flaw::OutOfOrder(id("S0-02")))]
    );
}

#[test]
fn an_entry_must_say_what_is_required_with_a_known_force_and_state() {
    let s0_02 = id("S0-02");
    assert_eq!(
        World::new().set("text", json!(" ")).problems(),
        [Problem::Entry(Flaw::NoText(s0_02))]
    );
    let unknown_force = Problem::Entry(Flaw::UnknownForce(s0_02, "must".to_owned()));
    assert_eq!(
        World::new().set("force", json!("must")).problems(),
        [unknown_force]
    );
    let unknown_state = World::new().set("state", json!("done")).problems();
    assert!(
        unknown_state.contains(&Problem::Entry(Flaw::UnknownState(
            s0_02,
            "done".to_owned()
        ))),
        "{unknown_state:?}"
    );
}

#[test]
fn waiting_without_an_owner_of_the_closed_list_is_a_problem() {
    let s0_02 = id("S0-02");
    assert_eq!(
        World::new().set("for", json!(null)).problems(),
        [Problem::Entry(Flaw::NoOwner(s0_02, None))]
    );
    let nobody = Problem::Entry(Flaw::NoOwner(s0_02, Some("nobody".to_owned())));
    assert_eq!(
        World::new().set("for", json!("nobody")).problems(),
        [nobody]
    );
    for (owner, _) in OWNERS {
        assert_eq!(World::new().set("for", json!(owner)).problems(), []);
    }
}

#[test]
fn not_ours_without_a_reason_is_a_problem() {
    for why in [json!(null), json!(""), json!(" ")] {
        let world = World::new()
            .set("state", json!("not-ours"))
            .set("for", json!(null))
            .set("why", why);
        assert_eq!(
            world.problems(),
            [Problem::Entry(Flaw::NoReason(id("S0-02")))]
        );
    }
    let world = World::new()
        .set("state", json!("not-ours"))
        .set("for", json!(null))
        .set("why", json!("A pointer."));
    assert_eq!(world.problems(), []);
}

#[test]
fn a_field_of_another_state_is_a_problem() {
    let s0_02 = id("S0-02");
    assert_eq!(
        World::new().set("why", json!("Words.")).problems(),
        [Problem::Entry(Flaw::StrayField(s0_02, "why"))]
    );
    let world = World::new()
        .set("state", json!("not-ours"))
        .set("why", json!("Words."))
        .set("issue", json!(3));
    assert_eq!(
        world.problems(),
        [
            Problem::Entry(Flaw::StrayField(s0_02, "for")),
            Problem::Entry(Flaw::StrayField(s0_02, "issue"))
        ]
    );
}

#[test]
fn a_proven_id_that_no_test_names_is_a_problem() {
    let world = World::new()
        .set("state", json!("proven"))
        .set("for", json!(null));
    assert_eq!(world.problems(), [Problem::Unproven(id("S0-02"))]);
}

#[test]
fn a_claim_in_a_test_that_is_not_listed_proves_nothing() {
    let mut world = World::new();
    world.cases = json!({});
    let not_listed = Problem::NotListed("it_holds".to_owned(), place());
    assert_eq!(
        world.problems(),
        [not_listed, Problem::Unproven(id("S0-01"))]
    );
}

#[test]
fn a_claim_in_a_test_that_does_not_run_proves_nothing() {
    for (ignored, status) in [(true, "mismatch"), (true, "matches"), (false, "mismatch")] {
        let mut world = World::new();
        world.cases["it_holds"]["ignored"] = json!(ignored);
        world.cases["it_holds"]["filter-match"]["status"] = json!(status);
        let not_run = Problem::NotRun("it_holds".to_owned(), place());
        assert_eq!(world.problems(), [not_run, Problem::Unproven(id("S0-01"))]);
    }
}

#[test]
fn a_test_of_the_same_name_elsewhere_does_not_prove() {
    let listed = |package: &str, kind: &str, binary: &str, path: &str| {
        let suite = json!({
            "package-name": package, "binary-name": binary, "kind": kind,
            "testcases": {"it_holds": {"ignored": false, "filter-match": {"status": "matches"}}},
        });
        let listing: super::list::Listing =
            serde_json::from_value(json!({"rust-suites": {"x": suite}})).unwrap();
        let mut scan = Scan::default();
        scan.file(path, World::new().source);
        listing.find(&scan.claims[0]) == super::list::Found::Runs("x")
    };
    assert!(listed("a", "lib", "a", "crates/a/src/lib.rs"));
    assert!(listed("a", "proc-macro", "a", "crates/a/src/lib.rs"));
    assert!(listed("a", "bin", "b", "crates/a/src/main.rs"));
    assert!(listed("a", "bin", "b", "crates/a/src/bin/b.rs"));
    assert!(listed("a", "test", "it", "crates/a/tests/it/main.rs"));
    assert!(!listed("b", "lib", "b", "crates/a/src/lib.rs"));
    assert!(!listed("a", "test", "it", "crates/a/src/lib.rs"));
    assert!(!listed("a", "bin", "c", "crates/a/src/bin/b.rs"));
    assert!(!listed("a", "test", "it", "crates/a/tests/other.rs"));
    assert!(!listed("a", "lib", "a", "crates/a/tests/it/main.rs"));
    assert!(!listed("a", "lib", "a", "crates/a/src/module.rs"));
}

#[test]
fn a_test_that_names_an_unknown_id_is_a_problem() {
    let mut world = World::new();
    world.source = r#"#[test] fn it_holds() { proves!("S0-01", "S9-01"); }"#;
    assert_eq!(
        world.problems(),
        [Problem::UnknownNamed("S9-01".to_owned(), place())]
    );
}

#[test]
fn a_test_that_names_an_id_not_marked_proven_is_a_problem() {
    let mut world = World::new();
    world.source = r#"#[test] fn it_holds() { proves!("S0-01", "S0-02"); }"#;
    assert_eq!(
        world.problems(),
        [Problem::NotMarkedProven(id("S0-02"), place())]
    );
}

#[test]
fn a_claim_outside_a_test_is_reported_with_the_rest() {
    let mut world = World::new();
    world.source = r#"fn it_holds() { proves!("S0-01"); }"#;
    assert_eq!(
        world.problems(),
        [
            Problem::OutsideTest(place()),
            Problem::Unproven(id("S0-01"))
        ]
    );
}

#[test]
fn a_page_that_is_missing_or_differs_is_stale() {
    let mut world = World::new();
    let fresh = world.page.clone().unwrap();
    for page in [
        None,
        Some(String::new()),
        Some(fresh.replace("it_holds", "it_held")),
    ] {
        world.page = page;
        assert_eq!(world.report().problems, [Problem::Stale]);
    }
    world.page = Some(fresh.replace('\n', "\r\n"));
    assert_eq!(world.report().problems, []);
}

#[test]
fn the_page_tells_how_each_id_stands() {
    let mut world = World::new()
        .set("issue", json!(6))
        .set("text", json!("One | or the other."));
    world.entries[2] = json!({"id": "S0-03", "force": "FACT", "text": "Words.", "state": "not-ours", "why": "A pointer."});
    world.entries[3] = json!({"id": "S0-04", "force": "MAY", "text": "Words.", "state": "proven"});
    let page = world.report().page;
    for line in [
        "| S0 response-v2 | 2 | 90 | 1 | 93 |",
        "| all | 2 | 294 | 1 | 297 |",
        "| S0-01 | MUST | Words. | [`a it_holds`](../crates/a/src/lib.rs) |",
        "| S0-02 | MUST | One \\| or the other. | waits for gateway (issue 6) |",
        "| S0-03 | FACT | Words. | not ours: A pointer. |",
        "| S0-04 | MAY | Words. | **no test yet** |",
        "| S0-05 | MUST | Words. | waits for gateway |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\n{page}");
    }
}

#[test]
fn each_problem_is_listed_with_its_id_and_a_remedy() {
    let world = World::new()
        .set("state", json!("proven"))
        .set("for", json!(null));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    assert_eq!(world.report().check(&mut out, &mut err).unwrap(), 1);
    let err = String::from_utf8(err).unwrap();
    assert!(err.contains("S0-02: proven"), "{err}");
    assert!(err.contains(r#"testing::proves!("S0-02")"#), "{err}");
    assert!(
        err.contains("docs/requirements.md: stale; run `cargo run"),
        "{err}"
    );
    assert!(out.is_empty());
}

#[test]
fn what_is_left_to_prove_is_listed_with_its_words() {
    let world = World::new()
        .set("state", json!("proven"))
        .set("for", json!(null))
        .set("text", json!("Say so."));
    let mut out = Vec::new();
    assert_eq!(world.report().todo(&mut out).unwrap(), 0);
    let out = String::from_utf8(out).unwrap();
    assert!(
        out.contains("S0 response-v2: 1 to prove\n  S0-02 MUST: Say so.\n"),
        "{out}"
    );
    assert!(!out.contains("S0-01"), "{out}");
}

#[test]
fn arguments_that_make_no_sense_are_refused_with_the_usage() {
    for args in [
        &[][..],
        &["verify"],
        &["check", "write"],
        &["check", "--tests"],
        &["check", "--root"],
    ] {
        let refused = Arguments::parse(args.iter().map(Into::into))
            .err()
            .unwrap()
            .0;
        assert!(
            refused.contains("usage: requirements"),
            "{args:?}: {refused}"
        );
    }
}

const FILE: &str = "crates/a/src/lib.rs";

fn id(text: &str) -> Id {
    Id::parse(text).unwrap()
}

fn place() -> Place {
    Place {
        file: FILE.to_owned(),
        line: 1,
    }
}

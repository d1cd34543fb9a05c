//! Every kind of problem has a case here that raises it, and it alone.

use serde_json::{Value, json};

use super::data::{Ledger, OWNERS, ids};
use super::scan::{Listing, claims};
use super::{Arguments, Report};

/// A small world in which all is well: every id waits, except that one test proves `S0-01`.
struct World {
    entries: Vec<Value>,
    source: String,
    listing: Value,
    page: String,
}

impl World {
    fn new() -> Self {
        let entries = ids().map(|id| {
            json!({"id": id, "force": "MUST", "text": "Words.", "state": "waits", "for": "gateway"})
        });
        let case = json!({"ignored": false, "filter-match": {"status": "matches"}});
        let mut world = Self {
            entries: entries.collect(),
            source: source("it_holds", r#""S0-01""#),
            listing: json!({"rust-suites": {"a": {
                "package-name": "a", "binary-name": "a", "kind": "lib", "testcases": {"it_holds": case},
            }}}),
            page: String::new(),
        };
        world.entries[0] =
            json!({"id": "S0-01", "force": "MUST", "text": "Words.", "state": "proven"});
        world.page = world.report().page;
        world
    }

    fn report(&self) -> Report {
        let entries = serde_json::from_value(Value::Array(self.entries.clone())).unwrap();
        let listing: Listing = serde_json::from_value(self.listing.clone()).unwrap();
        Report::new(
            Ledger::new(entries),
            &claims(FILE, &self.source),
            &listing,
            &self.page,
        )
    }

    /// Changes fields of the second entry, `S0-02`.
    fn set(mut self, fields: &Value) -> Self {
        for (field, value) in fields.as_object().unwrap() {
            self.entries[1][field] = value.clone();
        }
        self
    }

    /// The problems are these and no others, each by the words it has; a page out of date does not count, which nearly every
    /// change to the world makes.
    #[track_caller]
    fn expect(&self, words: &[&str]) {
        let mut problems = self.report().problems;
        problems.retain(|problem| !problem.contains("stale"));
        assert_eq!(problems.len(), words.len(), "{problems:#?}");
        for (problem, words) in problems.iter().zip(words) {
            assert!(problem.contains(words), "{problem}");
        }
    }
}

/// A source with one function that claims to prove ids.
fn source(function: &str, ids: &str) -> String {
    format!("#[test]\nfn {function}() {{\n    testing::proves!({ids});\n}}\n")
}

const FILE: &str = "crates/a/src/lib.rs";

#[test]
fn a_world_in_order_has_no_problem() {
    assert_eq!(World::new().report().problems, [""; 0]);
    assert_eq!(ids().count(), 297);
}

#[test]
fn entries_are_there_once_and_in_order() {
    let changed = |change: fn(&mut Vec<Value>)| {
        let mut world = World::new();
        change(&mut world.entries);
        world
    };
    changed(|entries| drop(entries.remove(1))).expect(&["S0-02: has no entry"]);
    changed(|entries| entries.insert(2, entries[1].clone()))
        .expect(&["\"S0-02\": there is no such requirement, or it has two"]);
    changed(|entries| entries.swap(1, 2)).expect(&["S0-02: stands out of order"]);
    for unknown in ["S5-01", "S0-94", "S0-1", "s0-01", ""] {
        let mut world = World::new();
        world
            .entries
            .push(json!({"id": unknown, "force": "MUST", "text": "Words.", "state": "proven"}));
        world.expect(&["there is no such requirement"]);
    }
}

#[test]
fn an_entry_has_what_its_state_asks_for() {
    for (fields, problem) in [
        (json!({"text": " "}), "S0-02: does not say what is required"),
        (
            json!({"force": "must"}),
            "S0-02: unknown force \"must\"; use one of MUST, ",
        ),
        (
            json!({"state": "done", "for": null}),
            "S0-02: unknown state \"done\"; use one of proven, ",
        ),
        (json!({"for": null}), "S0-02: waits for None; set `for`"),
        (
            json!({"for": "nobody"}),
            "S0-02: waits for Some(\"nobody\"); set `for` to one of classify, ",
        ),
        (
            json!({"state": "not-ours", "for": null}),
            "S0-02: is not ours without a reason",
        ),
        (
            json!({"state": "not-ours", "for": null, "why": " "}),
            "S0-02: is not ours without a reason",
        ),
        (
            json!({"why": "Words."}),
            "S0-02: `why` means nothing in its state",
        ),
        (
            json!({"state": "not-ours", "why": "Words."}),
            "S0-02: `for` means nothing in its state",
        ),
        (
            json!({"state": "not-ours", "why": "Words.", "for": null, "issue": 3}),
            "S0-02: `issue` means nothing",
        ),
    ] {
        World::new().set(&fields).expect(&[problem]);
    }
    for (owner, _) in OWNERS {
        World::new().set(&json!({"for": owner})).expect(&[]);
    }
    World::new()
        .set(&json!({"state": "not-ours", "for": null, "why": "A pointer."}))
        .expect(&[]);
}

#[test]
fn only_a_test_that_runs_proves() {
    let unproven = World::new().set(&json!({"state": "proven", "for": null}));
    unproven.expect(&["S0-02: proven, says docs/requirements.json, but no test that runs names it; put `testing::proves!(\"S0-02\")`"]);
    let (not_run, none) = ("not in a test that runs", "S0-01: proven, says");
    for (ignored, status) in [(true, "mismatch"), (true, "matches"), (false, "mismatch")] {
        let mut world = World::new();
        let case = &mut world.listing["rust-suites"]["a"]["testcases"]["it_holds"];
        *case = json!({"ignored": ignored, "filter-match": {"status": status}});
        world.expect(&[not_run, none]);
    }
    for function in ["helper", "it_held"] {
        let mut world = World::new();
        world.source = source(function, r#""S0-01""#);
        world.expect(&[not_run, none]);
    }
    for (ids, problem) in [
        (
            r#""S0-01", "S9-01""#,
            "\"S9-01\": no requirement has this id; correct `proves!` at crates/a/src/lib.rs:3",
        ),
        (
            r#""S0-01", "S0-02""#,
            "S0-02: named by the test at crates/a/src/lib.rs:3, but its state",
        ),
    ] {
        let mut world = World::new();
        world.source = source("it_holds", ids);
        world.expect(&[problem]);
    }
    let mut world = World::new();
    world.source = source("it_holds", "ID");
    world.expect(&["names no id as a literal", none]);
}

#[test]
fn a_claim_is_ascribed_to_the_test_around_it() {
    let claim =
        |indent: &str, ids: &str| format!("{indent}    testing::proves!({ids});\n{indent}}}\n");
    let source = [
        "//! testing::proves!(\"S0-09\");\n".to_owned(),
        "#[test]\nfn one() {\n    fn helper() {\n        let _ = 1;\n    }\n".to_owned() + &claim("", "\n        \"S0-01\", \"S0-02\",\n    "),
        "mod tests {\n    mod inner {\n        #[tokio::test]\n        pub(crate) async fn two() {\n".to_owned() + &claim("        ", "\"S0-03\""),
        "    }\n    #[test]\n    fn three(\n        x in any::<u8>().prop_map(|x| { x }),\n    ) {\n".to_owned() + &claim("    ", "\"S0-04\""),
        "}\nfn four() {\n".to_owned() + &claim("", "\"S0-05\"") + "testing::proves!(\"S0-06\");\n",
    ];
    let found = claims("crates/a/src/b.rs", &source.concat());
    let found: Vec<String> = found
        .iter()
        .map(|claim| format!("{}: {}", claim.path, claim.ids.join(" ")))
        .collect();
    let wanted = [
        "b::one: S0-01 S0-02",
        "b::tests::inner::two: S0-03",
        "b::tests::three: S0-04",
        "b::four: S0-05",
        "b: S0-06",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_test_of_the_same_name_elsewhere_does_not_prove() {
    let listed = |package: &str, kind: &str, binary: &str, path: &str| {
        let case = json!({"ignored": false, "filter-match": {"status": "matches"}});
        let cases = json!({"it_holds": case, "b::it_holds": case});
        let suite = json!({"package-name": package, "binary-name": binary, "kind": kind, "testcases": cases});
        let listing: Listing =
            serde_json::from_value(json!({"rust-suites": {"x": suite}})).unwrap();
        let found = claims(path, &source("it_holds", "\"S0-01\""));
        found
            .first()
            .is_some_and(|claim| listing.binary(claim) == Some("x"))
    };
    assert!(listed("a", "lib", "a", "crates/a/src/lib.rs"));
    assert!(listed("a", "proc-macro", "a", "crates/a/src/lib.rs"));
    assert!(listed("a", "lib", "a", "crates/a/src/b/mod.rs"));
    assert!(listed("a", "lib", "a", "examples/a/src/b.rs"));
    assert!(listed("a", "bin", "b", "crates/a/src/main.rs"));
    assert!(listed("a", "bin", "b", "crates/a/src/bin/b.rs"));
    assert!(listed("a", "bin", "b", "crates/a/src/bin/b/main.rs"));
    assert!(listed("a", "test", "it", "crates/a/tests/it/main.rs"));
    assert!(listed("a", "test", "it", "crates/a/tests/it/b/mod.rs"));
    assert!(listed("a", "test", "e", "crates/a/tests/e.rs"));
    assert!(!listed("b", "lib", "b", "crates/a/src/lib.rs"));
    assert!(!listed("a", "test", "it", "crates/a/src/lib.rs"));
    assert!(!listed("a", "bin", "c", "crates/a/src/bin/b.rs"));
    assert!(!listed("a", "test", "it", "crates/a/tests/other.rs"));
    assert!(!listed("a", "lib", "a", "crates/a/tests/it/main.rs"));
    assert!(!listed("a", "lib", "a", "crates/a/src/module.rs"));
    assert!(!listed("a", "lib", "a", "crates/a/build.rs"));
    assert!(!listed("a", "lib", "a", "fuzz/a/src/lib.rs"));
}

#[test]
fn a_page_that_is_missing_or_differs_is_stale() {
    let mut world = World::new();
    let fresh = world.page.clone();
    for page in [String::new(), fresh.replace("it_holds", "it_held")] {
        world.page = page;
        let problems = world.report().problems;
        assert!(
            matches!(&problems[..], [one] if one.contains("docs/requirements.md: stale; run `cargo run")),
            "{problems:?}"
        );
    }
    world.page = fresh.replace('\n', "\r\n");
    assert_eq!(world.report().problems, [""; 0]);
}

#[test]
fn the_page_tells_how_each_id_stands() {
    let mut world = World::new().set(&json!({"issue": 6, "text": "One | or the other."}));
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
fn what_is_left_to_prove_is_listed_with_its_words() {
    let world = World::new().set(&json!({"state": "proven", "for": null, "text": "Say so."}));
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
        let refused = Arguments::parse(args.iter().map(Into::into)).err().unwrap();
        assert!(
            refused.contains("usage: requirements"),
            "{args:?}: {refused}"
        );
    }
}

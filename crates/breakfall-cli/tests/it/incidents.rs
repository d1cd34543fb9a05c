//! What happened behind a correlation id.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use breakfall::code::Origin;
use breakfall::{CorrelationId, Fault};
use breakfall_gateway::config::{AuditTrail, Retention, RetentionLimit};
use breakfall_gateway::record::{CallEvent, CallOutcome, Evidence, Recorder};
use breakfall_gateway::store::Sqlite;
use serde_json::Value;
use snapbox::cmd::Command;
use snapbox::str;
use tempfile::TempDir;

use crate::{breakfall, json, run};

const FAILED: &str = "019bffac-42fb-7a31-8c5a-0e6f0d1f7c11";
const WENT_WELL: &str = "019bffac-42fb-7a31-8c5a-0e6f0d1f7c12";
const UNKNOWN: &str = "019bffac-42fb-7a31-8c5a-0e6f0d1f7c13";

/// A machine on which a gateway has run.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().expect("a directory"));
        let store = Sqlite::open(machine.store()).expect("it is made");
        // Dropping it keeps everything.
        record(&Recorder::new(Arc::new(store), AuditTrail::On, for_ever()));
        machine
    }

    fn store(&self) -> PathBuf {
        self.path("breakfall/breakfall.db")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn explain(&self, args: &[&str]) -> Command {
        explain(self.0.path(), args)
    }
}

fn explain(state: &Path, args: &[&str]) -> Command {
    breakfall(&[&["explain"], args].concat()).env("XDG_STATE_HOME", state)
}

/// Everything stays: the calls here happened at a fixed time, and the clock goes on.
fn for_ever() -> Retention {
    let ages = Duration::from_hours(24 * 365 * 100);
    let mut keep = Retention::default();
    keep.audit = RetentionLimit::new(100, ages);
    keep.reports = RetentionLimit::new(100, ages);
    keep
}

fn event(id: &str) -> CallEvent {
    let id = CorrelationId::new(id).expect("an id");
    let at = "2026-01-27T13:37:18.075Z".parse().expect("a moment");
    let mut event = CallEvent::new(id, at, "shop".into(), "get_order");
    event.principal = Some("alice".into());
    event.took = Duration::from_millis(1234);
    event
}

fn record(recorder: &Recorder) {
    let fault = Fault::unavailable("shop")
        .origin(Origin::Upstream)
        .note("it ended with exit status: 1")
        .caused_by("cannot open /srv/shop/shop.db: password=hunter2-and-more");
    let mut failed = event(FAILED);
    failed.outcome = CallOutcome::of(&fault);
    failed.attempts = 3;
    failed.waited = Duration::from_millis(350);
    let said = "Error: \u{1b}[31mSQLITE_CANTOPEN\u{1b}[0m\n  at /srv/shop/index.js:7";
    let evidence = Evidence::new(fault).original(said);
    recorder.record(failed, "{}", Some(evidence));
    recorder.record(event(WENT_WELL), "{}", None);
}

#[test]
fn an_id_leads_to_what_its_caller_was_not_told() {
    Machine::new()
        .explain(&[FAILED])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
019bffac-42fb-7a31-8c5a-0e6f0d1f7c11  UNAVAILABLE_SERVICE, unavailable

Service 'shop' is unavailable

When      2026-01-27T13:37:18.075Z, took 1.2s
Server    shop
Tool      get_order
Caller    alice
Attempts  3, 350ms of the time was waited between them
Origin    upstream
Retry     backoff
Fix       Wait a little, then retry with growing pauses in between.
Details   service  shop
Code      breakfall explain UNAVAILABLE_SERVICE
Audit     entry 1, hash of the input 44136fa355b3678a

What happened
  UNAVAILABLE_SERVICE: Service 'shop' is unavailable
    note: it ended with exit status: 1
    caused by: cannot open /srv/shop/shop.db: password=[redacted:password]

What the server said
  Error: SQLITE_CANTOPEN
    at /srv/shop/index.js:7

"#]]);
}

#[test]
fn a_call_that_went_well_has_its_entry_in_the_trail() {
    Machine::new()
        .explain(&[WENT_WELL])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
019bffac-42fb-7a31-8c5a-0e6f0d1f7c12  success

When      2026-01-27T13:37:18.075Z, took 1.2s
Server    shop
Tool      get_order
Caller    alice
Details   attempts        1
          sent_bytes      0
          received_bytes  0
Audit     entry 2, hash of the input 44136fa355b3678a

"#]]);
}

#[test]
fn programs_get_all_of_it() {
    let machine = Machine::new();
    let answer = json(machine.explain(&["--json", FAILED]));
    let report = &answer["reports"][0];
    assert_eq!(report["error"]["code"], "UNAVAILABLE_SERVICE");
    assert_eq!(report["correlation_id"], FAILED);
    assert_eq!(answer["audit"][0]["seq"], 1);
    assert_eq!(answer["audit"][0]["entry"]["output_status"], "error");
    let answer = json(machine.explain(&["--json", WENT_WELL]));
    assert_eq!(answer["reports"], Value::Array(Vec::new()));
    assert_eq!(answer["audit"][0]["entry"]["tool_name"], "get_order");
}

#[test]
fn an_id_is_found_however_its_letters_are_written() {
    let machine = Machine::new();
    let answer = json(machine.explain(&["--json", &FAILED.to_ascii_uppercase()]));
    assert_eq!(answer["reports"][0]["correlation_id"], FAILED);
}

#[test]
fn an_unknown_id_is_reported_with_the_store_and_its_retention() {
    let machine = Machine::new();
    let output = run(machine.explain(&[UNKNOWN]));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("text");
    let said = said.replace(&machine.store().display().to_string(), "STORE");
    snapbox::assert_data_eq!(
        said,
        str![[r#"
error: nothing is known about '019bffac-42fb-7a31-8c5a-0e6f0d1f7c13'
  looked in: STORE
  kept of failures: the last 10000, for 7d
  kept of all calls: the last 100000, for 30d
  the id was made: 2026-01-27T13:37:18Z
  hint: what a gateway refused by itself, such as a message that is not JSON, is in its log only
  hint: -c names the configuration of a gateway that keeps what happened elsewhere

"#]]
    );
}

#[test]
fn a_store_that_cannot_be_looked_into_is_told() {
    let nowhere = tempfile::tempdir().expect("a directory");
    let told = |command: Command| {
        let output = run(command);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("text")
    };
    let said = told(explain(nowhere.path(), &[FAILED]));
    assert!(
        said.starts_with("error: the store ") && said.contains(" does not exist"),
        "{said}"
    );
    assert!(
        !nowhere.path().join("breakfall").exists(),
        "looking makes none"
    );

    let machine = Machine::new();
    fs::write(
        machine.store(),
        "no store at all, however long it is ".repeat(40),
    )
    .expect("written");
    let said = told(machine.explain(&[FAILED]));
    assert!(
        said.contains(" is not a Breakfall store, or is corrupt"),
        "{said}"
    );
}

#[test]
fn a_database_of_another_program_is_reported() {
    let machine = Machine::new();
    fs::set_permissions(machine.store(), Permissions::from_mode(0o000)).expect("it is ours");
    let output = run(machine.explain(&[FAILED]));
    let said = String::from_utf8(output.stderr).expect("text");
    // The superuser may read everything.
    let is_root = rustix::process::geteuid().is_root();
    assert_eq!(output.status.success(), is_root, "{said}");
    assert_eq!(said.contains("permission denied"), !is_root, "{said}");
}

#[test]
fn a_configuration_says_where_to_look() {
    let machine = Machine::new();
    let nowhere = tempfile::tempdir().expect("a directory");
    let config = |store: &str| {
        let file = machine.path("breakfall.yaml");
        let text = format!("store: {store}\nupstreams: {{ shop: {{ demo: true }} }}\n");
        fs::write(&file, text).expect("written");
        file.display().to_string()
    };
    let file = config("sqlite:breakfall/breakfall.db");
    let answer = json(explain(nowhere.path(), &["--json", "-c", &file, FAILED]));
    assert_eq!(answer["query"], FAILED);

    let file = config("memory");
    let output = run(explain(nowhere.path(), &["-c", &file, FAILED]));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("keeps reports in memory"), "{said}");

    let file = config("sqlit");
    let output = run(explain(nowhere.path(), &["-c", &file, FAILED]));
    assert_eq!(output.status.code(), Some(3), "the configuration is wrong");
}

#[test]
fn a_foreign_id_is_found_and_a_code_stays_a_code() {
    let machine = Machine(tempfile::tempdir().expect("a directory"));
    let store = Sqlite::open(machine.store()).expect("it is made");
    let recorder = Recorder::new(Arc::new(store), AuditTrail::On, for_ever());
    recorder.record(event("req-7"), "{}", None);
    drop(recorder);
    let answer = json(machine.explain(&["--json", "req-7"]));
    assert_eq!(answer["audit"][0]["entry"]["correlation_id"], "req-7");
    let output = run(machine.explain(&["VALIDATION_MISING_PARAM"]));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(
        said.starts_with("error: unknown code 'VALIDATION_MISING_PARAM'; did you mean"),
        "{said}"
    );
}

#[test]
fn ids_of_requests_that_are_no_calls_lead_to_what_happened_too() {
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let prompt = r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"deny_rpc"}}"#;
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/call/server.py");
    for (how, asked, wants) in [
        (
            "breaks",
            vec![initialize],
            ["Request   initialize", "no such module: shop"],
        ),
        (
            "",
            vec![initialize, prompt],
            ["Request   prompts/get", "What the server said"],
        ),
    ] {
        let machine = tempfile::tempdir().expect("a directory");
        let input = asked.join("\n") + "\n";
        let ran = breakfall(&["run", "--", "python3", server, how]);
        let ran = run(ran.env("XDG_STATE_HOME", machine.path()).stdin(input));
        let said = String::from_utf8(ran.stdout).expect("UTF-8");
        let told: Value = said
            .lines()
            .last()
            .map(serde_json::from_str)
            .expect("an answer")
            .expect("JSON");
        let data = &told["error"]["data"];
        let error = data.get("dev.breakfall/error").unwrap_or(data);
        let id = error["correlation_id"]
            .as_str()
            .unwrap_or_else(|| panic!("no id: {said}"));
        let explained = run(explain(machine.path(), &[id]));
        let page = String::from_utf8(explained.stdout).expect("UTF-8");
        for want in wants {
            assert!(page.contains(want), "{want}: {page}{said}");
        }
        assert!(!page.contains("Audit"), "{page}");
    }
}

#[test]
fn the_beginning_of_an_id_is_enough_if_no_other_begins_so() {
    let machine = Machine::new();
    let prefix = &FAILED[..FAILED.len() - 1];
    let output = run(machine.explain(&[prefix]));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(
        said,
        format!(
            "error: several ids begin with '{prefix}'\n  they are: {FAILED}\n    {WENT_WELL}\n  \
             hint: type more of it; breakfall explain --last lists the latest failures\n"
        )
    );

    let machine = Machine(tempfile::tempdir().expect("a directory"));
    let store = Sqlite::open(machine.store()).expect("it is made");
    let recorder = Recorder::new(Arc::new(store), AuditTrail::On, for_ever());
    recorder.record(event(WENT_WELL), "{}", None);
    recorder.record(event("req-7-of-client"), "{}", None);
    drop(recorder);
    for prefix in ["019bff", "019BFFAC-42F", "019bffac"] {
        let answer = json(machine.explain(&["--json", prefix]));
        assert_eq!(answer["query"], WENT_WELL);
    }
    let answer = json(machine.explain(&["--json", "req-7"]));
    assert_eq!(answer["query"], "req-7-of-client");
    let output = run(machine.explain(&["019bfa"]));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(
        said.starts_with("error: nothing is known about '019bfa'"),
        "{said}"
    );
}

#[test]
fn the_latest_failures_are_listed_with_their_ids() {
    let machine = Machine::new();
    machine
        .explain(&["--last"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
ID                                    WHEN                  CODE                 CALL            MESSAGE
019bffac-42fb-7a31-8c5a-0e6f0d1f7c11  2026-01-27T13:37:18Z  UNAVAILABLE_SERVICE  shop/get_order  Service 'shop' is unavailable

"#]]);
    let answer = json(machine.explain(&["--last", "3", "--json"]));
    assert_eq!(answer["reports"][0]["correlation_id"], FAILED);
    assert_eq!(answer["reports"].as_array().map(Vec::len), Some(1));
    for args in [
        &["--last", "0"][..],
        &["--last", "x"],
        &["--last", "3", FAILED],
    ] {
        assert_eq!(run(machine.explain(args)).status.code(), Some(2));
    }

    let machine = Machine(tempfile::tempdir().expect("a directory"));
    assert_eq!(run(machine.explain(&["--last"])).status.code(), Some(2));
    drop(Sqlite::open(machine.store()).expect("it is made"));
    let output = run(machine.explain(&["--last"]));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(
        said.starts_with("note: there are no failures in "),
        "{said}"
    );
}

#[test]
fn json_on_a_terminal_has_its_control_characters_escaped() {
    let machine = Machine(tempfile::tempdir().expect("a directory"));
    let store = Sqlite::open(machine.store()).expect("it is made");
    let recorder = Recorder::new(Arc::new(store), AuditTrail::On, for_ever());
    let mut failed = event(FAILED);
    let fault = Fault::unavailable("shop").note("\u{9b}2J \u{202e}boo");
    failed.outcome = CallOutcome::of(&fault);
    recorder.record(failed, "{}", Some(Evidence::new(fault)));
    drop(recorder);
    let terminal = "import pty, sys; pty.spawn(sys.argv[1:])";
    let program = env!("CARGO_BIN_EXE_breakfall");
    let on_terminal = Command::new("python3")
        .args(["-c", terminal, program, "explain", "--json", FAILED])
        .env("XDG_STATE_HOME", machine.0.path());
    let shown = String::from_utf8(run(on_terminal).stdout).expect("text");
    assert!(shown.contains(r"\u009b2J \u202eboo"), "{shown}");
    assert!(!shown.contains(['\u{9b}', '\u{202e}']), "{shown:?}");
    let shown: Value = serde_json::from_str(&shown).expect("it is still JSON");
    assert_eq!(shown, json(machine.explain(&["--json", FAILED])));
}

#[test]
fn records_are_not_deleted_for_their_age_because_a_clock_says_so_at_once() {
    // They are from January; the clock of this machine is far ahead, or has jumped.
    let machine = Machine::new();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_products","arguments":{"query":"belt"}}}"#;
    let ran = breakfall(&["run", "--demo"]);
    let ran = run(ran
        .env("XDG_STATE_HOME", machine.0.path())
        .stdin(format!("{call}\n")));
    assert!(ran.status.success(), "{ran:?}");
    let answer = json(machine.explain(&["--json", FAILED]));
    assert_eq!(answer["reports"][0]["correlation_id"], FAILED);
    assert_eq!(answer["audit"][0]["seq"], 1);
}

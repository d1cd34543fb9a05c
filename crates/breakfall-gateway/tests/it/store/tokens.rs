//! Confirmation tokens: the same promises in every store.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use breakfall::confirm::{
    ArgumentsHash, CallScope, ClockSkew, ConfirmationToken, TokenBook, TokenGrant, TokenHash,
    TokenPurpose, TokenRecord, TokenRefusal,
};
use breakfall::gate::DangerLevel;
use breakfall_gateway::config::Retention;
use breakfall_gateway::store::{
    Memory, PresentedToken, Sqlite, Store as _, StoreError, TokenStore,
};
use proptest::prelude::*;

use super::{moment, wait};

fn token(number: u16) -> TokenHash {
    let mut bytes = [0; 32];
    bytes[..2].copy_from_slice(&number.to_be_bytes());
    ConfirmationToken::from_bytes(TokenPurpose::Confirmation, bytes).hash()
}

fn call(principal: Option<&str>, id: u8) -> CallScope {
    let arguments = ArgumentsHash::of(&format!(r#"{{"id":{id}}}"#), None).expect("JSON");
    CallScope::new(principal, "shop", "delete", arguments)
}

fn record(principal: Option<&str>, id: u8, millis: i64) -> TokenRecord {
    TokenGrant::new(call(principal, id), DangerLevel::Destructive).at(moment(millis))
}

fn presented(number: u16, call: CallScope, millis: i64) -> PresentedToken {
    PresentedToken {
        token: token(number),
        purpose: TokenPurpose::Confirmation,
        call,
        now: moment(millis),
        skew: ClockSkew::default(),
    }
}

/// Every kind of store, and where the second one lies.
fn stores() -> (Vec<Arc<dyn TokenStore>>, tempfile::TempDir) {
    let directory = tempfile::tempdir().expect("a directory");
    let sqlite = Sqlite::open(directory.path().join("store.db")).expect("it is made");
    (
        vec![Arc::new(Memory::default()), Arc::new(sqlite)],
        directory,
    )
}

#[test]
fn a_record_comes_back_as_it_was_issued() {
    let (stores, _directory) = stores();
    for store in stores {
        let records = [
            record(Some("ada"), 1, 5_000),
            TokenGrant::beyond_quota(call(None, 2).quota("cost_per_day")).at(moment(6_000)),
            TokenGrant::new(call(None, 3), DangerLevel::Forbidden)
                .cooldown(std::time::Duration::from_secs(9))
                .at(moment(7_001)),
        ];
        for (at, record) in (0..).zip(&records) {
            wait(store.issue_token(token(at), record.clone())).expect("room");
        }
        for (at, record) in (0..).zip(records) {
            assert_eq!(wait(store.load_token(token(at))), Ok(Some(record)));
        }
        assert_eq!(wait(store.load_token(token(99))), Ok(None));
        assert_eq!(
            wait(store.live_tokens(moment(7_001), ClockSkew::NONE)),
            Ok(3)
        );
    }
}

#[test]
fn tokens_are_purged_an_hour_after_their_expiry_also_with_other_records() {
    let expiry = 5 * 60_000;
    let hour = expiry + 3_600_000;
    let keep = Retention::default();
    let purges_all = |store: &dyn TokenStore| {
        wait(store.issue_token(token(1), record(None, 1, 0))).expect("room");
        assert_eq!(wait(store.purge_tokens(moment(hour - 1))), Ok(0));
        assert_eq!(wait(store.purge_tokens(moment(hour))), Ok(1));
        assert_eq!(wait(store.load_token(token(1))), Ok(None));
        // The next token that is issued purges, too.
        wait(store.issue_token(token(2), record(None, 1, 0))).expect("room");
        wait(store.issue_token(token(3), record(None, 1, hour))).expect("room");
        assert_eq!(wait(store.load_token(token(2))), Ok(None));
        assert!(
            wait(store.load_token(token(3)))
                .expect("it is read")
                .is_some()
        );
    };
    let directory = tempfile::tempdir().expect("a directory");
    let sqlite = Sqlite::open(directory.path().join("store.db")).expect("it is made");
    let memory = Memory::default();
    purges_all(&memory);
    purges_all(&sqlite);
    let later = moment(2 * hour);
    wait(memory.purge(keep, later)).expect("purged");
    wait(sqlite.purge(keep, later)).expect("purged");
    for store in [&memory as &dyn TokenStore, &sqlite] {
        assert_eq!(wait(store.load_token(token(3))), Ok(None));
    }
}

#[test]
fn of_a_thousand_concurrent_redemptions_one_succeeds() {
    let (stores, _directory) = stores();
    for store in stores {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .build();
        let results = runtime.expect("a runtime").block_on(async {
            store
                .issue_token(token(1), record(None, 1, 0))
                .await
                .expect("room");
            let redeem = |_| {
                let store = Arc::clone(&store);
                tokio::spawn(
                    async move { store.consume_token(presented(1, call(None, 1), 10)).await },
                )
            };
            let tasks: Vec<_> = (0..1000).map(redeem).collect();
            let mut results = Vec::new();
            for task in tasks {
                results.push(task.await.expect("no panic").expect("the store works"));
            }
            results
        });
        let used = Err(TokenRefusal::AlreadyUsed {
            consumed_at: moment(10),
        });
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert_eq!(
            results.iter().filter(|result| **result == used).count(),
            999
        );
    }
}

#[derive(Debug, Clone)]
enum Step {
    Issue {
        number: u16,
        principal: bool,
        id: u8,
    },
    Consume {
        number: u16,
        principal: bool,
        id: u8,
    },
    Revoke {
        number: u16,
    },
    Wait {
        millis: i64,
    },
    Purge,
    Count,
}

fn step() -> impl Strategy<Value = Step> {
    let parts = || (0..3_u16, any::<bool>(), 0..2_u8);
    prop_oneof![
        3 => parts().prop_map(|(number, principal, id)| Step::Issue { number, principal, id }),
        5 => parts().prop_map(|(number, principal, id)| Step::Consume { number, principal, id }),
        1 => (0..3_u16).prop_map(|number| Step::Revoke { number }),
        3 => prop_oneof![0..400_000_i64, -60_000..0_i64, 3_000_000..4_000_000_i64]
            .prop_map(|millis| Step::Wait { millis }),
        1 => Just(Step::Purge),
        1 => Just(Step::Count),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        rng_seed: proptest::test_runner::RngSeed::Fixed(21),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_store_does_what_the_library_does(steps in prop::collection::vec(step(), 1..30)) {
        let (stores, _directory) = stores();
        let skew = ClockSkew::default();
        let principal = |is_known: bool| is_known.then_some("ada");
        for store in stores {
            let mut model = TokenBook::default();
            let (mut now, mut serial) = (10_000_000, 0_u16);
            let mut current = [900_u16; 3];
            for step in &steps {
                match *step {
                    Step::Issue { number, principal: known, id } => {
                        serial += 1;
                        current[usize::from(number)] = serial;
                        let record = record(principal(known), id, now);
                        wait(store.issue_token(token(serial), record.clone())).expect("room");
                        model.issue(token(serial), record).expect("room");
                    }
                    Step::Consume { number, principal: known, id } => {
                        let number = current[usize::from(number)];
                        let call = call(principal(known), id);
                        let taken = wait(store.consume_token(presented(number, call.clone(), now)));
                        let expected = model.consume(&token(number), TokenPurpose::Confirmation, &call, moment(now), skew);
                        prop_assert_eq!(taken, Ok(expected));
                    }
                    Step::Revoke { number } => {
                        let token = token(current[usize::from(number)]);
                        let revoked = wait(store.revoke_token(token, moment(now)));
                        prop_assert_eq!(revoked, Ok(model.revoke(&token, moment(now))));
                    }
                    Step::Wait { millis } => now += millis,
                    Step::Purge => {
                        let purged = wait(store.purge_tokens(moment(now)));
                        prop_assert_eq!(purged, Ok(model.purge(moment(now))));
                    }
                    Step::Count => {
                        let live = wait(store.live_tokens(moment(now), skew));
                        prop_assert_eq!(live, Ok(model.live(moment(now), skew)));
                    }
                }
            }
        }
    }
}

const FILE: &str = "BREAKFALL_TEST_TOKEN_STORE";
const TOKENS: u16 = 100;

/// Another process, which redeems every token of a file once it is told to start.
fn redeemer(file: &Path) -> Child {
    let this = std::env::current_exe().expect("we run");
    let mut command = Command::new(this);
    let command = command
        .args([
            "--exact",
            "store::tokens::redeems",
            "--ignored",
            "--nocapture",
        ])
        .env(FILE, file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command.spawn().expect("it starts")
}

#[test]
#[ignore = "it is what the other test here starts"]
fn redeems() {
    let file = std::env::var_os(FILE).expect("a test starts it");
    let store = Sqlite::open(file).expect("it opens");
    let mut out = std::io::stdout();
    writeln!(out, "\nready").expect("a reader");
    std::io::stdin()
        .read_line(&mut String::new())
        .expect("a start");
    let redeemed = (0..TOKENS).filter(|number| {
        let presented = presented(*number, call(None, 1), 10);
        wait(store.consume_token(presented))
            .expect("the store works")
            .is_ok()
    });
    writeln!(out, "\nredeemed {}", redeemed.count()).expect("a reader");
}

#[test]
fn of_two_processes_one_redeems_each_token() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let store = Sqlite::open(&file).expect("it is made");
    for number in 0..TOKENS {
        wait(store.issue_token(token(number), record(None, 1, 0))).expect("room");
    }
    let mut children = [(); 2].map(|()| redeemer(&file));
    let outputs = children
        .each_mut()
        .map(|child| child.stdout.take().expect("it is piped"));
    let mut outputs = outputs.map(|output| BufReader::new(output).lines().map(Result::unwrap));
    for lines in &mut outputs {
        lines.find(|line| line == "ready").expect("it is ready");
    }
    for child in &mut children {
        let mut start = child.stdin.take().expect("it is piped");
        writeln!(start, "go").expect("it listens");
    }
    let counts = outputs.map(|mut lines| {
        let line = lines.find_map(|line| line.strip_prefix("redeemed ").map(str::to_owned));
        // The process writes on, and needs a reader.
        lines.for_each(drop);
        line.expect("it says so").parse::<u16>().expect("a number")
    });
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert_eq!(counts.iter().sum::<u16>(), TOKENS, "{counts:?}");
    assert_eq!(wait(store.live_tokens(moment(10), ClockSkew::NONE)), Ok(0));
}

#[test]
fn a_token_is_durable_and_stays_used_when_the_file_is_opened_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let store = Sqlite::open(&file).expect("it is made");
    for number in [1, 2] {
        wait(store.issue_token(token(number), record(None, 1, 0))).expect("room");
    }
    assert_eq!(
        wait(store.consume_token(presented(1, call(None, 1), 10))),
        Ok(Ok(()))
    );
    drop(store);
    let store = Sqlite::open(&file).expect("it opens");
    let consume = |number| wait(store.consume_token(presented(number, call(None, 1), 20)));
    let used = TokenRefusal::AlreadyUsed {
        consumed_at: moment(10),
    };
    assert_eq!(consume(1), Ok(Err(used)));
    assert_eq!(consume(2), Ok(Ok(())));
}

/// The schema of version 1, before there were tokens.
const VERSION_1: &str = "
CREATE TABLE chain (place TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
INSERT INTO chain VALUES ('start', 0, zeroblob(32)), ('head', 0, zeroblob(32));
CREATE TABLE audit (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE INDEX audit_id ON audit (id);
CREATE TABLE report (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX report_id ON report (id);
CREATE INDEX report_at ON report (at);
INSERT INTO report (at, id, text) VALUES (5, 'c-1', '{}');
PRAGMA application_id = 0x62726b66; PRAGMA user_version = 1;
";

#[test]
fn a_file_of_the_first_version_keeps_its_records_and_takes_tokens() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let old = rusqlite::Connection::open(&file).expect("it opens");
    old.execute_batch(VERSION_1).expect("it is made");
    drop(old);
    let (one, other) = (Sqlite::open(&file), Sqlite::existing(&file));
    let (one, other) = (one.expect("it is migrated"), other.expect("once"));
    wait(one.issue_token(token(1), record(None, 1, 0))).expect("room");
    assert_eq!(
        wait(other.consume_token(presented(1, call(None, 1), 10))),
        Ok(Ok(()))
    );
    assert_eq!(wait(one.find("c-1")).expect("it is read").len(), 1);
}

#[test]
fn a_token_that_cannot_be_stored_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let store = wait(Sqlite::open(&file).expect("it is made").capped(80 << 10)).expect("capped");
    let issued =
        (0..5_000).map(|number| wait(store.issue_token(token(number), record(None, 1, 0))));
    let full = issued.zip(0..).find(|(issued, _)| issued.is_err());
    let (error, number) = full.expect("there is no more room");
    assert_eq!(error, Err(StoreError::Full));
    assert_eq!(wait(store.load_token(token(number))), Ok(None));
}

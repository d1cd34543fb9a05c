//! The fault server does what its table says, and nothing else.

use std::process::Command;

use serde_json::{Value, json};
use testing::clients::{Client, Era, Reply};
use testing::faulty::{Behaviour, FAKE_SECRET, Leaves, Trail, When, Yields};
use testing::wire::{Seen, Wire};

const SERVER: &str = env!("CARGO_BIN_EXE_fault-server");

#[test]
fn official_clients_find_a_well_behaved_server_in_both_eras() {
    for (client, era) in Client::ALL {
        let calls = [
            ("echo", json!({"a": [1, "b"]})),
            ("nothing", json!({})),
            ("fail", json!({})),
        ];
        let report = client.drive(era, &[SERVER], &calls);
        assert_eq!(report.tools.len(), 14, "{client:?}");
        let [
            Reply::Result(echo),
            Reply::Error(unknown),
            Reply::Result(failed),
        ] = &report.replies[..]
        else {
            panic!("{client:?} in {era:?}: {report:?}")
        };
        assert_eq!(echo["structuredContent"], json!({"a": [1, "b"]}));
        assert_eq!(unknown["code"], -32602);
        assert_eq!(failed["isError"], true);
        if matches!(client, Client::Python1 | Client::Python2) {
            let version = match era {
                Era::Legacy => "2025-11-25",
                Era::Modern => "2026-07-28",
            };
            assert_eq!(report.protocol.as_deref(), Some(version));
        }
    }
}

#[test]
fn a_right_answer_comes_exactly_where_the_table_says_so() {
    for behaviour in Behaviour::of(When::Call) {
        let seen = after(behaviour);
        let mut answers = seen.answers(1);
        answers.retain(|answer| answer.get("result").or(answer.get("error")).is_some());
        match behaviour.yields() {
            Yields::Answer => assert!(!answers.is_empty(), "{behaviour:?}: {seen:?}"),
            // Small enough for a test it is an answer; it is the size that makes it none.
            Yields::Nothing if is_huge(behaviour) => assert_eq!(answers.len(), 1, "{seen:?}"),
            Yields::Nothing => assert!(answers.is_empty(), "{behaviour:?}: {seen:?}"),
            Yields::Doubtful => {}
        }
    }
}

#[test]
fn the_next_call_fares_as_the_table_says() {
    for behaviour in Behaviour::of(When::Call) {
        let seen = after(behaviour);
        let next = seen.answers(2).len();
        match behaviour.leaves() {
            Leaves::Serving => {
                assert_eq!(next, 1, "{behaviour:?}: {seen:?}");
                assert!(seen.status.success(), "{behaviour:?}: {seen:?}");
            }
            Leaves::Stuck | Leaves::Dead => assert_eq!(next, 0, "{behaviour:?}: {seen:?}"),
        }
    }
}

#[test]
fn a_banner_comes_before_the_first_answer() {
    let seen = begin(&["--start", "banner"]).end();
    assert!(seen.lines[0].starts_with(b"***"), "{seen:?}");
    assert_eq!(seen.answers(0).len(), 1, "{seen:?}");
}

#[test]
fn what_fails_at_the_start_says_why_on_standard_error_only() {
    for start in ["exit-at-start", "exit-in-handshake"] {
        let seen = begin(&["--start", start]).end();
        assert_eq!(seen.status.code(), Some(1));
        assert!(seen.lines.is_empty(), "{seen:?}");
        assert!(seen.stderr.contains(FAKE_SECRET), "{seen:?}");
    }
}

#[test]
fn only_the_first_starts_fail() {
    let folder = tempfile::tempdir().unwrap();
    let trail = Trail::new(folder.path());
    let file = trail.file().to_str().unwrap();
    let codes = [1, 2, 3].map(|_| {
        let arguments = ["--start", "exit-first-starts=2", "--trail", file];
        begin(&arguments).end().status.code()
    });
    assert_eq!(codes, [Some(1), Some(1), Some(0)]);
    assert_eq!(trail.all().len(), 3);
    assert!(trail.left().is_empty());
}

#[test]
fn it_crashes_on_the_call_it_was_told() {
    let mut wire = begin(&["--start", "crash-on-call=2"]);
    wire.call(1, "echo", &json!({}));
    wire.call(2, "echo", &json!({}));
    wire.call(3, "echo", &json!({}));
    let seen = wire.end();
    assert_eq!(seen.status.code(), Some(101));
    assert_eq!((seen.answers(1).len(), seen.answers(2).len()), (1, 0));
}

#[test]
fn it_counts_over_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("count");
    let count = || {
        let mut wire = begin(&["--count-file", file.to_str().unwrap()]);
        wire.call(1, "count", &json!({}));
        wire.end().answers(1)[0]["result"]["structuredContent"]["count"].clone()
    };
    assert_eq!([count(), count()], [json!(1), json!(2)]);
}

#[test]
fn a_stubborn_server_and_what_it_started_end_only_by_sigkill() {
    let folder = tempfile::tempdir().unwrap();
    let trail = Trail::new(folder.path());
    let file = trail.file().to_str().unwrap();
    let mut wire = begin(&["--start", "stubborn", "--trail", file]);
    wire.call(1, "misbehave", &json!({"how": "grandchild"}));
    wire.answer(1);
    let [first, second] = trail.left()[..] else {
        panic!("two processes: {:?}", trail.all())
    };
    assert_eq!(first, wire.pid());
    let both = [first.to_string(), second.to_string()];
    let mut kill = Command::new("sh");
    kill.args(["-c", r#"kill "$@""#, "sh"]).args(both);
    assert!(kill.status().unwrap().success());
    wire.call(2, "echo", &json!({}));
    wire.answer(2);
    wire.hang_up();
    assert_eq!(trail.left(), [first, second]);
    drop(trail);
    assert!(!wire.wait().success());
}

#[test]
fn an_answer_after_the_cancellation_waits_for_it() {
    let mut wire = begin(&[]);
    wire.call(1, "misbehave", &json!({"how": "answer-after-cancel"}));
    wire.call(2, "echo", &json!({}));
    wire.answer(2);
    wire.send(json!({"method": "notifications/cancelled", "params": {"requestId": 1}}));
    wire.answer(1);
    let ids: Vec<_> = wire
        .end()
        .messages()
        .map(|each| each["id"].clone())
        .collect();
    assert_eq!(ids, [0, 2, 1]);
}

#[test]
fn a_question_is_answered_with_what_the_client_said() {
    let mut wire = begin(&[]);
    wire.call(1, "misbehave", &json!({"how": "ask-sampling"}));
    let answer = wire.answer(1);
    let reply = json!({"reply": {"result": {"model": "tests"}}});
    assert_eq!(answer["result"]["structuredContent"], reply);
}

#[test]
fn parked_calls_are_answered_in_the_order_that_was_asked_for() {
    let mut wire = begin(&[]);
    for id in 1..=3 {
        wire.call(id, "park", &json!({"n": id}));
    }
    wire.send(json!({"method": "notifications/cancelled", "params": {"requestId": 2}}));
    wire.call(4, "release", &json!({"reversed": true}));
    let seen = wire.end();
    let ids: Vec<_> = seen
        .messages()
        .filter_map(|message| message["id"].as_u64())
        .collect();
    assert_eq!(ids, [0, 3, 1, 4]);
}

/// What became of a call of the behaviour, and of another one after it. Sizes are such that a test can bear them.
fn after(behaviour: Behaviour) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let trail = Trail::new(folder.path());
    let mut wire = begin(&["--trail", trail.file().to_str().unwrap()]);
    let how = json!({"how": behaviour.name(), "bytes": 100_000, "count": 100, "ms": 1});
    wire.call(1, "misbehave", &how);
    let answered = behaviour.yields() == Yields::Answer || is_huge(behaviour);
    if answered && behaviour != Behaviour::OutOfOrder {
        until_answered(&mut wire);
    }
    wire.call(2, "echo", &json!({}));
    match behaviour.leaves() {
        Leaves::Serving => drop(wire.answer(2)),
        Leaves::Stuck => wire.kill(),
        Leaves::Dead => drop(wire.wait()),
    }
    if answered {
        wire.answer(1);
    }
    wire.close();
    // What it started keeps its output open.
    drop(trail);
    wire.end()
}

/// Waits for the answer to the first call. Noise may have its id, so the first line that has it need not be it.
fn until_answered(wire: &mut Wire) {
    while let Some(line) = wire.line() {
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        let is_answer = message.get("result").or(message.get("error")).is_some();
        if is_answer && message["id"] == 1 {
            return;
        }
    }
    panic!("the call has no answer")
}

fn is_huge(behaviour: Behaviour) -> bool {
    [Behaviour::HugeLineIdFirst, Behaviour::HugeLineIdLast].contains(&behaviour)
}

/// A server with the handshake sent, answered or not.
fn begin(arguments: &[&str]) -> Wire {
    let mut wire = Wire::start(Command::new(SERVER).args(arguments));
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
    wire.ask(0, "initialize", &params);
    wire.send(json!({"method": "notifications/initialized"}));
    wire
}

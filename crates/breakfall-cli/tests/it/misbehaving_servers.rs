//! Whatever a server does, `run` answers every request once, in time, and leaves nothing behind.
//!
//! Each test is one behaviour of the fault server, a real child behind the real binary.

use std::process::Command;

use serde_json::{Value, json};
use testing::faulty::{self, Behaviour, FAKE_SECRET, Leaves, Trail, When, Yields};
use testing::wire::{Seen, Wire};

macro_rules! survives {
    ($($(#[$attribute:meta])* $name:ident: $behaviour:ident;)+) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $name() {
                survive(Behaviour::$behaviour);
            }
        )+

        const SURVIVED: &[Behaviour] = &[$(Behaviour::$behaviour),+];
    };
}

survives! {
    silence: Silence;
    an_answer_with_an_id_nobody_used: WrongId;
    an_answer_with_the_id_as_another_type: IdOfAnotherType;
    an_answer_with_a_point_in_its_id: IdWithAPoint;
    an_answer_with_null_for_an_id: NullId;
    an_answer_without_an_id: NoId;
    an_answer_after_the_cancellation: AnswerAfterCancel;
    two_answers: TwoAnswers;
    progress_after_the_answer: ProgressAfterAnswer;
    progress_of_a_token_nobody_gave: ProgressOfNobody;
    a_server_that_cancels_the_call_it_answers: CancelsTheCall;
    answers_out_of_order: OutOfOrder;
    half_a_line_and_the_end: HalfALineThenExit;
    half_a_line_and_silence: HalfALineThenSilence;
    an_answer_behind_half_a_line: BehindHalfALine;
    an_answer_behind_words: BehindWords;
    an_answer_without_a_line_end_and_the_end: NoNewlineThenExit;
    a_line_of_a_gigabyte_with_its_id_in_front: HugeLineIdFirst;
    a_line_of_a_gigabyte_with_its_id_at_its_end: HugeLineIdLast;
    garbage_around_an_answer: GarbageAround;
    rows_and_log_lines_with_ids: NoiseWithIds;
    an_answer_over_several_lines: BrokenOverLines;
    a_carriage_return_before_the_line_end: CarriageReturn;
    an_answer_byte_by_byte: SlowDrip;
    an_answer_byte_by_byte_without_end: EndlessDrip;
    an_answer_that_is_not_utf8: InvalidUtf8;
    an_answer_nested_a_hundred_thousand_deep: Deep;
    a_result_and_an_error_in_one: ResultAndError;
    a_result_and_null_for_an_error: NullError;
    neither_a_result_nor_an_error: NeitherResultNorError;
    an_error_whose_code_is_text: TextErrorCode;
    an_error_without_a_message: NoErrorMessage;
    an_error_that_is_text: ErrorIsText;
    a_result_that_is_text: ResultIsText;
    an_answer_that_does_not_name_its_protocol: NoVersion;
    an_answer_with_two_ids: TwoIds;
    an_answer_in_a_batch: Batch;
    an_answer_of_fifty_megabytes: HugeAnswer;
    ten_thousand_notifications: FloodNotifications;
    ten_megabytes_on_stderr: FloodStderr;
    ten_megabytes_on_stderr_that_are_not_utf8: FloodStderrGarbage;
    ten_megabytes_on_stderr_in_one_line: FloodStderrOneLine;
    the_end_with_code_0: ExitZero;
    the_end_with_code_3: ExitThree;
    the_end_by_abort: Abort;
    the_end_by_kill: Killed;
    the_end_right_after_the_answer: AnswerThenExit;
    the_end_of_its_output_while_it_lives_on: EofWhileLiving;
    a_server_that_stops_reading: StopsReading;
    a_process_it_leaves_behind: Grandchild;
    a_process_it_leaves_behind_at_its_end: GrandchildThenExit;
    a_ping: AskPing;
    a_question_for_roots: AskRoots;
    a_question_for_a_sample: AskSampling;
    a_question_for_the_user: AskElicitation;
    a_question_nobody_knows: AskUnknown;
    a_question_with_the_id_of_the_call: AskWithTheSameId;
    a_question_it_takes_back: AskThenCancel;
}

#[test]
fn every_behaviour_of_a_call_is_tested() {
    let all: Vec<_> = Behaviour::of(When::Call).collect();
    assert_eq!(SURVIVED, all);
}

/// A call of the behaviour while another one is under way, and a call after it.
fn survive(behaviour: Behaviour) {
    let mut server = Behind::new(&["--timeout", patience(behaviour)], &[]);
    let wire = &mut server.wire;
    wire.initialize();
    if behaviour == Behaviour::AskThenCancel {
        // An answer in the meantime would leave nothing to take back.
        wire.mute();
    }
    wire.call("bystander", "park", &json!({"n": 1}));
    let mut arguments = json!({"how": behaviour.name()});
    if behaviour == Behaviour::SlowDrip {
        arguments["ms"] = 1.into();
    }
    let meta = json!({"progressToken": "token"});
    let params = json!({"name": "misbehave", "arguments": arguments, "_meta": meta});
    wire.ask("it", "tools/call", &params);
    wire.call("release", "release", &json!({}));
    let (bystander, release) = (wire.answer("bystander"), wire.answer("release"));
    let answer = wire.answer("it");
    wire.call("next", "echo", &json!({"n": 2}));
    let next = wire.answer("next");
    let memory = memory_of(wire.pid());

    judge(behaviour, &answer);
    if behaviour.leaves() == Leaves::Serving {
        assert_eq!(data(&bystander), &json!({"n": 1}), "{bystander}");
        assert_eq!(data(&release), &json!({"released": 1}), "{release}");
    }
    if !is_stuck_for_good(behaviour) {
        assert_eq!(data(&next), &json!({"n": 2}), "{next}");
    }
    assert!(memory < 256 << 10, "{memory} KiB");
    let seen = server.end();
    assert!(seen.status.success(), "{seen:?}");
    look_at_the_rest(behaviour, &seen);
    for id in ["bystander", "it", "release", "next"] {
        assert_eq!(seen.answers(id).len(), 1, "{id}: {seen:?}");
    }
}

/// Long where the gateway has to notice by itself, short where only its patience can end.
fn patience(behaviour: Behaviour) -> &'static str {
    use Behaviour as B;
    let unheard = [
        B::Silence,
        B::WrongId,
        B::NullId,
        B::NoId,
        B::AnswerAfterCancel,
        B::BrokenOverLines,
        B::Batch,
        B::TwoIds,
    ];
    if unheard.contains(&behaviour) || is_stuck_for_good(behaviour) {
        "3s"
    } else {
        "100s"
    }
}

/// It lives, so it is not started again, and does not answer.
fn is_stuck_for_good(behaviour: Behaviour) -> bool {
    behaviour.leaves() == Leaves::Stuck && behaviour != Behaviour::EofWhileLiving
}

/// Whether the one answer is what can be expected after such a behaviour.
fn judge(behaviour: Behaviour, answer: &Value) {
    well_formed(answer);
    let failed = answer.get("error").is_some() || answer["result"]["isError"] == true;
    match behaviour.yields() {
        Yields::Answer => assert!(!failed, "{answer:.2000}"),
        Yields::Nothing => assert!(failed, "{answer:.2000}"),
        Yields::Doubtful => assert!(!failed || !is_understood(behaviour), "{answer:.2000}"),
    }
    let reply = &answer["result"]["structuredContent"]["reply"];
    if behaviour.name().starts_with("ask-") && behaviour != Behaviour::AskThenCancel {
        assert_eq!(reply, &json!({"result": {"model": "tests"}}), "{answer}");
    }
    if behaviour == Behaviour::HugeAnswer {
        let text = &answer["result"]["content"][0]["text"];
        assert_eq!(text.as_str().map(str::len), Some(50_000_000));
    }
}

/// Whether we take it, although not everybody would.
fn is_understood(behaviour: Behaviour) -> bool {
    use Behaviour as B;
    let all = [
        B::IdOfAnotherType,
        B::IdWithAPoint,
        B::BehindHalfALine,
        B::BehindWords,
    ];
    all.contains(&behaviour)
}

/// What else came, and what did not.
fn look_at_the_rest(behaviour: Behaviour, seen: &Seen) {
    let count = |method: &str| {
        let messages = seen.messages();
        messages.filter(|each| each["method"] == method).count()
    };
    // All of a flood comes through.
    let floods = behaviour == Behaviour::FloodNotifications;
    let notifications = if floods { 10_000 } else { 0 };
    assert_eq!(count("notifications/message"), notifications);
    // Progress of an answered call or an unknown token does not.
    assert_eq!(count("notifications/progress"), 0, "{seen:?}");
    // A cancelled question is cancelled at the client too.
    let cancelled = seen
        .messages()
        .filter(|each| each["method"] == "notifications/cancelled")
        .map(|each| each["params"]["requestId"].clone());
    let question = seen
        .messages()
        .filter(|each| each.get("method").is_some() && each.get("id").is_some())
        .map(|each| each["id"].clone())
        .filter(|_| behaviour == Behaviour::AskThenCancel);
    assert!(cancelled.eq(question), "{seen:?}");
}

#[test]
fn a_banner_on_stdout_does_no_harm() {
    let mut server = Behind::new(&[], &["--start", "banner"]);
    server.wire.initialize();
    server.works();
    server.end();
}

#[test]
fn a_server_that_dies_at_its_start_is_one_clear_fault_without_its_secrets() {
    for start in ["exit-at-start", "exit-in-handshake", "needs-terminal"] {
        // Longer than requests wait for a start.
        let mut server = Behind::new(&["--restart-delay", "3s"], &["--start", start]);
        for id in 1..=3 {
            let answer = server.wire.initialize_as(id);
            let fault = &answer["error"]["data"];
            assert_eq!(fault["code"], "UNAVAILABLE_SERVICE", "{answer}");
            assert_eq!(fault["retry"]["retryable"], false, "{answer}");
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            let words = if start == "needs-terminal" {
                "a terminal is needed"
            } else {
                "ConnectionError: password=[redacted"
            };
            assert!(message.contains(words), "{message}");
            assert!(!message.contains("/srv"), "{message}");
        }
        let seen = server.end();
        assert_eq!(seen.status.code(), Some(5), "{seen:?}");
    }
}

#[test]
fn a_killed_server_is_said_to_be_killed_and_nothing_is_said_of_memory() {
    let mut server = Behind::new(&[], &[]);
    server.wire.initialize();
    server.wire.call(1, "misbehave", &json!({"how": "killed"}));
    let answer = server.wire.answer(1);
    let fault = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(fault["message"], "Server was killed by SIGKILL", "{answer}");
    assert_eq!(fault["details"]["signal"], 9);
    assert!(!answer.to_string().contains("memory"), "{answer}");
    server.end();
}

#[test]
fn a_server_whose_first_starts_fail_serves_later_requests() {
    let starts = ["--start", "exit-first-starts=2"];
    let mut server = Behind::new(&["--restart-delay", "1ms"], &starts);
    let mut attempts = (0..10).map(|id| server.wire.initialize_as(id));
    assert!(attempts.any(|answer| answer.get("result").is_some()));
    server.works();
    assert_eq!(server.trail.all().len(), 3);
    server.end();
}

#[test]
fn a_server_that_hangs_is_replaced_after_the_time_of_the_command_line() {
    let times = ["--timeout", "300ms", "--stuck-after", "300ms"];
    let mut server = Behind::new(&[&times[..], &["--restart-delay", "1ms"]].concat(), &[]);
    server.wire.initialize();
    let how = json!({"how": "stops-reading"});
    server.wire.call(1, "misbehave", &how);
    server.wire.answer(1);
    let mut later = (2..30).map(|id| {
        server.wire.call(id, "echo", &json!({"n": id}));
        server.wire.answer(id)
    });
    assert!(later.any(|answer| data(&answer)["n"].is_u64()));
    assert_eq!(server.trail.all().len(), 2);
    server.end();
}

#[test]
fn a_caller_of_the_modern_era_is_answered_in_its_way() {
    for how in ["silence", "exit-3"] {
        let mut server = Behind::new(&["--timeout", "3s"], &["--era", "modern"]);
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": "misbehave", "arguments": {"how": how}, "_meta": meta});
        server.wire.ask(1, "tools/call", &params);
        let answer = server.wire.answer(1);
        well_formed(&answer);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        server.works();
        server.end();
    }
}

#[test]
fn a_handshake_without_an_answer_is_answered() {
    for start in ["silent-start", "never-reads"] {
        let mut server = Behind::new(&["--timeout", "2s"], &["--start", start]);
        let answer = server.wire.initialize();
        assert!(answer.get("error").is_some(), "{answer}");
        server.end();
    }
}

#[test]
fn a_refused_handshake_is_refused_in_the_servers_words() {
    let mut server = Behind::new(&[], &["--start", "refuse-handshake"]);
    let answer = server.wire.initialize();
    let error = &answer["error"];
    assert_eq!(error["code"], -32603);
    let words = error["message"].as_str().unwrap_or_default();
    assert!(words.starts_with("no session today "), "{answer}");
    assert_eq!(
        error["data"]["dev.breakfall/error"]["code"],
        "INTERNAL_ERROR"
    );
    server.end();
}

#[test]
fn a_server_that_reads_slowly_is_not_hurried() {
    let mut server = Behind::new(&[], &["--start", "reads-slowly"]);
    server.wire.initialize();
    let long = json!({"text": "x".repeat(100_000)});
    server.wire.call(1, "echo", &long);
    assert_eq!(data(&server.wire.answer(1)), &long);
    server.end();
}

#[test]
fn a_server_that_ignores_every_request_to_end_is_made_to() {
    let mut server = Behind::new(&[], &["--start", "stubborn"]);
    server.wire.initialize();
    server
        .wire
        .call(1, "misbehave", &json!({"how": "grandchild"}));
    server.wire.answer(1);
    assert_eq!(server.trail.left().len(), 2);
    assert!(server.end().status.success());
}

#[test]
fn a_server_that_is_started_again_knows_what_the_one_before_it_knew() {
    let starts = ["--start", "crash-on-call=3"];
    let mut server = Behind::new(&["--restart-delay", "1ms"], &starts);
    let wire = &mut server.wire;
    wire.initialize();
    wire.ask(
        "s",
        "resources/subscribe",
        &json!({"uri": "fault://greeting"}),
    );
    wire.ask("l", "logging/setLevel", &json!({"level": "debug"}));
    wire.answer("s");
    wire.answer("l");
    wire.call("before", "state", &json!({}));
    let before = data(&wire.answer("before")).clone();
    for id in 1..=2 {
        wire.call(id, "echo", &json!({}));
        wire.answer(id);
    }
    wire.call("after", "state", &json!({}));
    let after = data(&wire.answer("after")).clone();
    assert_ne!(after["pid"], before["pid"]);
    for known in ["initialize", "initialized", "subscriptions", "level"] {
        assert_eq!(after[known], before[known], "{known}");
    }
    assert_eq!(after["subscriptions"], json!(["fault://greeting"]));
    server.end();
}

#[test]
fn every_third_call_fails_if_the_server_crashes_on_it() {
    let starts = ["--start", "crash-on-call=3"];
    let mut server = Behind::new(&["--restart-delay", "1ms"], &starts);
    server.wire.initialize();
    let fates = (1..=9).map(|id| {
        server.wire.call(id, "echo", &json!({}));
        server.wire.answer(id)["result"]["isError"] == true
    });
    let fates: Vec<_> = fates.collect();
    let expected: Vec<_> = (1..=9).map(|id| id % 3 == 0).collect();
    assert_eq!(fates, expected);
    server.end();
}

#[test]
fn every_behaviour_of_the_start_is_named_above() {
    let source = include_str!("misbehaving_servers.rs");
    for behaviour in Behaviour::of(When::Start) {
        assert!(source.contains(behaviour.name()), "{behaviour:?}");
    }
}

/// A fault server behind `run`.
struct Behind {
    wire: Wire,
    trail: Trail,
    _folder: tempfile::TempDir,
}

impl Behind {
    fn new(run: &[&str], server: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let trail = Trail::new(folder.path());
        let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
        command.arg("run").args(run).arg("--");
        command.arg(faulty::program()).args(server);
        command.arg("--trail").arg(trail.file());
        Self {
            wire: Wire::start(&mut command),
            trail,
            _folder: folder,
        }
    }

    fn works(&mut self) {
        self.wire.call("works", "echo", &json!({"n": 3}));
        assert_eq!(data(&self.wire.answer("works")), &json!({"n": 3}));
    }

    /// The client hangs up: everything ends, and all that was said was well formed and no secret.
    fn end(mut self) -> Seen {
        self.wire.close();
        assert_eq!(self.trail.left_over(), Vec::<u32>::new(), "left running");
        let seen = self.wire.end();
        for line in &seen.lines {
            let message: Value = serde_json::from_slice(line)
                .unwrap_or_else(|error| panic!("no JSON on stdout: {error}: {seen:?}"));
            assert_eq!(message["jsonrpc"], "2.0", "{seen:?}");
            let text = String::from_utf8_lossy(line);
            assert!(!text.contains(FAKE_SECRET), "{text}");
        }
        seen
    }
}

fn data(answer: &Value) -> &Value {
    &answer["result"]["structuredContent"]
}

/// An answer as JSON-RPC and MCP want it.
fn well_formed(answer: &Value) {
    assert_eq!(answer["jsonrpc"], "2.0");
    match (answer.get("result"), answer.get("error")) {
        (Some(result), None) => {
            assert!(result.is_object(), "{answer:.2000}");
            assert!(result["content"].is_array(), "{answer:.2000}");
        }
        (None, Some(error)) => {
            assert!(error["code"].is_i64(), "{answer:.2000}");
            assert!(error["message"].is_string(), "{answer:.2000}");
        }
        _ => panic!("a result or an error: {answer:.2000}"),
    }
}

/// The most memory a process has had, in KiB, where the system tells.
fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    most.and_then(|most| most.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or_default()
}

//! Any interleaving of requests, answers, cancellations, duplicates, noise and deaths, against a model: exactly one
//! reply to every request that was not cancelled, at most one to those that were, none to anything else.

use std::collections::BTreeMap;
use std::fmt;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::*;

/// Something one of the three does.
#[derive(Debug, Clone)]
enum Step {
    /// The client asks; one in three is a call.
    Ask { kind: u8, wants_progress: bool },
    /// The client cancels one of its requests, answered or not.
    Cancel(usize),
    /// The server answers one of the requests it has heard, answered or not.
    Answer(usize),
    /// The server answers with the other half of an error.
    Fail(usize),
    /// The server answers something nobody asked.
    Stray,
    /// The server reports progress on a request it has heard.
    Progress(usize),
    /// The server says something that is no message.
    Noise,
    /// The server says what cannot be read, under the id of a request it has heard.
    Nonsense(usize),
    /// The server asks the client.
    AskBack,
    /// The server stops in the middle of a line.
    Die,
    /// Nobody does anything.
    Wait(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<usize>;
    prop_oneof![
        6 => (0..3_u8, any::<bool>()).prop_map(|(kind, wants_progress)| Step::Ask { kind, wants_progress }),
        2 => index().prop_map(Step::Cancel),
        6 => index().prop_map(Step::Answer),
        1 => index().prop_map(Step::Fail),
        1 => Just(Step::Stray),
        1 => index().prop_map(Step::Progress),
        1 => Just(Step::Noise),
        1 => index().prop_map(Step::Nonsense),
        1 => Just(Step::AskBack),
        1 => Just(Step::Die),
        1 => (0..15_u8).prop_map(Step::Wait),
    ]
}

/// What was seen from outside.
#[derive(Debug, Default)]
struct History {
    asked: usize,
    /// By request: when it was cancelled, whether the server that had heard it was alive and had not answered.
    cancelled: BTreeMap<usize, bool>,
    /// What the client got.
    replies: Vec<Value>,
    /// The requests the servers were told to give up, by the client's number.
    given_up: Vec<usize>,
}

/// What is wrong with a history.
#[derive(Debug, PartialEq)]
enum Broken {
    Replies {
        request: usize,
        got: usize,
        cancelled: bool,
    },
    NotAsked(Value),
    Malformed(Value),
    CancelLost(usize),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl History {
    fn judge(&self) -> Result<(), Broken> {
        let mut got = BTreeMap::new();
        for reply in &self.replies {
            let is_one = reply.get("result").is_some() != reply.get("error").is_some();
            if reply["jsonrpc"] != "2.0" || !is_one {
                return Err(Broken::Malformed(reply.clone()));
            }
            let id = reply["id"].as_u64().and_then(|id| usize::try_from(id).ok());
            match id.filter(|id| *id < self.asked) {
                Some(id) => *got.entry(id).or_insert(0) += 1,
                None => return Err(Broken::NotAsked(reply.clone())),
            }
        }
        for request in 0..self.asked {
            let got = got.get(&request).copied().unwrap_or(0);
            let cancelled = self.cancelled.contains_key(&request);
            if got > 1 || (got == 0 && !cancelled) {
                return Err(Broken::Replies {
                    request,
                    got,
                    cancelled,
                });
            }
        }
        let heard = |request: &usize| self.given_up.contains(request);
        let lost = self
            .cancelled
            .iter()
            .find(|(request, was_open)| **was_open && !heard(request));
        lost.map_or(Ok(()), |(request, _)| Err(Broken::CancelLost(*request)))
    }
}

/// The three, while it happens.
struct Play {
    bench: Bench,
    server: Option<End>,
    /// The requests the present server has heard: the client's number, the id it has there, whether it is answered.
    heard: Vec<(usize, Value, bool)>,
    history: History,
}

impl Play {
    async fn run(steps: Vec<Step>, flaw: Option<Flaw>) -> History {
        let bench = Bench::planted(flaw, |_| {});
        let mut play = Self {
            bench,
            server: None,
            heard: Vec::new(),
            history: History::default(),
        };
        for step in steps {
            play.settle().await;
            play.step(step).await;
        }
        // Long enough for everything that is still open to be late.
        for _ in 0..20 {
            play.settle().await;
            tokio::time::sleep(QUIET / 2).await;
        }
        play.settle().await;
        assert_eq!(play.bench.peer.owed(), 0, "nothing is owed in the end");
        play.history
    }

    /// Everybody hears what there is to hear.
    async fn settle(&mut self) {
        loop {
            let mut was_quiet = true;
            if self.server.is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
                self.server = self.bench.server_now();
            }
            if let Some(server) = &mut self.server
                && let Some(message) = server.hear_within(Duration::from_micros(10)).await
            {
                was_quiet = false;
                self.server_hears(&message);
            }
            if let Some(message) = self
                .bench
                .client
                .hear_within(Duration::from_micros(10))
                .await
            {
                was_quiet = false;
                if message.get("method").is_none() {
                    self.history.replies.push(message);
                }
            }
            if was_quiet {
                return;
            }
        }
    }

    fn server_hears(&mut self, message: &Value) {
        if message["method"] == "notifications/cancelled" {
            let of = |(_, id, _): &&mut (usize, Value, bool)| *id == message["params"]["requestId"];
            if let Some((number, ..)) = self.heard.iter_mut().find(of) {
                self.history.given_up.push(*number);
            }
        } else if let Some(number) = message["params"]["number"].as_u64() {
            let number = usize::try_from(number).expect("we chose it");
            self.heard.push((number, message["id"].clone(), false));
        }
    }

    async fn step(&mut self, step: Step) {
        match step {
            Step::Ask {
                kind,
                wants_progress,
            } => self.ask(kind, wants_progress).await,
            Step::Cancel(index) => self.cancel(index).await,
            Step::Answer(index) => {
                self.answer(index, |id| {
                    json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string()
                })
                .await;
            }
            Step::Fail(index) => {
                self.answer(index, |id| {
                    json!({"jsonrpc": "2.0", "id": id, "error": {"code": 0, "message": "no"}})
                        .to_string()
                })
                .await;
            }
            Step::Nonsense(index) => {
                self.answer(index, |id| format!(r#"{{"id":{id},"result":"#))
                    .await;
            }
            Step::Progress(index) => self.progress(index).await,
            Step::Stray => {
                self.server_says(
                    json!({"jsonrpc": "2.0", "id": 4_000_000, "result": {}}).to_string(),
                )
                .await;
            }
            Step::Noise => self.server_says("Server is ready!".to_owned()).await,
            Step::AskBack => {
                self.server_says(ask("back", "roots/list").to_string())
                    .await;
            }
            Step::Die => {
                if let Some(mut server) = self.server.take() {
                    server.mumble(br#"{"jsonrpc":"2.0","id":0,"res"#).await;
                }
                self.heard.clear();
            }
            Step::Wait(seconds) => tokio::time::sleep(Duration::from_secs(seconds.into())).await,
        }
    }

    async fn ask(&mut self, kind: u8, wants_progress: bool) {
        let number = self.history.asked;
        let method = ["tools/call", "tools/list", "vendor/extra"][usize::from(kind)];
        let mut request =
            json!({"jsonrpc": "2.0", "id": number, "method": method, "params": {"number": number}});
        if wants_progress {
            request["params"]["_meta"] = json!({"progressToken": format!("token-{number}")});
        }
        self.history.asked += 1;
        self.bench.client.say(&request).await;
    }

    async fn cancel(&mut self, index: usize) {
        if self.history.asked == 0 {
            return;
        }
        let number = index % self.history.asked;
        let is_replied = self
            .history
            .replies
            .iter()
            .any(|reply| reply["id"] == number);
        let is_open = self
            .heard
            .iter()
            .any(|(heard, _, answered)| *heard == number && !answered);
        if !is_replied {
            let first = self
                .history
                .cancelled
                .entry(number)
                .or_insert(is_open && self.server.is_some());
            let _ = first;
        }
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}});
        self.bench.client.say(&cancel).await;
    }

    async fn answer(&mut self, index: usize, text: impl FnOnce(&Value) -> String) {
        if self.heard.is_empty() {
            return;
        }
        let at = index % self.heard.len();
        self.heard[at].2 = true;
        let text = text(&self.heard[at].1);
        self.server_says(text).await;
    }

    async fn progress(&mut self, index: usize) {
        if self.heard.is_empty() {
            return;
        }
        let (_, id, _) = &self.heard[index % self.heard.len()];
        let note = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": id, "progress": 1}});
        self.server_says(note.to_string()).await;
    }

    async fn server_says(&mut self, line: String) {
        if let Some(server) = &mut self.server {
            server.say_raw(line.as_bytes()).await;
        }
    }
}

fn play(steps: Vec<Step>, flaw: Option<Flaw>) -> History {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    runtime.expect("a runtime").block_on(Play::run(steps, flaw))
}

/// Plays very many games, and says what the first broken one broke.
fn explore(flaw: Option<Flaw>) -> Result<(), String> {
    let config = Config {
        cases: 400,
        // A flaw that was planted need not be made small.
        max_shrink_iters: if flaw.is_some() { 0 } else { 1000 },
        rng_seed: RngSeed::Fixed(20_260_728),
        failure_persistence: None,
        ..Config::default()
    };
    let steps = prop::collection::vec(step(), 1..60);
    let checked = TestRunner::new(config).run(&steps, |steps| {
        let judged = play(steps, flaw).judge();
        judged.map_err(|broken| TestCaseError::fail(broken.to_string()))
    });
    checked.map_err(|error| error.to_string())
}

#[test]
fn every_interleaving_gives_exactly_one_reply() {
    assert_eq!(explore(None), Ok(()));
}

#[test]
fn a_relay_with_a_defect_does_not_pass() {
    for (flaw, broken) in [
        (Flaw::AnswersTwice, "got: 2"),
        (Flaw::LosesAnswers, "got: 0"),
        (Flaw::LosesCancellations, "CancelLost"),
    ] {
        let found = explore(Some(flaw)).err().unwrap_or_default();
        assert!(found.contains(broken), "{flaw:?}: {found:.500}");
    }
}

/// A history in which something happened that would tell a broken relay from a good one.
fn rich() -> History {
    let first = || 0;
    let ask = || Step::Ask {
        kind: 0,
        wants_progress: false,
    };
    play(
        vec![
            ask(),
            Step::Cancel(first()),
            ask(),
            Step::Wait(1),
            Step::Die,
            ask(),
            Step::Answer(first()),
        ],
        None,
    )
}

#[test]
fn a_second_reply_a_missing_one_and_a_lost_cancellation_are_noticed() {
    assert_eq!(rich().judge(), Ok(()));

    let mut twice = rich();
    twice.replies.push(twice.replies[0].clone());
    assert!(matches!(twice.judge(), Err(Broken::Replies { got: 2, .. })));

    let mut silent = rich();
    silent.replies.remove(0);
    assert!(matches!(
        silent.judge(),
        Err(Broken::Replies { got: 0, .. })
    ));

    let mut lost = rich();
    assert!(!lost.given_up.is_empty(), "the cancellation got there");
    lost.given_up.clear();
    assert!(matches!(lost.judge(), Err(Broken::CancelLost(_))));

    let mut foreign = rich();
    foreign.replies[0]["id"] = json!("x");
    assert!(matches!(foreign.judge(), Err(Broken::NotAsked(_))));
}

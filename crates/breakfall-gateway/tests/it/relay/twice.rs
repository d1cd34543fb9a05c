//! Never twice: whatever servers and the way to them do, a call of a tool nobody knows to be harmless is carried out at
//! most once, and one that is harmless no more often than the budget allows.

use std::collections::BTreeMap;

use breakfall_gateway::config::Config as File;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::*;

/// Something that happens.
#[derive(Debug, Clone)]
enum Step {
    /// The client calls a tool: one in two may be repeated.
    Call { is_harmless: bool },
    /// The client takes one of its calls back.
    Cancel(usize),
    /// The server carries out what it has heard, and answers well.
    Answer(usize),
    /// The server carries it out, and answers with one of several failures.
    Fail(usize, usize),
    /// The server ends. What it has heard it has carried out.
    Die,
    /// The server ends in the middle of an answer.
    DieAnswering(usize),
    /// The server says something nobody can read as the answer.
    Nonsense(usize),
    /// Nobody does anything.
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<usize>;
    prop_oneof![
        6 => any::<bool>().prop_map(|is_harmless| Step::Call { is_harmless }),
        1 => index().prop_map(Step::Cancel),
        2 => index().prop_map(Step::Answer),
        4 => (index(), index()).prop_map(|(which, how)| Step::Fail(which, how)),
        3 => Just(Step::Die),
        1 => index().prop_map(Step::DieAnswering),
        1 => index().prop_map(Step::Nonsense),
        3 => (0..15_000_u64).prop_map(Step::Wait),
    ]
}

/// What was seen from outside.
#[derive(Debug, Default)]
struct History {
    /// By call: whether it may be repeated.
    calls: Vec<bool>,
    /// By call: how often a server has heard it.
    heard: BTreeMap<usize, usize>,
    cancelled: Vec<usize>,
    replies: BTreeMap<usize, usize>,
}

impl History {
    fn judge(&self) -> Result<(), String> {
        for (number, &is_harmless) in self.calls.iter().enumerate() {
            let heard = self.heard.get(&number).copied().unwrap_or(0);
            let most = if is_harmless { ATTEMPTS } else { 1 };
            if heard > most {
                return Err(format!("call {number} was carried out {heard} times"));
            }
            let replies = self.replies.get(&number).copied().unwrap_or(0);
            if replies > 1 || (replies == 0 && !self.cancelled.contains(&number)) {
                return Err(format!("call {number} was answered {replies} times"));
            }
        }
        let harmless = self.calls.iter().filter(|call| **call).count();
        let heard: usize = self.heard.values().sum();
        // Ten at once, and one more for every ten calls or seconds.
        let (most, seconds) = (10 + harmless / 10, 15 * STEPS);
        if heard > self.calls.len() + most + seconds / 10 {
            return Err(format!("{heard} calls were heard of {}", self.calls.len()));
        }
        Ok(())
    }

    fn is_repeated(&self) -> bool {
        self.heard.values().any(|heard| *heard > 1)
    }
}

/// As configured below.
const ATTEMPTS: usize = 3;
const STEPS: usize = 40;

struct Play {
    bench: Bench,
    server: Option<End>,
    /// What the present server has heard and not answered.
    open: Vec<(usize, Value)>,
    history: History,
}

/// What a server may say instead of a result. Some of it asks to be called again.
fn failures(id: &Value) -> [Value; 5] {
    let error = |code: i64, message: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let result = |text: &str| json!({"jsonrpc": "2.0", "id": id, "result": {"isError": true, "content": [{"type": "text", "text": text}]}});
    [
        error(-32603, "Internal error: connection reset by peer"),
        error(-32000, "Service temporarily unavailable, retry later"),
        result("503 Service Unavailable. Retry-After: 1"),
        result("429 Too Many Requests: retry after 2 seconds"),
        result("No such order"),
    ]
}

impl Play {
    async fn run(steps: Vec<Step>, flaw: Option<Flaw>) -> History {
        let file = "upstreams: {shop: {command: [x], tools: {look: {idempotent: true}}}}";
        let mut file = File::parse(file, "my.yaml").expect("a good file");
        let config = file.upstreams.remove(0);
        let bench = Bench::judged(flaw, |upstream| {
            upstream.tools = config.tools;
            upstream.breaker = None;
        });
        let mut play = Self {
            bench,
            server: None,
            open: Vec::new(),
            history: History::default(),
        };
        for step in steps {
            play.settle().await;
            play.step(step).await;
        }
        // Long enough for everything that is still open to be late.
        for _ in 0..40 {
            play.settle().await;
            tokio::time::sleep(QUIET / 2).await;
        }
        play.settle().await;
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
            let moment = Duration::from_micros(10);
            if let Some(server) = &mut self.server
                && let Some(message) = server.hear_within(moment).await
            {
                was_quiet = false;
                self.server_hears(&message).await;
            }
            if let Some(message) = self.bench.client.hear_within(moment).await {
                was_quiet = false;
                let number = message["id"].as_u64().expect("only calls are answered");
                let number = usize::try_from(number).expect("we chose it");
                *self.history.replies.entry(number).or_default() += 1;
            }
            if was_quiet {
                return;
            }
        }
    }

    async fn server_hears(&mut self, message: &Value) {
        match message["method"].as_str() {
            Some("tools/list") => {
                let tools = json!([{"name": "pay", "inputSchema": {}}, {"name": "look", "inputSchema": {}}]);
                let answer =
                    json!({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": tools}});
                self.server_says(answer.to_string()).await;
            }
            Some("tools/call") => {
                let number = message["params"]["arguments"]["number"].as_u64();
                let number = usize::try_from(number.expect("we sent it")).expect("we chose it");
                *self.history.heard.entry(number).or_default() += 1;
                self.open.push((number, message["id"].clone()));
            }
            Some(_) | None => {}
        }
    }

    async fn step(&mut self, step: Step) {
        match step {
            Step::Call { is_harmless } => {
                let number = self.history.calls.len();
                self.history.calls.push(is_harmless);
                let tool = if is_harmless { "look" } else { "pay" };
                let call = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": {"number": number}}});
                self.bench.client.say(&call).await;
            }
            Step::Cancel(index) if !self.history.calls.is_empty() => {
                let number = index % self.history.calls.len();
                self.history.cancelled.push(number);
                let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}});
                self.bench.client.say(&cancel).await;
            }
            Step::Answer(index) => {
                let result = |id: &Value| {
                    json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}}).to_string()
                };
                self.answer(index, result).await;
            }
            Step::Fail(index, how) => {
                let failure = |id: &Value| failures(id)[how % 5].to_string();
                self.answer(index, failure).await;
            }
            Step::Nonsense(index) => {
                self.answer(index, |id| format!(r#"{{"id":{id},"result":"#))
                    .await;
            }
            Step::DieAnswering(index) => {
                let at = self.open.get(index % self.open.len().max(1)).cloned();
                if let (Some(mut server), Some((_, id))) = (self.server.take(), at) {
                    server
                        .mumble(format!(r#"{{"jsonrpc":"2.0","id":{id},"res"#).as_bytes())
                        .await;
                }
                self.open.clear();
            }
            Step::Die => {
                self.server = None;
                self.open.clear();
            }
            Step::Wait(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
            Step::Cancel(_) => {}
        }
    }

    async fn answer(&mut self, index: usize, text: impl FnOnce(&Value) -> String) {
        if self.open.is_empty() {
            return;
        }
        let (_, id) = self.open.remove(index % self.open.len());
        self.server_says(text(&id)).await;
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

/// Plays very many games, and says what the first broken one broke; else how many saw a call made again.
fn explore(flaw: Option<Flaw>) -> Result<usize, String> {
    let config = Config {
        cases: 300,
        // A flaw that was planted need not be made small.
        max_shrink_iters: if flaw.is_some() { 0 } else { 1000 },
        rng_seed: RngSeed::Fixed(20_261_115),
        failure_persistence: None,
        ..Config::default()
    };
    let repeated = std::cell::Cell::new(0);
    let steps = prop::collection::vec(step(), 1..STEPS);
    let checked = TestRunner::new(config).run(&steps, |steps| {
        let history = play(steps, flaw);
        repeated.set(repeated.get() + usize::from(history.is_repeated()));
        history.judge().map_err(TestCaseError::fail)
    });
    checked.map_err(|error| error.to_string())?;
    Ok(repeated.get())
}

#[test]
fn no_schedule_of_deaths_and_failures_carries_a_call_out_twice() {
    let repeated = explore(None).unwrap_or_else(|broken| panic!("{broken}"));
    assert!(
        repeated > 20,
        "what is harmless was made again in {repeated} games only"
    );
}

#[test]
fn a_call_that_is_sent_twice_is_noticed() {
    let found = explore(Some(Flaw::SendsTwice)).expect_err("it is carried out twice");
    assert!(found.contains("was carried out"), "{found:.500}");
}

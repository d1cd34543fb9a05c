//! A game of the model: a client, a gateway and servers that do what the steps say.

use breakfall_gateway::config::Config as File;

use super::model::{History, Step, What};
use super::*;

/// Through how much a request goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The wire alone.
    Plain,
    /// Everything a call goes through.
    Judged,
}

/// Plays in time of its own.
pub(super) fn play(steps: Vec<Step>, way: Way, flaw: Option<Flaw>) -> History {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let game = Play::run(steps, way, flaw);
    runtime.expect("a runtime").block_on(game)
}

/// The three, while it happens.
struct Play {
    bench: Bench,
    server: Option<End>,
    /// What the present server has heard.
    heard: Vec<Heard>,
    history: History,
}

struct Heard {
    /// The client's number.
    number: usize,
    /// The id it has there.
    id: Value,
    is_answered: bool,
}

impl Play {
    async fn run(steps: Vec<Step>, way: Way, flaw: Option<Flaw>) -> History {
        let mut play = Self {
            bench: bench(way, flaw),
            server: None,
            heard: Vec::new(),
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
            let moment = Duration::from_micros(10);
            if let Some(server) = &mut self.server
                && let Some(message) = server.hear_within(moment).await
            {
                was_quiet = false;
                self.server_hears(&message).await;
            }
            if let Some(message) = self.bench.client.hear_within(moment).await {
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

    async fn server_hears(&mut self, message: &Value) {
        let number = message["params"]["number"].as_u64();
        if let Some(number) = number {
            let number = usize::try_from(number).expect("we chose it");
            *self.history.heard.entry(number).or_default() += 1;
            self.heard.push(Heard {
                number,
                id: message["id"].clone(),
                is_answered: false,
            });
        } else if message["method"] == "notifications/cancelled" {
            let id = &message["params"]["requestId"];
            if let Some(heard) = self.heard.iter().find(|heard| heard.id == *id) {
                self.history.given_up.push(heard.number);
            }
        } else if message["method"] == "tools/list" {
            // The gateway wants to know.
            self.server_says(done(&message["id"])).await;
        }
    }

    async fn step(&mut self, step: Step) {
        match step {
            Step::Ask {
                what,
                wants_progress,
            } => self.ask(what, wants_progress).await,
            Step::Cancel(index) => self.cancel(index).await,
            Step::Answer(index) => self.answer(index, done).await,
            Step::Fail(index, how) => {
                let failure = |id: &Value| failures(id)[how % 6].to_string();
                self.answer(index, failure).await;
            }
            Step::Nonsense(index) => {
                self.answer(index, |id| format!(r#"{{"id":{id},"result":"#))
                    .await;
            }
            Step::Progress(index) => self.progress(index).await,
            Step::Stray => self.server_says(done(&json!(4_000_000))).await,
            Step::Noise => self.server_says("Server is ready!".to_owned()).await,
            Step::AskBack => {
                self.server_says(ask("back", "roots/list").to_string())
                    .await;
            }
            Step::Die => self.die(None).await,
            Step::DieAnswering(index) => self.die(Some(index)).await,
            Step::Wait(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
        }
    }

    async fn ask(&mut self, what: What, wants_progress: bool) {
        let number = self.history.asked.len();
        let (method, name) = match what {
            What::Pay => ("tools/call", Some("pay")),
            What::Look => ("tools/call", Some("look")),
            What::List => ("tools/list", None),
            What::Other => ("vendor/extra", None),
        };
        let mut request =
            json!({"jsonrpc": "2.0", "id": number, "method": method, "params": {"number": number}});
        if let Some(name) = name {
            request["params"]["name"] = name.into();
        }
        if wants_progress {
            request["params"]["_meta"] = json!({"progressToken": format!("token-{number}")});
        }
        self.history.asked.push(what);
        self.bench.client.say(&request).await;
    }

    async fn cancel(&mut self, index: usize) {
        if self.history.asked.is_empty() {
            return;
        }
        let number = index % self.history.asked.len();
        let mut replies = self.history.replies.iter();
        if !replies.any(|reply| reply["id"] == number) {
            let mut heard = self.heard.iter();
            let is_open = heard.any(|heard| heard.number == number && !heard.is_answered);
            let was_open = is_open && self.server.is_some();
            let cancelled = &mut self.history.cancelled;
            cancelled.entry(number).or_insert(was_open);
        }
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}});
        self.bench.client.say(&cancel).await;
    }

    async fn answer(&mut self, index: usize, text: impl FnOnce(&Value) -> String) {
        let at = index % self.heard.len().max(1);
        if let Some(heard) = self.heard.get_mut(at) {
            heard.is_answered = true;
            let text = text(&heard.id);
            self.server_says(text).await;
        }
    }

    async fn progress(&mut self, index: usize) {
        if let Some(heard) = self.heard.get(index % self.heard.len().max(1)) {
            let note = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": heard.id, "progress": 1}});
            self.server_says(note.to_string()).await;
        }
    }

    /// The server ends, perhaps in the middle of an answer.
    async fn die(&mut self, answering: Option<usize>) {
        let at = answering.map(|index| index % self.heard.len().max(1));
        let heard = at.and_then(|at| self.heard.get(at));
        if let (Some(mut server), Some(heard)) = (self.server.take(), heard) {
            let part = format!(r#"{{"jsonrpc":"2.0","id":{},"res"#, heard.id);
            server.mumble(part.as_bytes()).await;
        }
        self.heard.clear();
    }

    async fn server_says(&mut self, line: String) {
        if let Some(server) = &mut self.server {
            server.say_raw(line.as_bytes()).await;
        }
    }
}

fn bench(way: Way, flaw: Option<Flaw>) -> Bench {
    let file = "upstreams: {shop: {command: [x], tools: {look: {idempotent: true}}}}";
    let mut file = File::parse(file, "my.yaml").expect("a good file");
    let config = file.upstreams.remove(0);
    match way {
        Way::Plain => Bench::planted(flaw, |_| {}),
        Way::Judged => Bench::judged(flaw, |upstream| {
            upstream.tools = config.tools;
            upstream.breaker = None;
        }),
    }
}

/// A good answer to whatever it was.
fn done(id: &Value) -> String {
    let tools = json!([{"name": "pay", "inputSchema": {}}, {"name": "look", "inputSchema": {}}]);
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": [], "tools": tools}}).to_string()
}

/// What a server may say instead. Some of it asks to be asked again.
fn failures(id: &Value) -> [Value; 6] {
    let error = |code: i64, message: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let result = |text: &str| json!({"jsonrpc": "2.0", "id": id, "result": {"isError": true, "content": [{"type": "text", "text": text}]}});
    [
        error(0, "no"),
        error(-32603, "Internal error: connection reset by peer"),
        error(-32000, "Service temporarily unavailable, retry later"),
        result("503 Service Unavailable. Retry-After: 1"),
        result("429 Too Many Requests: retry after 2 seconds"),
        result("No such order"),
    ]
}

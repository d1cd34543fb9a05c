//! The clients: over HTTP of both eras, and over stdio.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use testing::corpus::Random;
use testing::http;
use testing::wire::Wire;

use super::SoakResults;
use super::answer;
use super::moves::{self, ServerKind, SoakMove};
use super::servers::SoakPlaces;

/// How a client reaches a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientFront {
    /// A session of `serve`, and a path.
    Legacy(&'static str, ServerKind),
    /// `serve` without a session, and a path.
    Modern(&'static str, ServerKind),
    /// `breakfall run`.
    Run,
}

impl ClientFront {
    /// The hundred clients, ten of each.
    pub(super) fn of(number: usize) -> Self {
        match number % 10 {
            0 => Self::Run,
            1 | 2 => Self::Legacy("/mcp/lines", ServerKind::OwnProcess),
            3 => Self::Legacy("/mcp/legacy", ServerKind::Http),
            4 => Self::Legacy("/mcp/modern", ServerKind::Http),
            5 | 6 => Self::Modern("/mcp/lines", ServerKind::SharedProcess),
            7 => Self::Modern("/mcp/legacy", ServerKind::Http),
            _ => Self::Modern("/mcp/modern", ServerKind::Http),
        }
    }

    fn kind(self) -> ServerKind {
        match self {
            Self::Legacy(_, kind) | Self::Modern(_, kind) => kind,
            Self::Run => ServerKind::OwnProcess,
        }
    }
}

/// An open session.
enum SoakSession {
    Http(http::Client),
    Wire(Box<Wire>),
}

pub(super) struct SoakClient<'a> {
    number: usize,
    front: ClientFront,
    seed: u64,
    random: Random,
    places: &'a SoakPlaces,
    session: Option<SoakSession>,
    made: u64,
    /// Calls in the current session.
    of_session: u64,
    results: SoakResults,
}

impl<'a> SoakClient<'a> {
    pub(super) fn new(seed: u64, number: usize, places: &'a SoakPlaces) -> Self {
        Self {
            number,
            front: ClientFront::of(number),
            seed,
            random: Random::stream(seed, number),
            places,
            session: None,
            made: 0,
            of_session: 0,
            results: SoakResults::default(),
        }
    }

    /// How many requests it has made.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// One request, and the look at its answer.
    pub(super) fn step(&mut self) {
        self.made += 1;
        self.of_session += 1;
        let name = format!("{:x}-{}-{}", self.seed, self.number, self.made);
        let made = moves::draw(&mut self.random, self.front.kind(), &name);
        let is_renewed = made.ends_session || self.of_session > CALLS_PER_SESSION;
        let (answer, took) = self.ask(&made);
        let described = || {
            format!(
                "client {} ({:?}), {} {}",
                self.number, self.front, made.method, made.params
            )
        };
        if took > LATEST_ANSWER {
            self.results
                .violations
                .push(format!("after {took:?}: {}", described()));
        }
        match answer.and_then(|answer| {
            let read = answer::read(&made, &answer);
            read.map_err(|why| format!("{why}: {answer:.600}"))
        }) {
            Ok((outcome, word)) => {
                *self.results.outcomes.entry(word).or_default() += 1;
                if let Some(key) = made.key {
                    self.results.told.insert(key, outcome);
                }
            }
            Err(why) => {
                self.results
                    .violations
                    .push(format!("{why}: {}", described()));
            }
        }
        if is_renewed {
            self.leave();
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "deadlines are those of the clock"
    )]
    fn ask(&mut self, made: &SoakMove) -> (Result<Value, String>, Duration) {
        let start = Instant::now();
        let session = self
            .session
            .get_or_insert_with(|| open(self.front, self.places));
        let answer = match session {
            SoakSession::Http(client) => {
                let message = client.message(self.made, made.method, &made.params);
                let response = client.send(&message);
                let mut answers = response.messages();
                answers
                    .retain(|answer| answer["id"] == self.made && answer.get("method").is_none());
                match answers.len() {
                    1 => Ok(answers.remove(0)),
                    many => Err(format!("{many} answers in {}", response.status)),
                }
            }
            SoakSession::Wire(wire) => {
                wire.ask(self.made, made.method, &made.params);
                wire.answer_if_any(self.made)
                    .ok_or_else(|| "no answer".to_owned())
            }
        };
        (answer, start.elapsed())
    }

    /// Ends the session.
    pub(super) fn leave(&mut self) {
        self.of_session = 0;
        match self.session.take() {
            Some(SoakSession::Http(client)) => end_session(&client, self.places),
            Some(SoakSession::Wire(wire)) => {
                let seen = wire.end();
                let mut answers: BTreeMap<String, u64> = BTreeMap::new();
                for message in seen
                    .messages()
                    .filter(|message| message.get("method").is_none())
                {
                    *answers.entry(message["id"].to_string()).or_default() += 1;
                }
                let twice = answers.into_iter().filter(|(_, count)| *count > 1);
                let twice = twice
                    .map(|(id, count)| format!("client {}: {count} answers to {id}", self.number));
                self.results.violations.extend(twice);
                if !seen.status.success() {
                    self.results.violations.push(format!(
                        "client {}: run ended with {}",
                        self.number, seen.status
                    ));
                }
            }
            None => {}
        }
    }

    /// Adds what it found to that of the others.
    pub(super) fn report(self, all: &mut SoakResults) {
        for (word, count) in self.results.outcomes {
            *all.outcomes.entry(word).or_default() += count;
        }
        all.violations.extend(self.results.violations);
        all.told.extend(self.results.told);
    }
}

fn open(front: ClientFront, places: &SoakPlaces) -> SoakSession {
    match front {
        ClientFront::Legacy(path, _) => {
            SoakSession::Http(http::Client::legacy(places.address, path))
        }
        ClientFront::Modern(path, _) => {
            SoakSession::Http(http::Client::modern(places.address, path))
        }
        ClientFront::Run => {
            let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
            let limits = [
                "--timeout",
                TIMEOUT,
                "--max-timeout",
                MAX_TIMEOUT,
                "--restart-delay",
                "10ms",
                "--stuck-after",
                STUCK_AFTER,
            ];
            command
                .arg("run")
                .args(limits)
                .args(["--log", "off", "--"])
                .args(&places.command);
            let mut wire = Wire::start(command.env("XDG_STATE_HOME", &places.state));
            wire.initialize();
            SoakSession::Wire(Box::new(wire))
        }
    }
}

fn end_session(client: &http::Client, places: &SoakPlaces) {
    let Some(session) = &client.session else {
        return;
    };
    let request = http::Request::new("DELETE", &client.path)
        .header("Mcp-Session-Id", session)
        .header("MCP-Protocol-Version", http::LEGACY);
    // A session that has ended already is gone, too.
    let _ended = http::Connection::open(places.address).ask(&request);
}

/// How long a server may take, as options and as settings.
pub(super) const TIMEOUT: &str = "2s";
pub(super) const MAX_TIMEOUT: &str = "4s";
/// How long a server may be silent before it is replaced.
pub(super) const STUCK_AFTER: &str = "1s";
/// Twice `MAX_TIMEOUT` and what a busy machine needs: the start of a process, and its turn among a hundred.
const LATEST_ANSWER: Duration = Duration::from_secs(15);
const CALLS_PER_SESSION: u64 = 25;

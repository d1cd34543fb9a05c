//! Random interleavings of requests, answers, failures, cancellations, duplicates, stray output and exits, against a
//! model: exactly one reply to every request that was not cancelled, at most one to those that were, and none to
//! anything else. A call that is not known to be repeatable is carried out at most once, any other no more often than
//! the retry budget allows. Everything runs over the wire alone and through the whole pipeline.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::model_steps::{Way, play};
use super::*;

/// Something one of the three does.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// The client asks.
    Ask { what: What, wants_progress: bool },
    /// The client cancels one of its requests, answered or not.
    Cancel(usize),
    /// The server answers one of the requests it has heard, answered or not.
    Answer(usize),
    /// The server answers with one of several failures.
    Fail(usize, usize),
    /// The server answers an unknown id.
    Stray,
    /// The server reports progress on a request it has heard.
    Progress(usize),
    /// The server writes a line that is not a message.
    Noise,
    /// The server says what cannot be read, under the id of a request it has heard.
    Nonsense(usize),
    /// The server asks the client.
    AskBack,
    /// The server ends. What it has heard it has carried out.
    Die,
    /// The server ends in the middle of an answer.
    DieAnswering(usize),
    /// Nothing happens for this many milliseconds.
    Wait(u64),
}

/// What a client asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A call that must not be made twice.
    Pay,
    /// A call that may be.
    Look,
    /// What only reads.
    List,
    /// A method that is not known.
    Other,
}

impl What {
    fn is_call(self) -> bool {
        matches!(self, Self::Pay | Self::Look)
    }
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<usize>;
    let what = prop_oneof![
        4 => Just(What::Pay),
        4 => Just(What::Look),
        1 => Just(What::List),
        1 => Just(What::Other),
    ];
    let ask = (what, any::<bool>()).prop_map(|(what, wants_progress)| Step::Ask {
        what,
        wants_progress,
    });
    prop_oneof![
        8 => ask,
        2 => index().prop_map(Step::Cancel),
        4 => index().prop_map(Step::Answer),
        4 => (index(), index()).prop_map(|(which, how)| Step::Fail(which, how)),
        1 => Just(Step::Stray),
        1 => index().prop_map(Step::Progress),
        1 => Just(Step::Noise),
        1 => index().prop_map(Step::Nonsense),
        1 => Just(Step::AskBack),
        2 => Just(Step::Die),
        1 => index().prop_map(Step::DieAnswering),
        2 => (0..15_000_u64).prop_map(Step::Wait),
    ]
}

/// What was seen from outside.
#[derive(Debug, Default)]
pub(super) struct History {
    /// By request: what it asked for.
    pub(super) asked: Vec<What>,
    /// By request: how often a server has heard it.
    pub(super) heard: BTreeMap<usize, usize>,
    /// By request: when it was cancelled, whether the server that had heard it was alive and had not answered.
    pub(super) cancelled: BTreeMap<usize, bool>,
    /// What the client got.
    pub(super) replies: Vec<Value>,
    /// The requests the servers were told to give up, by the client's number.
    pub(super) given_up: Vec<usize>,
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
    CarriedOut {
        request: usize,
        times: usize,
    },
    /// All calls together.
    TooOften(usize),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl History {
    fn judge(&self, way: Way) -> Result<(), Broken> {
        self.is_answered_once()?;
        self.is_given_up()?;
        self.is_not_done_twice(way)
    }

    fn is_answered_once(&self) -> Result<(), Broken> {
        let mut got = BTreeMap::new();
        for reply in &self.replies {
            let is_one = reply.get("result").is_some() != reply.get("error").is_some();
            if reply["jsonrpc"] != "2.0" || !is_one {
                return Err(Broken::Malformed(reply.clone()));
            }
            let id = reply["id"].as_u64().and_then(|id| usize::try_from(id).ok());
            match id.filter(|id| *id < self.asked.len()) {
                Some(id) => *got.entry(id).or_insert(0) += 1,
                None => return Err(Broken::NotAsked(reply.clone())),
            }
        }
        for request in 0..self.asked.len() {
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
        Ok(())
    }

    fn is_given_up(&self) -> Result<(), Broken> {
        let heard = |request: &usize| self.given_up.contains(request);
        let lost = self
            .cancelled
            .iter()
            .find(|(request, was_open)| **was_open && !heard(request));
        lost.map_or(Ok(()), |(request, _)| Err(Broken::CancelLost(*request)))
    }

    fn is_not_done_twice(&self, way: Way) -> Result<(), Broken> {
        for (&request, &times) in &self.heard {
            let most = match (way, self.asked[request]) {
                (Way::Judged, What::Look | What::List) => ATTEMPTS,
                (Way::Judged, What::Pay | What::Other) | (Way::Plain, _) => 1,
            };
            if times > most {
                return Err(Broken::CarriedOut { request, times });
            }
        }
        let calls = || self.asked.iter().filter(|what| what.is_call()).count();
        let heard = self.heard.iter();
        let heard: usize = heard
            .filter(|(request, _)| self.asked[**request].is_call())
            .map(|(_, times)| times)
            .sum();
        // Ten at once, and one more for every ten calls or seconds.
        let budget = 10 + calls() / 10 + 15 * STEPS / 10;
        if heard > calls() + budget {
            return Err(Broken::TooOften(heard));
        }
        Ok(())
    }

    fn is_repeated(&self) -> bool {
        self.heard.values().any(|heard| *heard > 1)
    }
}

/// How often something harmless is tried, by default.
const ATTEMPTS: usize = 3;
const STEPS: usize = 60;

/// Plays very many games, and says what the first broken one broke; else how many saw something made again.
fn explore(way: Way, flaw: Option<Flaw>) -> Result<usize, String> {
    let config = Config {
        cases: 400,
        // A flaw that was planted need not be made small.
        max_shrink_iters: if flaw.is_some() { 0 } else { 1000 },
        rng_seed: RngSeed::Fixed(20_260_728),
        failure_persistence: None,
        ..Config::default()
    };
    let repeated = Cell::new(0);
    let steps = prop::collection::vec(step(), 1..STEPS);
    let checked = TestRunner::new(config).run(&steps, |steps| {
        let history = play(steps, way, flaw);
        repeated.set(repeated.get() + usize::from(history.is_repeated()));
        let judged = history.judge(way);
        judged.map_err(|broken| TestCaseError::fail(broken.to_string()))
    });
    checked.map_err(|error| error.to_string())?;
    Ok(repeated.get())
}

#[test]
fn every_interleaving_gives_exactly_one_reply() {
    assert_eq!(explore(Way::Plain, None), Ok(0));
}

#[test]
fn no_schedule_of_deaths_and_failures_carries_a_call_out_twice() {
    let repeated = explore(Way::Judged, None).unwrap_or_else(|broken| panic!("{broken}"));
    assert!(
        repeated > 20,
        "what is harmless was made again in {repeated} games only"
    );
}

#[test]
fn a_gateway_with_a_defect_does_not_pass() {
    for way in [Way::Plain, Way::Judged] {
        for (flaw, broken) in [
            (Flaw::AnswersTwice, "got: 2"),
            (Flaw::LosesAnswers, "got: 0"),
            (Flaw::LosesCancellations, "CancelLost"),
            (Flaw::SendsTwice, "CarriedOut"),
        ] {
            let found = explore(way, Some(flaw)).err().unwrap_or_default();
            assert!(found.contains(broken), "{way:?}, {flaw:?}: {found:.500}");
        }
    }
}

/// A history in which something happened that would tell a broken relay from a good one.
fn rich() -> History {
    let first = || 0;
    let ask = || Step::Ask {
        what: What::Pay,
        wants_progress: false,
    };
    let steps = vec![
        ask(),
        Step::Cancel(first()),
        ask(),
        Step::Wait(1000),
        Step::Die,
        ask(),
        Step::Answer(first()),
    ];
    play(steps, Way::Plain, None)
}

fn broken(change: impl FnOnce(&mut History)) -> Broken {
    let mut history = rich();
    change(&mut history);
    history.judge(Way::Plain).expect_err("it is noticed")
}

#[test]
fn whatever_is_wrong_with_a_history_is_noticed() {
    assert_eq!(rich().judge(Way::Plain), Ok(()));
    let found = broken(|history| history.replies.push(history.replies[0].clone()));
    assert!(matches!(found, Broken::Replies { got: 2, .. }), "{found}");
    let found = broken(|history| drop(history.replies.remove(0)));
    assert!(matches!(found, Broken::Replies { got: 0, .. }), "{found}");
    let found = broken(|history| {
        assert!(!history.given_up.is_empty(), "the cancellation got there");
        history.given_up.clear();
    });
    assert!(matches!(found, Broken::CancelLost(_)), "{found}");
    let found = broken(|history| history.replies[0]["id"] = json!("x"));
    assert!(matches!(found, Broken::NotAsked(_)), "{found}");
    let found = broken(|history| _ = history.heard.insert(1, 2));
    assert!(matches!(found, Broken::CarriedOut { .. }), "{found}");

    // Each within its bounds, and all together beyond theirs.
    let request = |number: usize| json!({"jsonrpc": "2.0", "id": number, "result": {}});
    let many = History {
        asked: vec![What::Look; 200],
        heard: (0..200).map(|number| (number, ATTEMPTS)).collect(),
        replies: (0..200).map(request).collect(),
        ..History::default()
    };
    assert_eq!(many.judge(Way::Judged), Err(Broken::TooOften(600)));
}

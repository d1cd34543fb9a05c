//! A breaker against a model of it that remembers everything and counts from the start each time.

use std::time::Duration;

use breakfall::catalog::CODES;
use breakfall::{Category, Fault, Origin, Timestamp};
use breakfall_gateway::resilience::breaker::{
    Admission, Breaker, BreakerPolicy, BreakerState, Health, TrialPermit,
};
use breakfall_gateway::resilience::breakers::Breakers;
use proptest::prelude::*;
use serde_json::json;
use tokio::time::Instant;

use super::{millis, runner};

/// Something that happens to a breaker.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// A call asks for admission.
    Admit,
    /// One of the calls that are under way is over.
    Settle(usize, Health),
    /// One of them is given up.
    Drop(usize),
    /// Time passes.
    Wait(u64),
    /// An operator closes it.
    Reset,
    /// An operator opens it.
    Trip,
}

fn step() -> impl Strategy<Value = Step> {
    let health = prop_oneof![
        3 => Just(Health::Works),
        4 => Just(Health::Fails),
        3 => Just(Health::Answers),
        1 => Just(Health::Unsaid),
    ];
    prop_oneof![
        10 => Just(Step::Admit),
        10 => (any::<usize>(), health).prop_map(|(at, health)| Step::Settle(at, health)),
        1 => any::<usize>().prop_map(Step::Drop),
        4 => (0..400_u64).prop_map(Step::Wait),
        1 => (900..1500_u64).prop_map(Step::Wait),
        1 => prop::sample::select(vec![Step::Reset, Step::Trip]),
    ]
}

fn policy() -> impl Strategy<Value = BreakerPolicy> {
    let rate = prop::sample::select(vec![0.01, 0.3, 0.5, 1.0]);
    (rate, 1..8_u32, 1..4_u32).prop_map(|(rate, minimum, probes)| {
        let mut policy = BreakerPolicy::default();
        policy.rate = rate;
        policy.minimum = minimum;
        policy.probes = probes;
        policy.window = WINDOW;
        policy.open = OPEN;
        policy
    })
}

const WINDOW: Duration = millis(1000);
const OPEN: Duration = millis(1000);

/// A call that was admitted.
struct Call {
    permit: TrialPermit,
    /// In which of its phases the breaker was.
    phase: usize,
}

/// The model: what has happened in this phase.
struct Game {
    policy: BreakerPolicy,
    breaker: Breaker,
    now: Instant,
    calls: Vec<Call>,
    phase: usize,
    since: Instant,
    /// When calls worked and when they failed.
    worked: Vec<Duration>,
    failed: Vec<Duration>,
    /// How many calls have said neither.
    answered: usize,
    /// When trials began.
    trials: Vec<Instant>,
    running: u32,
    opened: usize,
}

impl Game {
    fn new(policy: BreakerPolicy) -> Self {
        let now = Instant::now();
        Self {
            policy,
            breaker: Breaker::new(policy, now),
            now,
            calls: Vec::new(),
            phase: 0,
            since: now,
            worked: Vec::new(),
            failed: Vec::new(),
            answered: 0,
            trials: Vec::new(),
            running: 0,
            opened: 0,
        }
    }

    /// Does a step, and says what is wrong with what came of it.
    fn play(&mut self, step: Step) -> Result<(), String> {
        let before = self.breaker.state();
        let expected = match step {
            Step::Admit => self.admit()?,
            Step::Settle(at, health) => self.settle(at, health),
            Step::Drop(at) => self.settle(at, Health::Unsaid),
            Step::Wait(wait) => {
                self.now += millis(wait);
                before
            }
            Step::Reset => {
                self.breaker.reset(self.now);
                self.enter();
                BreakerState::Closed
            }
            Step::Trip => {
                self.breaker.trip(self.now);
                self.enter();
                BreakerState::Open
            }
        };
        let after = self.breaker.state();
        legal(before, step, after)?;
        if after == expected {
            Ok(())
        } else {
            Err(format!(
                "{before:?} {step:?} {after:?}, and not {expected:?}"
            ))
        }
    }

    fn enter(&mut self) {
        self.phase += 1;
        self.since = self.now;
        self.worked.clear();
        self.failed.clear();
        self.answered = 0;
        self.trials.clear();
        self.running = 0;
    }

    fn admit(&mut self) -> Result<BreakerState, String> {
        let mut state = self.breaker.state();
        let rest = OPEN.saturating_sub(self.now - self.since);
        if state == BreakerState::Open && rest.is_zero() {
            self.enter();
            state = BreakerState::HalfOpen;
        }
        let may = match state {
            BreakerState::Closed => true,
            BreakerState::Open => false,
            BreakerState::HalfOpen => {
                let worked = u32::try_from(self.worked.len()).unwrap();
                let is_stuck = |latest: &Instant| self.now - *latest >= OPEN;
                self.running + worked < self.policy.probes
                    || self.trials.last().is_none_or(is_stuck)
            }
        };
        match (self.breaker.admit(self.now), may) {
            (Admission::Pass(permit), true) => {
                let phase = self.phase;
                self.calls.push(Call { permit, phase });
                self.running += 1;
                self.trials.push(self.now);
                Ok(state)
            }
            (Admission::Open { retry_after }, false) => {
                let is_exact = state == BreakerState::HalfOpen || retry_after == rest;
                if is_exact && !retry_after.is_zero() && retry_after <= OPEN {
                    Ok(state)
                } else {
                    Err(format!("come back in {retry_after:?}, and not {rest:?}"))
                }
            }
            (admission, _) => Err(format!("{state:?} gave {admission:?}")),
        }
    }

    fn settle(&mut self, at: usize, health: Health) -> BreakerState {
        let before = self.breaker.state();
        if self.calls.is_empty() {
            return before;
        }
        let Call { permit, phase } = self.calls.swap_remove(at % self.calls.len());
        match health {
            Health::Unsaid => self.breaker.release(permit),
            Health::Works | Health::Fails | Health::Answers => {
                self.breaker.settle(permit, health, self.now);
            }
        }
        if phase != self.phase {
            return before;
        }
        self.running -= 1;
        let at = self.now - self.since;
        match health {
            Health::Works => self.worked.push(at),
            Health::Fails => self.failed.push(at),
            Health::Answers => self.answered += 1,
            Health::Unsaid => return before,
        }
        let after = self.expected(before, health);
        if after != before {
            self.enter();
            self.opened += usize::from(after == BreakerState::Open);
        }
        after
    }

    fn expected(&self, before: BreakerState, health: Health) -> BreakerState {
        match (before, health) {
            (BreakerState::Closed, Health::Fails) if self.is_too_much() => BreakerState::Open,
            (BreakerState::HalfOpen, Health::Fails) => BreakerState::Open,
            (BreakerState::HalfOpen, Health::Works)
                if self.worked.len() >= self.policy.probes as usize =>
            {
                BreakerState::Closed
            }
            (BreakerState::HalfOpen, Health::Works | Health::Answers)
                if self.worked.len() + self.answered
                    >= self.policy.minimum.max(self.policy.probes) as usize =>
            {
                BreakerState::Closed
            }
            _ => before,
        }
    }

    /// Counts everything that is younger than the window, to a tenth of it.
    fn is_too_much(&self) -> bool {
        let piece = |at: &Duration| at.as_millis() / (WINDOW.as_millis() / 10);
        let newest = piece(&(self.now - self.since));
        let count = |all: &[Duration]| all.iter().filter(|at| piece(at) + 10 > newest).count();
        let (worked, failed) = (count(&self.worked), count(&self.failed));
        let all = f64::from(u32::try_from(worked + failed).unwrap());
        let failed = f64::from(u32::try_from(failed).unwrap());
        all >= f64::from(self.policy.minimum) && failed / all >= self.policy.rate
    }
}

/// The ways there are, by what leads to them.
fn legal(before: BreakerState, step: Step, after: BreakerState) -> Result<(), String> {
    let is_legal = match (before, after) {
        (BreakerState::Closed | BreakerState::HalfOpen, BreakerState::Open) => {
            matches!(step, Step::Settle(_, Health::Fails) | Step::Trip)
        }
        (BreakerState::Open, BreakerState::HalfOpen) => matches!(step, Step::Admit),
        (BreakerState::HalfOpen, BreakerState::Closed) => {
            matches!(
                step,
                Step::Settle(_, Health::Works | Health::Answers) | Step::Reset
            )
        }
        (BreakerState::Open, BreakerState::Closed) => matches!(step, Step::Reset),
        (BreakerState::Closed, BreakerState::HalfOpen) => false,
        (BreakerState::Closed, BreakerState::Closed)
        | (BreakerState::Open, BreakerState::Open)
        | (BreakerState::HalfOpen, BreakerState::HalfOpen) => true,
    };
    let told = || format!("{before:?} became {after:?} by {step:?}");
    is_legal.then_some(()).ok_or_else(told)
}

#[test]
fn only_legal_transitions_happen_and_only_when_they_should() {
    let opened = std::cell::Cell::new(0);
    let games = (policy(), prop::collection::vec(step(), 1..200));
    runner(2000)
        .run(&games, |(policy, steps)| {
            let mut game = Game::new(policy);
            for step in steps {
                game.play(step).map_err(TestCaseError::fail)?;
            }
            opened.set(opened.get() + game.opened);
            Ok(())
        })
        .unwrap();
    assert!(opened.get() > 1000, "it opened {} times only", opened.get());
}

#[test]
fn what_is_not_legal_would_be_noticed() {
    let fails = Step::Settle(0, Health::Fails);
    let works = Step::Settle(0, Health::Works);
    for (before, step, after) in [
        (BreakerState::Closed, Step::Admit, BreakerState::Open),
        (BreakerState::Closed, works, BreakerState::Open),
        (
            BreakerState::Closed,
            Step::Settle(0, Health::Unsaid),
            BreakerState::Open,
        ),
        (
            BreakerState::Closed,
            Step::Settle(0, Health::Answers),
            BreakerState::Open,
        ),
        (
            BreakerState::HalfOpen,
            Step::Settle(0, Health::Answers),
            BreakerState::Open,
        ),
        (BreakerState::Closed, fails, BreakerState::HalfOpen),
        (BreakerState::Open, Step::Admit, BreakerState::Closed),
        (BreakerState::Open, works, BreakerState::Closed),
        (BreakerState::Open, Step::Wait(9999), BreakerState::HalfOpen),
        (BreakerState::HalfOpen, Step::Drop(0), BreakerState::Closed),
        (BreakerState::HalfOpen, Step::Drop(0), BreakerState::Open),
        (BreakerState::HalfOpen, fails, BreakerState::Closed),
    ] {
        assert!(legal(before, step, after).is_err(), "{before:?} {step:?}");
    }
}

/// A fault of every row of some categories, from whom it usually comes.
fn faults(is_one: impl Fn(Category) -> bool) -> Vec<Fault> {
    let rows = CODES.iter();
    rows.filter(|code| is_one(code.category()))
        .map(|code| Fault::new(*code))
        .collect()
}

fn is_below(category: Category) -> bool {
    matches!(category, Category::Unavailable | Category::Internal)
}

#[test]
fn a_storm_of_errors_of_the_domain_never_opens_it() {
    let storm: Vec<Health> = faults(|category| !is_below(category))
        .iter()
        .map(|fault| Health::of(fault.public()))
        .collect();
    assert!(storm.len() > 30);
    let gusts = prop::collection::vec((prop::sample::select(storm), 0..100_u64), 1..300);
    runner(500)
        .run(&(policy(), gusts), |(policy, gusts)| {
            let mut now = Instant::now();
            let mut breaker = Breaker::new(policy, now);
            for (health, wait) in gusts {
                now += millis(wait);
                let Admission::Pass(permit) = breaker.admit(now) else {
                    return Err(TestCaseError::fail("refused"));
                };
                breaker.settle(permit, health, now);
                prop_assert_eq!(breaker.state(), BreakerState::Closed);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_is_below_a_tool_counts_and_what_it_says_does_not() {
    for fault in faults(|_| true) {
        let public = fault.public();
        let health = Health::of(public);
        let is_outage = is_below(public.category())
            && public.origin() != Origin::Gateway
            && (public.category() == Category::Unavailable
                || public.code().entry().retry.is_retryable());
        assert_eq!(
            health == Health::Fails,
            is_outage,
            "{}",
            public.code().name()
        );
    }
    // Whether this one call may be repeated says nothing about the server.
    let lost = Fault::unavailable("shop").retry(breakfall::Retry::Never);
    assert_eq!(Health::of(lost.public()), Health::Fails);
    // What we refuse ourselves was never there.
    let ours = Fault::circuit_open("shop");
    assert_eq!(Health::of(ours.public()), Health::Unsaid);
}

#[test]
fn a_call_that_began_before_it_opened_neither_closes_nor_opens_it() {
    let mut now = Instant::now();
    let mut policy = BreakerPolicy::default();
    policy.minimum = 1;
    let mut breaker = Breaker::new(policy, now);
    let admit = |breaker: &mut Breaker, now| match breaker.admit(now) {
        Admission::Pass(permit) => permit,
        Admission::Open { .. } => panic!("it is open"),
    };
    let late = [(); 3].map(|()| admit(&mut breaker, now));
    let first = admit(&mut breaker, now);
    breaker.settle(first, Health::Fails, now);
    now += policy.open;
    let trial = admit(&mut breaker, now);
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    for permit in late {
        breaker.settle(permit, Health::Fails, now);
        assert_eq!(breaker.state(), BreakerState::HalfOpen);
    }
    breaker.settle(trial, Health::Works, now);
    let trial = admit(&mut breaker, now);
    breaker.settle(trial, Health::Works, now);
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[test]
fn a_trial_that_is_given_up_makes_room_for_another() {
    let (mut now, policy) = (Instant::now(), BreakerPolicy::default());
    let breakers = Breakers::new("shop");
    assert!(breakers.trip("search", &policy, now));
    now += policy.open;
    let trials = [(); 2].map(|()| breakers.admit("search", Some(&policy), now));
    assert!(trials.iter().all(Result::is_ok));
    let refused = breakers.admit("search", Some(&policy), now).unwrap_err();
    assert_eq!(refused.retry_after, Duration::from_secs(1));
    drop(trials);
    for _ in 0..policy.probes {
        let trial = breakers.admit("search", Some(&policy), now).unwrap();
        trial.settle(Health::Works, now);
    }
    let statuses = breakers.statuses(now);
    assert_eq!(statuses[0].1.state, BreakerState::Closed);
}

#[test]
fn trials_that_are_only_answered_close_it_in_the_end_and_those_given_up_do_not() {
    let (mut now, policy) = (Instant::now(), BreakerPolicy::default());
    let breakers = Breakers::new("shop");
    breakers.trip("search", &policy, now);
    now += policy.open;
    let trial = || breakers.admit("search", Some(&policy), now).unwrap();
    let state = || breakers.statuses(now)[0].1.state;
    for _ in 0..100 {
        drop(trial());
        trial().settle(Health::Unsaid, now);
    }
    trial().settle(Health::Works, now);
    for _ in 2..policy.minimum {
        trial().settle(Health::Answers, now);
        assert_eq!(state(), BreakerState::HalfOpen);
    }
    trial().settle(Health::Answers, now);
    assert_eq!(state(), BreakerState::Closed);
    for _ in 0..policy.minimum {
        assert_eq!(
            state(),
            BreakerState::Closed,
            "what was before is forgotten"
        );
        trial().settle(Health::Fails, now);
    }
    assert_eq!(state(), BreakerState::Open);
}

#[test]
fn trials_that_never_end_do_not_keep_it_half_open_for_ever() {
    let (mut now, policy) = (Instant::now(), BreakerPolicy::default());
    let breakers = Breakers::new("shop");
    breakers.trip("search", &policy, now);
    now += policy.open;
    let _stuck = [(); 2].map(|()| breakers.admit("search", Some(&policy), now).unwrap());
    now += policy.open.saturating_sub(millis(1));
    assert!(breakers.admit("search", Some(&policy), now).is_err());
    now += millis(1);
    assert!(breakers.admit("search", Some(&policy), now).is_ok());
}

#[test]
fn one_tool_takes_no_other_with_it_and_a_hand_can_reset_it() {
    let (now, policy) = (Instant::now(), BreakerPolicy::default());
    let breakers = Breakers::new("shop");
    for _ in 0..policy.minimum {
        let pass = breakers.admit("search", Some(&policy), now).unwrap();
        pass.settle(Health::Fails, now);
        let pass = breakers.admit("list", Some(&policy), now).unwrap();
        pass.settle(Health::Works, now);
    }
    assert!(breakers.admit("search", Some(&policy), now).is_err());
    assert!(breakers.admit("list", Some(&policy), now).is_ok());
    assert!(breakers.admit("search", None, now).is_ok(), "it is off");
    assert!(breakers.reset("search", now));
    assert!(!breakers.reset("nothing", now));
    assert!(breakers.admit("search", Some(&policy), now).is_ok());
}

#[test]
fn an_open_one_says_when_to_come_back_and_what_else_to_use() {
    let (mut now, policy) = (Instant::now(), BreakerPolicy::default());
    let breakers = Breakers::new("shop");
    let pass = breakers.admit("search", Some(&policy), now).unwrap();
    pass.settle(Health::Works, now);
    now += Duration::from_secs(10);
    for _ in 0..9 {
        let pass = breakers.admit("search", Some(&policy), now).unwrap();
        pass.settle(Health::Fails, now);
    }
    now += Duration::from_secs(12);
    let refused = breakers.admit("search", Some(&policy), now).unwrap_err();
    let fault = refused.fault("search", Some("search_cached"));
    let public = fault.public();
    assert_eq!(public.code(), breakfall::codes::UNAVAILABLE_CIRCUIT_OPEN);
    assert_eq!(public.retry_after(), Some(Duration::from_secs(18)));
    assert_eq!(public.fallback_tool(), Some("search_cached"));
    assert_eq!(public.hint(), breakfall::Hint::TryAlternative);
    assert_eq!(public.details().get("failure_rate"), Some(&json!(0.9)));
    assert_eq!(public.details().text("circuit_state"), Some("open"));
    assert_eq!(public.details().text("executed"), Some("no"));

    let at: Timestamp = "2026-07-28T12:00:00Z".parse().unwrap();
    assert_eq!(
        refused.status.to_value("shop", "search", None, at),
        json!({
            "service": "shop",
            "tool": "search",
            "circuit_state": "open",
            "failure_rate": 0.9,
            "last_success": "2026-07-28T11:59:38Z",
            "recommendation": "Do something else first, and call it again in 18 seconds.",
            "fallback_tool": null,
            "expected_recovery": "2026-07-28T12:00:18Z",
        })
    );
    let gauges = [
        BreakerState::Closed,
        BreakerState::Open,
        BreakerState::HalfOpen,
    ]
    .map(BreakerState::gauge);
    assert_eq!(gauges, [0, 1, 2]);
}

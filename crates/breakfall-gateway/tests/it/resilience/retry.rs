//! Retries: never of what may have run, never more than the budget has.

use std::sync::Arc;
use std::time::Duration;

use breakfall::catalog::CODES;
use breakfall::{Category, Fault, Public, Retry, Timestamp, codes};
use breakfall_gateway::classify::ExecutionEvidence;
use breakfall_gateway::config::HintTrust;
use breakfall_gateway::resilience::budget::Budget;
use breakfall_gateway::resilience::retry::{
    FailedAttempt, GiveUpReason, RetryDecision, RetryPolicy, decide, is_repeatable,
};
use proptest::prelude::*;
use tokio::time::Instant;

use super::{millis, runner};

/// An attempt that failed, with all of it its own.
#[derive(Debug, Clone)]
struct Failed {
    made: u32,
    fault: Arc<Fault>,
    evidence: ExecutionEvidence,
    is_repeatable: bool,
    has_input_responses: bool,
    left: Duration,
}

impl Failed {
    fn attempt(&self) -> FailedAttempt<'_> {
        FailedAttempt {
            made: self.made,
            fault: self.fault.public(),
            evidence: self.evidence,
            is_repeatable: self.is_repeatable,
            has_input_responses: self.has_input_responses,
            left: self.left,
            at: Timestamp::UNIX_EPOCH,
        }
    }
}

/// A fault of any row, that may say anything about when to come back.
fn fault() -> impl Strategy<Value = Fault> {
    let hopeful = CODES
        .iter()
        .copied()
        .filter(|code| is_hopeful(code.category()));
    let code = prop_oneof![
        1 => prop::sample::select(CODES.to_vec()),
        2 => prop::sample::select(hopeful.collect::<Vec<_>>()),
    ];
    let wait = prop::option::weighted(0.3, 1..30_000_u64);
    let resets = prop::option::weighted(0.1, 1..60_i64);
    let retry = prop::option::weighted(0.2, prop::sample::select(Retry::ALL.to_vec()));
    (code, wait, resets, retry).prop_map(|(code, wait, resets, retry)| {
        let mut fault = Fault::new(code);
        if let Some(wait) = wait {
            fault = fault.retry_after(millis(wait));
        }
        if let Some(seconds) = resets {
            fault = fault.resets_at(Timestamp::from_second(seconds).unwrap());
        }
        match retry {
            Some(retry) => fault.retry(retry),
            None => fault,
        }
    })
}

fn evidence() -> impl Strategy<Value = ExecutionEvidence> {
    let unsent = Just(ExecutionEvidence::Unsent);
    prop_oneof![
        unsent,
        prop::sample::select(ExecutionEvidence::ALL.to_vec())
    ]
}

fn failed() -> impl Strategy<Value = Failed> {
    let known = (any::<bool>(), any::<bool>());
    (1..5_u32, fault(), evidence(), known, 0..40_000_u64).prop_map(
        |(made, fault, evidence, (is_repeatable, has_input_responses), left)| Failed {
            made,
            fault: fault.into(),
            evidence,
            is_repeatable,
            has_input_responses,
            left: millis(left),
        },
    )
}

fn policy() -> impl Strategy<Value = RetryPolicy> {
    (1..5_u32, 1..2000_u64, 1..5000_u64, 1..20_000_u64).prop_map(
        |(attempts, base, cap, max_wait)| {
            let mut policy = RetryPolicy::default();
            policy.attempts = attempts;
            policy.base = millis(base);
            policy.cap = millis(base.max(cap));
            policy.max_wait = millis(max_wait);
            policy
        },
    )
}

/// What is wrong with making a call again.
fn wrong(failed: &Failed, policy: &RetryPolicy, wait: Duration) -> Option<&'static str> {
    let public = failed.fault.public();
    let may_have_run = failed.evidence != ExecutionEvidence::Unsent;
    let is_known = failed.is_repeatable && !failed.has_input_responses;
    let is_hidden = failed.evidence == ExecutionEvidence::Hidden;
    if (may_have_run && !is_known) || is_hidden {
        return Some("it may run twice");
    }
    if !is_hopeful(public.category()) || !public.retry().is_retryable() {
        return Some("it would fail again");
    }
    if public.code().entry().retry == Retry::Never {
        return Some("its row says never");
    }
    let most = if public.retry() == Retry::Once {
        2.min(policy.attempts)
    } else {
        policy.attempts
    };
    if failed.made >= most {
        return Some("it was tried often enough");
    }
    if wait >= failed.left {
        return Some("the caller has no time");
    }
    match asked(public) {
        Some(asked) if wait < asked => Some("it is too early"),
        Some(asked) if asked > policy.max_wait => Some("the caller waits for too long"),
        None if public.category() == Category::RateLimit => {
            let least = Duration::from_secs(1);
            (wait < least).then_some("it is too early")
        }
        None if wait > policy.cap => Some("the pause is too long"),
        Some(_) | None => None,
    }
}

/// Whether there are failures of a category that time heals.
fn is_hopeful(category: Category) -> bool {
    matches!(
        category,
        Category::RateLimit | Category::Unavailable | Category::Internal
    )
}

fn asked(public: &Public) -> Option<Duration> {
    let resets = public.details().text("resets_at");
    let resets = resets.map(|at| at.parse::<Timestamp>().unwrap());
    let resets = resets.map(|at| Duration::from_secs(at.as_second().unsigned_abs()));
    public.retry_after().or(resets)
}

type Decide =
    fn(&FailedAttempt<'_>, Option<&RetryPolicy>, &mut Budget, f64, Instant) -> RetryDecision;

/// Asks very often, and says what is wrong with the first wrong answer; or else how often the answer was yes.
fn explore(decide: Decide) -> Result<u32, String> {
    let now = Instant::now();
    let yes = std::cell::Cell::new(0);
    let asked = runner(10_000).run(
        &(failed(), policy(), 0.0..1.0),
        |(failed, policy, chance)| {
            let mut budget = Budget::new(now);
            let decision = decide(&failed.attempt(), Some(&policy), &mut budget, chance, now);
            if let RetryDecision::After(wait) = decision {
                yes.set(yes.get() + 1);
                if let Some(wrong) = wrong(&failed, &policy, wait) {
                    return Err(TestCaseError::fail(wrong));
                }
            }
            Ok(())
        },
    );
    asked.map(|()| yes.get()).map_err(|error| error.to_string())
}

#[test]
fn nothing_is_made_again_that_may_have_run_and_is_not_known_to_be_repeatable() {
    let yes = explore(decide).unwrap();
    assert!(yes > 400, "it was made again {yes} times only");
}

#[test]
fn a_rule_that_is_forgotten_is_noticed() {
    fn forgetful(
        attempt: &FailedAttempt<'_>,
        policy: Option<&RetryPolicy>,
        budget: &mut Budget,
        now: Instant,
    ) -> RetryDecision {
        decide(attempt, policy, budget, 0.0, now)
    }
    let planted: [(Decide, &str); 4] = [
        (
            |attempt, policy, budget, _, now| {
                let evidence = ExecutionEvidence::Unsent;
                let attempt = FailedAttempt {
                    evidence,
                    ..*attempt
                };
                forgetful(&attempt, policy, budget, now)
            },
            "it may run twice",
        ),
        (
            |attempt, policy, budget, _, now| {
                let attempt = FailedAttempt {
                    made: 1,
                    ..*attempt
                };
                forgetful(&attempt, policy, budget, now)
            },
            "it was tried often enough",
        ),
        (
            |attempt, policy, budget, _, now| {
                let left = Duration::MAX;
                let attempt = FailedAttempt { left, ..*attempt };
                forgetful(&attempt, policy, budget, now)
            },
            "the caller has no time",
        ),
        (
            |attempt, policy, budget, _, now| match forgetful(attempt, policy, budget, now) {
                RetryDecision::After(wait) => RetryDecision::After(wait / 2),
                RetryDecision::GiveUp(reason) => RetryDecision::GiveUp(reason),
            },
            "it is too early",
        ),
    ];
    for (decide, wrong) in planted {
        let found = explore(decide).unwrap_err();
        assert!(found.contains(wrong), "{wrong}: {found:.300}");
    }
}

/// What one attempt comes to: nothing, or a fault and whether it ran.
type Fate = Option<(Arc<Fault>, ExecutionEvidence)>;

#[test]
fn a_call_that_is_not_repeatable_runs_at_most_once_whatever_happens() {
    let fate = prop_oneof![
        1 => Just(None),
        8 => (fault().prop_map(Arc::new), evidence()).prop_map(Some),
    ];
    let fates = prop::collection::vec(fate, 10);
    let retried = std::cell::Cell::new(0);
    let games = (fates, policy(), any::<bool>(), any::<bool>());
    runner(5000)
        .run(&games, |(fates, policy, is_repeatable, has_answers)| {
            let (ran, made) = play(&fates, &policy, is_repeatable, has_answers);
            retried.set(retried.get() + made - 1);
            prop_assert!(made <= policy.attempts);
            if !is_repeatable || has_answers {
                prop_assert!(ran <= 1, "it ran {ran} times");
            }
            Ok(())
        })
        .unwrap();
    assert!(retried.get() > 300, "{} retries only", retried.get());
}

/// How often a call may have run, and how often it was made.
fn play(
    fates: &[Fate],
    policy: &RetryPolicy,
    is_repeatable: bool,
    has_answers: bool,
) -> (u32, u32) {
    let mut now = Instant::now();
    let mut budget = Budget::new(now);
    let (mut ran, mut made, mut left) = (0, 0, Duration::from_mins(5));
    for fate in fates {
        made += 1;
        let Some((fault, evidence)) = fate else {
            return (ran + 1, made);
        };
        ran += u32::from(evidence.may_have_run());
        let failed = Failed {
            made,
            fault: Arc::clone(fault),
            evidence: *evidence,
            is_repeatable,
            has_input_responses: has_answers,
            left,
        };
        match decide(&failed.attempt(), Some(policy), &mut budget, 0.5, now) {
            RetryDecision::After(wait) => {
                now += wait;
                left -= wait;
            }
            RetryDecision::GiveUp(_) => return (ran, made),
        }
    }
    (ran, made)
}

#[test]
fn the_budget_bounds_retries_whatever_the_order() {
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Call,
        Take,
        Wait(u64),
    }
    let step = prop_oneof![
        3 => Just(Step::Call),
        3 => Just(Step::Take),
        1 => (0..3000_u64).prop_map(Step::Wait),
    ];
    runner(2000)
        .run(&prop::collection::vec(step, 1..400), |steps| {
            let begun = Instant::now();
            let mut now = begun;
            let mut budget = Budget::new(now);
            let (mut calls, mut taken) = (0_u32, 0_u32);
            for step in steps {
                match step {
                    Step::Call => {
                        calls += 1;
                        budget.called(now);
                    }
                    Step::Take => taken += u32::from(budget.take(now)),
                    Step::Wait(wait) => now += millis(wait),
                }
                let paid = f64::from(calls) / f64::from(Budget::CALLS_FOR_ONE)
                    + (now - begun).as_secs_f64() / Budget::TIME_FOR_ONE.as_secs_f64();
                let most = f64::from(Budget::MAX_RETRIES) + paid;
                prop_assert!(f64::from(taken) <= most + 1e-9, "{taken} of {most}");
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_server_that_is_down_gets_little_more_than_one_attempt_for_each_call() {
    let now = Instant::now();
    let mut budget = Budget::new(now);
    let fault = Fault::connection("shop");
    let policy = RetryPolicy::default();
    let mut attempts = 0;
    for _ in 0..1000 {
        budget.called(now);
        let mut made = 1;
        loop {
            attempts += 1;
            let attempt = FailedAttempt {
                made,
                fault: fault.public(),
                evidence: ExecutionEvidence::Unsent,
                is_repeatable: false,
                has_input_responses: false,
                left: Duration::MAX,
                at: Timestamp::UNIX_EPOCH,
            };
            match decide(&attempt, Some(&policy), &mut budget, 0.5, now) {
                RetryDecision::After(_) => made += 1,
                RetryDecision::GiveUp(_) => break,
            }
        }
    }
    // One for each, those that were saved up, and a tenth.
    assert!((1100..=1110).contains(&attempts), "{attempts}");
}

#[test]
fn saving_ends_and_nothing_is_lost_in_fractions() {
    let mut now = Instant::now();
    let mut budget = Budget::new(now);
    now += Duration::from_hours(1000);
    let given = (0..50).filter(|_| budget.take(now)).count();
    assert_eq!(given, 10);
    // A look every third of a millisecond, and still a whole one in ten seconds.
    let begun = now;
    let mut looks = 0;
    while !budget.take(now) {
        now += Duration::from_micros(333);
        looks += 1;
        assert!(looks < 40_000, "never");
    }
    let needed = now - begun;
    assert!(needed >= Budget::TIME_FOR_ONE && needed < Budget::TIME_FOR_ONE + millis(2));
}

/// An unanswered call of a harmless tool.
fn lost(fault: Fault) -> Failed {
    Failed {
        made: 1,
        fault: fault.into(),
        evidence: ExecutionEvidence::Lost,
        is_repeatable: true,
        has_input_responses: false,
        left: Duration::from_mins(1),
    }
}

fn ask(failed: &Failed, policy: Option<&RetryPolicy>) -> RetryDecision {
    let now = Instant::now();
    decide(&failed.attempt(), policy, &mut Budget::new(now), 1.0, now)
}

#[test]
fn a_limit_without_an_end_is_not_hammered_at() {
    let limited = lost(Fault::new(codes::RATE_LIMIT_EXCEEDED));
    let mut policy = RetryPolicy::default();
    let RetryDecision::After(wait) = ask(&limited, Some(&policy)) else {
        panic!("{limited:?}");
    };
    assert!(wait >= Duration::from_secs(1), "{wait:?}");
    policy.max_wait = Duration::from_millis(500);
    let decision = ask(&limited, Some(&policy));
    assert_eq!(decision, RetryDecision::GiveUp(GiveUpReason::LongWait));
}

#[test]
fn each_reason_to_give_up_is_told_by_its_name() {
    let shop = || Fault::unavailable("shop");
    let policy = RetryPolicy::default();
    assert_eq!(
        ask(&lost(shop()), None),
        RetryDecision::GiveUp(GiveUpReason::Off)
    );
    let unknown = Failed {
        is_repeatable: false,
        ..lost(shop())
    };
    let answers = Failed {
        has_input_responses: true,
        ..lost(shop())
    };
    let often = Failed {
        made: 3,
        ..lost(shop())
    };
    // A defect is given one more chance, not two.
    let defect = Failed {
        made: 2,
        ..lost(Fault::internal())
    };
    let late = Failed {
        left: millis(100),
        ..lost(shop())
    };
    let missing = Fault::not_found("order", "7").retry_after(millis(5));
    let tls = Fault::new(codes::UNAVAILABLE_TLS).retry_after(millis(5));
    for (failed, reason) in [
        (unknown, GiveUpReason::MayHaveRun),
        (answers, GiveUpReason::MayHaveRun),
        (often, GiveUpReason::Attempts),
        (defect, GiveUpReason::Attempts),
        (late, GiveUpReason::Deadline),
        (
            lost(shop().retry_after(millis(10_001))),
            GiveUpReason::LongWait,
        ),
        (lost(shop().retry(Retry::Never)), GiveUpReason::Useless),
        (lost(Fault::missing_param("id")), GiveUpReason::Useless),
        (lost(missing), GiveUpReason::Useless),
        (lost(tls), GiveUpReason::Useless),
    ] {
        let decision = ask(&failed, Some(&policy));
        assert_eq!(decision, RetryDecision::GiveUp(reason), "{failed:?}");
    }
}

#[test]
fn what_did_not_run_is_made_again_even_with_answers_that_are_good_for_one_time() {
    let policy = RetryPolicy::default();
    let throttled = Fault::new(codes::RATE_LIMIT_EXCEEDED).retry_after(millis(2000));
    let refused = Failed {
        evidence: ExecutionEvidence::Unsent,
        is_repeatable: false,
        has_input_responses: true,
        ..lost(throttled)
    };
    assert_eq!(
        ask(&refused, Some(&policy)),
        RetryDecision::After(millis(2200))
    );
    let repeatable = lost(Fault::unavailable("shop"));
    assert_eq!(
        ask(&repeatable, Some(&policy)),
        RetryDecision::After(millis(100))
    );
}

#[test]
fn the_budget_is_charged_only_for_what_is_made_again() {
    let now = Instant::now();
    let mut budget = Budget::new(now);
    let failed = Failed {
        is_repeatable: false,
        ..lost(Fault::unavailable("shop"))
    };
    let policy = RetryPolicy::default();
    for _ in 0..100 {
        let decision = decide(&failed.attempt(), Some(&policy), &mut budget, 0.5, now);
        assert_eq!(decision, RetryDecision::GiveUp(GiveUpReason::MayHaveRun));
    }
    let harmless = Failed {
        evidence: ExecutionEvidence::Unsent,
        ..failed
    };
    let mut ask = || decide(&harmless.attempt(), Some(&policy), &mut budget, 0.5, now);
    for _ in 0..Budget::MAX_RETRIES {
        assert_eq!(ask(), RetryDecision::After(millis(50)));
    }
    assert_eq!(ask(), RetryDecision::GiveUp(GiveUpReason::Budget));
}

#[test]
fn pauses_double_up_to_the_cap_and_an_invalid_chance_does_no_harm() {
    let now = Instant::now();
    let mut policy = RetryPolicy::default();
    policy.attempts = u32::MAX;
    let pause = |made, chance: f64| {
        let failed = Failed {
            made,
            fault: Fault::connection("shop").into(),
            evidence: ExecutionEvidence::Unsent,
            is_repeatable: false,
            has_input_responses: false,
            left: Duration::MAX,
        };
        decide(
            &failed.attempt(),
            Some(&policy),
            &mut Budget::new(now),
            chance,
            now,
        )
    };
    let pauses = [1, 2, 3, 6, 7, 100, u32::MAX - 1].map(|made| pause(made, 1.0));
    let expected = [100, 200, 400, 3200, 5000, 5000, 5000];
    assert_eq!(
        pauses,
        expected.map(|wait| RetryDecision::After(millis(wait)))
    );
    assert_eq!(pause(1, 0.0), RetryDecision::After(Duration::ZERO));
    assert_eq!(pause(1, f64::NAN), RetryDecision::After(millis(50)));
    assert_eq!(pause(1, f64::INFINITY), RetryDecision::After(millis(50)));
    assert_eq!(pause(1, -3.0), RetryDecision::After(Duration::ZERO));
    assert_eq!(pause(1, 3.0), RetryDecision::After(millis(100)));
}

#[test]
fn what_a_server_says_about_its_tools_counts_where_hints_are_believed() {
    for (trust, is_believed) in [(HintTrust::Believe, true), (HintTrust::Ignore, false)] {
        assert_eq!(is_repeatable(None, true, trust), is_believed);
        assert!(!is_repeatable(None, false, trust));
        assert!(is_repeatable(Some(true), false, trust));
        assert!(!is_repeatable(Some(false), true, trust));
    }
}

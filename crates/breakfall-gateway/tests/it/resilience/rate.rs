//! Rate limits: what is admitted in every order, beside a plain reading of the law and beside `governor`.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use breakfall_gateway::config::{CountedBy, LimitScope, RateLimit, RateWindow};
use breakfall_gateway::resilience::rate::{Gcra, RateState, RateStates};
use breakfall_gateway::resilience::registry::ResilienceRegistry;
use governor::clock::FakeRelativeClock;
use governor::{Quota, RateLimiter};
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::time::Instant;

use super::{millis, runner};

/// Calls: each some milliseconds after the one before.
fn calls() -> impl Strategy<Value = (u32, u64, u32, Vec<u64>)> {
    let gap = prop_oneof![3 => Just(0_u64), 3 => 0..40_u64, 1 => 0..2000_u64];
    (1..20_u32, 1..2000_u64, 1..12_u32, vec(gap, 1..120))
}

/// The law: in no stretch of time more calls than the burst and one for each whole interval.
fn is_lawful(admitted: &[Duration], now: Duration, interval: Duration, burst: u32) -> bool {
    (0..admitted.len()).all(|first| {
        let calls = admitted.len() - first + 1;
        let whole = now.saturating_sub(admitted[first]).as_nanos() / interval.as_nanos();
        calls as u128 <= u128::from(burst) + whole
    })
}

#[test]
fn a_call_is_admitted_exactly_if_no_stretch_of_time_has_too_many() {
    runner(400)
        .run(&calls(), |(requests, per, burst, gaps)| {
            let gcra = Gcra::new(requests, millis(per), burst);
            let (mut state, start) = (RateState::default(), Instant::now());
            let (mut now, mut admitted) = (Duration::ZERO, Vec::new());
            for gap in gaps {
                now += millis(gap);
                let expected = is_lawful(&admitted, now, gcra.interval(), burst);
                let left = gcra.remaining(&state, start + now);
                prop_assert_eq!(left > 0, expected);
                match gcra.take(&mut state, start + now) {
                    Ok(taken) => {
                        prop_assert!(expected, "one too many at {:?}", now);
                        prop_assert_eq!(taken.remaining, left - 1);
                        admitted.push(now);
                    }
                    Err(refused) => {
                        prop_assert!(!expected, "refused at {:?}", now);
                        // Not a moment earlier, and then indeed.
                        let then = start + now + refused.retry_after;
                        let early = then - Duration::from_nanos(1);
                        prop_assert!(gcra.take(&mut state.clone(), early).is_err());
                        prop_assert!(gcra.take(&mut state.clone(), then).is_ok());
                        let reset = start + now + refused.resets_after;
                        prop_assert_eq!(gcra.remaining(&state, reset), burst);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn governor_admits_the_same_calls() {
    runner(400)
        .run(&calls(), |(requests, per, burst, gaps)| {
            let gcra = Gcra::new(requests, millis(per), burst);
            let quota = Quota::with_period(gcra.interval()).expect("an interval");
            let quota = quota.allow_burst(NonZeroU32::new(burst).expect("a burst"));
            let clock = FakeRelativeClock::default();
            let oracle = RateLimiter::direct_with_clock(quota, clock.clone());
            let (mut state, mut now) = (RateState::default(), Instant::now());
            for gap in gaps {
                now += millis(gap);
                clock.advance(millis(gap));
                let theirs = oracle.check().is_ok();
                prop_assert_eq!(gcra.take(&mut state, now).is_ok(), theirs);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_rate_is_never_exceeded_where_it_does_not_divide() {
    // A third of a second has no end in nanoseconds.
    let gcra = Gcra::new(3, Duration::from_secs(1), 1);
    assert!(gcra.interval() * 3 >= Duration::from_secs(1));
    let (mut state, start) = (RateState::default(), Instant::now());
    let admitted = (0..3_000_000_u64).step_by(1000).filter(|micros| {
        gcra.take(&mut state, start + Duration::from_micros(*micros))
            .is_ok()
    });
    assert_eq!(admitted.count(), 9);
}

#[test]
fn a_thousand_calls_at_once_take_no_more_than_there_are() {
    let states = Arc::new(RateStates::default());
    let limit = RateLimit::new(100, RateWindow::Hour);
    let now = Instant::now();
    let callers = (0..8).map(|_| {
        let states = Arc::clone(&states);
        thread::spawn(move || {
            (0..125)
                .filter(|_| states.take(&limit, None, now).is_ok())
                .count()
        })
    });
    let callers: Vec<_> = callers.collect();
    let admitted: usize = callers.into_iter().map(|one| one.join().unwrap()).sum();
    assert_eq!(admitted, 100);
}

#[test]
fn principals_are_counted_apart_and_strangers_together() {
    let states = RateStates::default();
    let mut limit = RateLimit::new(1, RateWindow::Minute);
    limit.by = CountedBy::Principal;
    let now = Instant::now();
    for (principal, is_ok) in [
        (Some("ann"), true),
        (Some("ann"), false),
        (Some("bob"), true),
        (None, true),
        (None, false),
    ] {
        assert_eq!(
            states.take(&limit, principal, now).is_ok(),
            is_ok,
            "{principal:?}"
        );
    }
}

#[test]
fn what_was_taken_outlives_a_reload_and_a_changed_limit() {
    let registry = ResilienceRegistry::default();
    let now = Instant::now();
    let scopes = [
        LimitScope::Gateway,
        LimitScope::Upstream,
        LimitScope::Tools("write_*".into()),
    ];
    let once = RateLimit::new(1, RateWindow::Minute);
    let often = RateLimit::new(60, RateWindow::Minute);
    for scope in &scopes {
        let take = |limit: &RateLimit, now| {
            // As the upstream of another configuration finds it.
            let states = registry.upstream("shop").rates(scope, now).expect("room");
            states.take(limit, None, now).is_ok()
        };
        assert!(take(&once, now));
        assert!(!take(&once, now));
        // The minute is used, and comes back at the new rate.
        assert!(!take(&often, now));
        assert!(take(&often, now + Duration::from_secs(1)));
        assert!(!take(&often, now + Duration::from_secs(1)));
    }
    // That of the gateway is shared by its upstreams, the others are not.
    let taken = |scope| {
        let states = registry.upstream("other").rates(scope, now).expect("room");
        states
            .take(&RateLimit::new(1, RateWindow::Minute), None, now)
            .is_err()
    };
    assert_eq!(scopes.each_ref().map(taken), [true, false, false]);
}

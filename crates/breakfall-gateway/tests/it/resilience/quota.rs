//! Quotas: windows of the calendar, the steps of the ladder, and counts that no order of calls exceeds.

use std::sync::Arc;
use std::thread;

use breakfall::Severity;
use breakfall_gateway::config::{
    CostModel, CountedBy, LimitScope, Quota, QuotaMetric, QuotaPeriod,
};
use breakfall_gateway::resilience::quota::{
    Amount, CalendarWindow, CallQuotas, QuotaAdmission, QuotaCounters, QuotaStatus, QuotaUse,
    TokenUsage,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::collection::vec;
use proptest::prelude::*;

use super::runner;

fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

fn stopping(metric: QuotaMetric, warn: f64, stop: f64) -> Quota {
    let mut quota = Quota::new(metric, warn);
    quota.hard_stop = Some(stop);
    quota
}

fn call<'a>(quotas: &'a [Quota], cost: Option<&'a CostModel>) -> CallQuotas<'a> {
    CallQuotas {
        scope: &SCOPE,
        quotas,
        cost,
        upstream: "shop",
        principal: None,
        arguments: "{}",
        zone: &UTC,
    }
}

static SCOPE: LimitScope = LimitScope::Upstream;
static UTC: TimeZone = TimeZone::UTC;

/// What the counters say, which have nothing to read.
fn admit(counters: &Arc<QuotaCounters>, call: &CallQuotas<'_>, now: Timestamp) -> QuotaAdmission {
    loop {
        let decided = counters.admit(call, now);
        let QuotaAdmission::Unread(unread) = decided else {
            return decided;
        };
        for one in unread {
            one.stored(Amount(0));
        }
    }
}

/// Makes a call that is over at once; its warnings, or the status that refuses it.
fn make(
    counters: &Arc<QuotaCounters>,
    call: &CallQuotas<'_>,
    tokens: u64,
    now: Timestamp,
) -> Result<Vec<breakfall::Warning>, QuotaUse> {
    match admit(counters, call, now) {
        QuotaAdmission::Admitted(charge) => {
            let tokens = TokenUsage {
                input: 0,
                output: tokens,
                is_estimated: false,
            };
            Ok(charge.settle(tokens, now))
        }
        QuotaAdmission::Refused(used) => Err(*used),
        QuotaAdmission::Unread(_) | QuotaAdmission::Full => panic!("it was read"),
    }
}

#[test]
fn windows_follow_the_calendar_of_their_zone() {
    let berlin = TimeZone::get("Europe/Berlin").expect("a time zone database");
    let kolkata = TimeZone::get("Asia/Kolkata").expect("a time zone database");
    for (period, zone, now, start, end) in [
        (
            QuotaPeriod::Minute,
            &berlin,
            "2026-03-29T00:59:59.9Z",
            "2026-03-29T00:59:00Z",
            "2026-03-29T01:00:00Z",
        ),
        (
            QuotaPeriod::Hour,
            &kolkata,
            "2026-07-01T12:00:00Z",
            "2026-07-01T11:30:00Z",
            "2026-07-01T12:30:00Z",
        ),
        // 23 hours, and 25.
        (
            QuotaPeriod::Day,
            &berlin,
            "2026-03-29T12:00:00Z",
            "2026-03-28T23:00:00Z",
            "2026-03-29T22:00:00Z",
        ),
        (
            QuotaPeriod::Day,
            &berlin,
            "2026-10-25T12:00:00Z",
            "2026-10-24T22:00:00Z",
            "2026-10-25T23:00:00Z",
        ),
        (
            QuotaPeriod::Month,
            &berlin,
            "2026-12-31T23:30:00Z",
            "2026-12-31T23:00:00Z",
            "2027-01-31T23:00:00Z",
        ),
        (
            QuotaPeriod::Month,
            &TimeZone::UTC,
            "2028-02-29T23:59:59Z",
            "2028-02-01T00:00:00Z",
            "2028-03-01T00:00:00Z",
        ),
        (
            QuotaPeriod::Minute,
            &TimeZone::UTC,
            "1969-12-31T23:59:59.5Z",
            "1969-12-31T23:59:00Z",
            "1970-01-01T00:00:00Z",
        ),
    ] {
        let window = CalendarWindow::at(period, zone, at(now));
        assert_eq!((window.start, window.end), (at(start), at(end)), "{now}");
    }
}

#[test]
fn each_moment_lies_in_one_window_and_windows_follow_each_other() {
    let zones = [
        "Europe/Berlin",
        "Asia/Kolkata",
        "Australia/Lord_Howe",
        "America/St_Johns",
    ];
    let zones = zones.map(|name| TimeZone::get(name).expect("a time zone database"));
    let periods = [
        QuotaPeriod::Minute,
        QuotaPeriod::Hour,
        QuotaPeriod::Day,
        QuotaPeriod::Month,
    ];
    let moments = (
        0..zones.len(),
        0..periods.len(),
        -4_000_000_000_i64..8_000_000_000,
    );
    runner(2000)
        .run(&moments, |(zone, period, second)| {
            let now = Timestamp::from_second(second).expect("a time");
            let (zone, period) = (&zones[zone], periods[period]);
            let window = CalendarWindow::at(period, zone, now);
            prop_assert!(window.contains(now), "{:?}", window);
            let next = CalendarWindow::at(period, zone, window.end);
            prop_assert!(next.start > window.start);
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_steps_begin_exactly_at_their_thresholds() {
    testing::proves!("S4-53");
    let counters = Arc::<QuotaCounters>::default();
    let quotas = [stopping(QuotaMetric::RequestsPerHour, 8.0, 10.0)];
    let now = at("2026-01-01T10:20:00Z");
    for number in 1..=10_u64 {
        let warnings = make(&counters, &call(&quotas, None), 0, now).expect("it is admitted");
        assert_eq!(
            warnings.len(),
            usize::from(number >= 8),
            "{number}: {warnings:?}"
        );
        if let [warning] = warnings.as_slice() {
            assert_eq!(warning.code(), Some("RATE_LIMIT_QUOTA_WARNING"));
            assert_eq!(warning.facts().get("current"), Some(&number.into()));
            assert_eq!(warning.facts().get("warn_threshold"), Some(&8.into()));
            // High only above nine tenths.
            let severity = if number == 10 {
                Severity::Error
            } else {
                Severity::Warning
            };
            assert_eq!(warning.level(), severity, "{number}");
        }
    }
    let refused = make(&counters, &call(&quotas, None), 0, now).expect_err("it is exhausted");
    assert_eq!(
        (refused.status(), refused.used),
        (QuotaStatus::Exhausted, Amount(10))
    );
    assert_eq!(refused.resets_at, at("2026-01-01T11:00:00Z"));
    // Not a moment earlier.
    let last = at("2026-01-01T10:59:59.999999999Z");
    assert!(make(&counters, &call(&quotas, None), 0, last).is_err());
    assert!(make(&counters, &call(&quotas, None), 0, refused.resets_at).is_ok());
}

#[test]
fn a_quota_without_a_hard_stop_never_refuses() {
    let counters = Arc::<QuotaCounters>::default();
    let quotas = [Quota::new(QuotaMetric::TokensPerDay, 5.0)];
    let now = at("2026-01-01T10:20:00Z");
    for _ in 0..100 {
        assert!(make(&counters, &call(&quotas, None), u64::MAX / 3, now).is_ok());
    }
}

#[test]
fn a_pause_refuses_until_a_person_agrees() {
    let mut quota = stopping(QuotaMetric::RequestsPerDay, 1.0, 3.0);
    quota.pause = Some(2.0);
    let status = |used| QuotaStatus::of(&quota, Amount(used));
    assert_eq!(
        [0, 1, 2, 3].map(status),
        [
            QuotaStatus::Ok,
            QuotaStatus::Warn,
            QuotaStatus::Paused,
            QuotaStatus::Exhausted
        ]
    );
    let counters = Arc::<QuotaCounters>::default();
    let quotas = [quota];
    let now = at("2026-01-01T10:20:00Z");
    assert!(make(&counters, &call(&quotas, None), 0, now).is_ok());
    assert!(make(&counters, &call(&quotas, None), 0, now).is_ok());
    let paused = make(&counters, &call(&quotas, None), 0, now).expect_err("it is paused");
    let fault = paused
        .fault(&LimitScope::Upstream, "shop", now)
        .expect("a fault");
    assert_eq!(fault.code().name(), "RATE_LIMIT_QUOTA_PAUSE");
    assert_eq!(
        fault.public().details().get("pause_threshold"),
        Some(&2.into())
    );
}

#[test]
fn sums_of_costs_are_exact() {
    let counters = Arc::<QuotaCounters>::default();
    let mut cost = CostModel::default();
    cost.call = 0.1;
    let quotas = [stopping(QuotaMetric::CostPerDay, 0.3, 1.0)];
    let now = at("2026-01-01T10:20:00Z");
    let made = (0..20).filter(|_| make(&counters, &call(&quotas, Some(&cost)), 0, now).is_ok());
    // In binary fractions ten times 0.1 is less than 1.
    assert_eq!(made.count(), 10);
}

#[test]
fn tokens_and_what_they_cost_are_added_when_the_call_is_over() {
    let counters = Arc::<QuotaCounters>::default();
    let mut cost = CostModel::default();
    cost.output_token = 0.002;
    cost.currency = Some("EUR".to_owned());
    let mut euros = stopping(QuotaMetric::CostPerMonth, 0.5, 1.0);
    euros.currency = Some("EUR".to_owned());
    let mut dollars = stopping(QuotaMetric::CostPerMonth, 0.5, 0.5);
    dollars.currency = Some("USD".to_owned());
    let quotas = [
        stopping(QuotaMetric::TokensPerMinute, 300.0, 1000.0),
        euros,
        dollars,
    ];
    let now = at("2026-01-01T10:20:00Z");
    let call = call(&quotas, Some(&cost));
    assert_eq!(
        make(&counters, &call, 200, now).expect("it is admitted"),
        []
    );
    // A euro, and the tokens are over the first threshold.
    let warned = make(&counters, &call, 300, now).expect("it is admitted");
    assert_eq!(warned.len(), 2, "{warned:?}");
    assert_eq!(warned[1].facts().get("current"), Some(&1.into()));
    let refused = make(&counters, &call, 0, now).expect_err("a euro is spent");
    assert_eq!(refused.quota.metric, QuotaMetric::CostPerMonth);
}

#[test]
fn a_call_without_an_end_has_sent_its_arguments() {
    let counters = Arc::<QuotaCounters>::default();
    let quotas = [stopping(QuotaMetric::TokensPerDay, 5.0, 5.0)];
    let now = at("2026-01-01T10:20:00Z");
    let mut call = call(&quotas, None);
    call.arguments = r#"{"text":"twenty-five bytes"}"#;
    drop(admit(&counters, &call, now));
    let refused = make(&counters, &call, 0, now).expect_err("they are counted");
    assert_eq!(refused.used, Amount(7));
}

#[test]
fn calls_at_once_take_no_more_than_there_are() {
    let counters = Arc::<QuotaCounters>::default();
    let quotas = Arc::new([
        stopping(QuotaMetric::RequestsPerMinute, 50.0, 100.0),
        stopping(QuotaMetric::RequestsPerDay, 50.0, 90.0),
    ]);
    let now = at("2026-01-01T10:20:00Z");
    let callers = (0..8).map(|_| {
        let (counters, quotas) = (Arc::clone(&counters), Arc::clone(&quotas));
        thread::spawn(move || {
            let made =
                (0..50).filter(|_| make(&counters, &call(quotas.as_slice(), None), 0, now).is_ok());
            made.count()
        })
    });
    let callers: Vec<_> = callers.collect();
    let made: usize = callers.into_iter().map(|one| one.join().unwrap()).sum();
    assert_eq!(made, 90);
    // A call that one quota refuses is counted by none.
    let stored: Vec<u64> = counters
        .take_pending()
        .iter()
        .map(|one| one.amount().0)
        .collect();
    assert_eq!(stored, [90, 90]);
}

#[test]
fn principals_have_quotas_of_their_own() {
    let counters = Arc::<QuotaCounters>::default();
    let mut quota = stopping(QuotaMetric::RequestsPerDay, 1.0, 1.0);
    quota.by = CountedBy::Principal;
    let quotas = [quota];
    let now = at("2026-01-01T10:20:00Z");
    for (principal, is_ok) in [
        (Some("ann"), true),
        (Some("ann"), false),
        (Some("bob"), true),
        (None, true),
        (None, false),
    ] {
        let mut call = call(&quotas, None);
        call.principal = principal;
        assert_eq!(
            make(&counters, &call, 0, now).is_ok(),
            is_ok,
            "{principal:?}"
        );
    }
}

/// What happens to a counter.
#[derive(Debug, Clone)]
enum Step {
    Call {
        tokens: u64,
    },
    Store,
    Fail,
    /// Another process adds so much.
    Elsewhere(u64),
    Pass(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..30_u64).prop_map(|tokens| Step::Call { tokens }),
        2 => Just(Step::Store),
        1 => Just(Step::Fail),
        1 => (0..20_u64).prop_map(Step::Elsewhere),
        1 => (0..50_i64).prop_map(Step::Pass),
    ]
}

#[test]
fn what_is_used_never_decreases_within_a_window_and_nothing_is_lost() {
    runner(300)
        .run(&vec(step(), 1..80), |steps| {
            let counters = Arc::<QuotaCounters>::default();
            let quotas = [stopping(QuotaMetric::TokensPerMinute, 100.0, 200.0)];
            let mut now = at("2026-01-01T10:20:00Z");
            let mut store = std::collections::BTreeMap::<CalendarWindow, u64>::new();
            let (mut own, mut others) = (0, 0);
            let mut before = (now, QuotaStatus::Ok);
            for step in steps {
                let window = CalendarWindow::at(QuotaPeriod::Minute, &TimeZone::UTC, now);
                match step {
                    Step::Call { tokens } => match counters.admit(&call(&quotas, None), now) {
                        QuotaAdmission::Admitted(charge) => {
                            let output = tokens;
                            let tokens = TokenUsage {
                                input: 0,
                                output,
                                is_estimated: false,
                            };
                            charge.settle(tokens, now);
                            own += tokens.output;
                            if before.0 == window.end {
                                prop_assert!(before.1 < QuotaStatus::Exhausted, "it went back");
                            }
                        }
                        QuotaAdmission::Refused(used) => before = (window.end, used.status()),
                        QuotaAdmission::Unread(unread) => {
                            for one in unread {
                                let have = store.get(&one.window()).copied();
                                one.stored(Amount(have.unwrap_or_default()));
                            }
                        }
                        QuotaAdmission::Full => prop_assert!(false, "there is room"),
                    },
                    Step::Store => {
                        for one in counters.take_pending() {
                            let have = store.entry(one.window()).or_default();
                            *have += one.amount().0;
                            let have = Amount(*have);
                            one.stored(have);
                        }
                    }
                    Step::Fail => counters.put_back(counters.take_pending()),
                    Step::Elsewhere(more) => {
                        *store.entry(window).or_default() += more;
                        others += more;
                    }
                    Step::Pass(seconds) => now += jiff::SignedDuration::from_secs(seconds),
                }
            }
            for one in counters.take_pending() {
                *store.entry(one.window()).or_default() += one.amount().0;
            }
            prop_assert_eq!(store.values().sum::<u64>(), own + others);
            Ok(())
        })
        .unwrap();
}

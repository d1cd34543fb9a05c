//! The delay before a retry: never shorter than what was asked for, never longer than the cap allows.

use std::time::Duration;

use breakfall::Retry;
use breakfall::read::Backoff;
use jiff::Timestamp;
use proptest::prelude::*;

use super::cases;
use super::strategies::fault;
use super::values::{timestamp, wait};

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn a_delay_keeps_to_the_fault_and_to_the_policy(
        fault in fault(),
        (base, cap, retries) in (wait(), wait(), 0..5_u32),
        attempt in prop_oneof![0..6_u32, any::<u32>()],
        chance in prop_oneof![0.0..1.0, any::<f64>()],
        now in timestamp(),
    ) {
        let public = fault.public();
        let delay = Backoff::new(base, cap, retries).delay(public, attempt, chance, now);
        let allowed = match public.retry() {
            Retry::Never | Retry::AfterChange => 0,
            Retry::Once => retries.min(1),
            Retry::Backoff | Retry::After => retries,
        };
        prop_assert_eq!(delay.is_some(), attempt < allowed);
        let Some(delay) = delay else { return Ok(()) };
        match stated(public, now) {
            Some(stated) => prop_assert!(delay >= stated, "{:?} is less than {:?}", delay, stated),
            None => prop_assert!(delay <= half_more(cap), "{:?} is more than half past {:?}", delay, cap),
        }
    }

    #[test]
    fn delays_double_until_the_cap(attempt in 0..40_u32, chance in 0.0..1.0) {
        let (base, cap) = (Duration::from_millis(250), Duration::from_secs(30));
        let fault = breakfall::Fault::unavailable("ledger");
        let backoff = Backoff::new(base, cap, u32::MAX);
        let delay = |attempt| {
            let delay = backoff.delay(fault.public(), attempt, chance, Timestamp::UNIX_EPOCH);
            delay.expect("the policy has no end")
        };
        let (this, next) = (delay(attempt), delay(attempt + 1));
        prop_assert!(next >= this);
        prop_assert!(next == this || this < cap.mul_f64(1.5));
    }
}

/// Half as long again, and what floating point may be off.
fn half_more(cap: Duration) -> Duration {
    let slack = cap / 1_000_000 + Duration::from_nanos(1);
    cap.saturating_add(cap / 2).saturating_add(slack)
}

fn stated(public: &breakfall::Public, now: Timestamp) -> Option<Duration> {
    public.retry_after().or_else(|| {
        let at: Timestamp = public.details().text("resets_at")?.parse().ok()?;
        at.duration_since(now).try_into().ok()
    })
}

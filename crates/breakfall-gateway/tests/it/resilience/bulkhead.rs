//! Places for calls, under simulated time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use breakfall::codes;
use breakfall_gateway::resilience::bulkhead::{
    Bulkhead, BulkheadScope, Bulkheads, ConcurrencyPolicy,
};
use tokio::time::{Instant, sleep, timeout};

use super::millis;

fn policy(limit: usize, queue: usize, wait: Duration) -> ConcurrencyPolicy {
    let mut policy = ConcurrencyPolicy::new(limit);
    policy.queue = queue;
    policy.wait = wait;
    policy
}

const ANY: Duration = Duration::MAX;

#[tokio::test(start_paused = true)]
async fn no_more_than_the_limit_are_under_way_and_no_more_than_the_queue_wait() {
    let bulkhead = Arc::new(Bulkhead::new(policy(3, 5, millis(2500))));
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let calls = (0..20).map(|_| {
        let (bulkhead, running, most) = (bulkhead.clone(), running.clone(), most.clone());
        tokio::spawn(async move {
            let place = bulkhead.enter(ANY).await;
            if place.is_ok() {
                most.fetch_max(
                    running.fetch_add(1, Ordering::Relaxed) + 1,
                    Ordering::Relaxed,
                );
                sleep(millis(1000)).await;
                running.fetch_sub(1, Ordering::Relaxed);
            }
            place.is_ok()
        })
    });
    let calls: Vec<_> = calls.collect();
    let mut served = 0;
    for call in calls {
        served += usize::from(call.await.unwrap());
    }
    assert_eq!((served, most.load(Ordering::Relaxed)), (8, 3));
    assert_eq!((bulkhead.in_flight(), bulkhead.waiting()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn who_waits_too_long_is_told_and_leaves_the_queue() {
    let bulkhead = Bulkhead::new(policy(1, 1, millis(500)));
    let held = bulkhead.enter(ANY).await.unwrap();
    let begun = Instant::now();
    let overloaded = bulkhead.enter(ANY).await.unwrap_err();
    assert_eq!(begun.elapsed(), millis(500));
    // No longer than the caller has time.
    assert!(bulkhead.enter(millis(20)).await.is_err());
    assert_eq!(begun.elapsed(), millis(520));
    // A caller that gives up makes room in the queue.
    assert!(timeout(millis(10), bulkhead.enter(ANY)).await.is_err());
    assert_eq!((bulkhead.in_flight(), bulkhead.waiting()), (1, 0));
    drop(held);
    assert!(bulkhead.enter(ANY).await.is_ok());

    let fault = overloaded.fault("shop");
    let public = fault.public();
    assert_eq!(public.code(), codes::UNAVAILABLE_OVERLOADED);
    assert_eq!(public.details().get("limit"), Some(&1.into()));
    assert_eq!(public.details().text("executed"), Some("no"));
    assert_eq!(public.message(), "Service 'shop' is overloaded");
}

#[tokio::test(start_paused = true)]
async fn permits_are_granted_in_order_and_no_call_overtakes() {
    let bulkhead = Arc::new(Bulkhead::new(policy(1, 10, millis(5000))));
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let held = bulkhead.enter(ANY).await.unwrap();
    let mut calls = Vec::new();
    for number in 0..5 {
        let (bulkhead, order) = (bulkhead.clone(), order.clone());
        calls.push(tokio::spawn(async move {
            let _place = bulkhead.enter(ANY).await.unwrap();
            order.lock().unwrap().push(number);
        }));
        tokio::task::yield_now().await;
    }
    drop(held);
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_with_places_of_its_own_takes_none_of_the_others() {
    let places = Bulkheads::default();
    let (shared, own) = (policy(1, 0, millis(1)), policy(2, 0, millis(1)));
    let (shared, own) = (BulkheadScope::Upstream(shared), BulkheadScope::Tool(own));
    let _shared = places.enter("light", shared, ANY).await.unwrap();
    assert!(places.enter("light", shared, ANY).await.is_err());
    let _first = places.enter("heavy", own, ANY).await.unwrap();
    let _second = places.enter("heavy", own, ANY).await.unwrap();
    assert!(places.enter("heavy", own, ANY).await.is_err());
    assert!(places.enter("other", own, ANY).await.is_ok());
}

//! What all who call a server share.

use std::time::Duration;

use breakfall::{Fault, Timestamp};
use breakfall_gateway::resilience::breaker::Health;
use breakfall_gateway::resilience::budget::Budget;
use breakfall_gateway::resilience::bulkhead;
use breakfall_gateway::resilience::retry::{Attempt, Decision, Executed, Reason};
use breakfall_gateway::upstream::{Origin, Upstream};
use tokio::time::{Instant, advance};

const ANY: Duration = Duration::MAX;

#[tokio::test(start_paused = true)]
async fn a_tool_that_keeps_failing_is_left_alone_by_everybody_and_tried_again_later() {
    let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let care = shop.care("search");
    let policy = care.breaker.unwrap();
    for _ in 0..policy.minimum {
        let pass = shop.begin("search", &care).unwrap();
        pass.settle(Health::Fails, Instant::now());
    }
    let refused = shop.begin_again("search", &care).unwrap_err();
    assert_eq!(refused.retry_after, policy.open);
    assert!(shop.begin("list", &shop.care("list")).is_ok());
    advance(policy.open).await;
    assert!(shop.begin("search", &care).is_ok());
}

#[tokio::test(start_paused = true)]
async fn calls_to_a_server_share_a_budget() {
    let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let care = shop.care("search");
    let fault = Fault::connection("shop");
    let attempt = Attempt {
        made: 1,
        fault: fault.public(),
        executed: Executed::No,
        is_repeatable: false,
        has_input_responses: false,
        left: ANY,
        at: Timestamp::UNIX_EPOCH,
    };
    for _ in 0..Budget::MOST {
        let decision = shop.decide(&attempt, &care, 0.0);
        assert_eq!(decision, Decision::After(Duration::ZERO));
    }
    let decision = shop.decide(&attempt, &shop.care("list"), 0.0);
    assert_eq!(decision, Decision::GiveUp(Reason::Budget));
    for _ in 0..Budget::CALLS_FOR_ONE {
        let _given_back = shop.begin("list", &care);
    }
    let decision = shop.decide(&attempt, &care, 0.0);
    assert_eq!(decision, Decision::After(Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn tools_of_a_server_share_its_places() {
    let mut shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let mut policy = bulkhead::ConcurrencyPolicy::new(1);
    policy.queue = 0;
    shop.concurrency = Some(policy);
    let place = shop.enter("a", shop.care("a").places, ANY).await.unwrap();
    assert!(place.is_some());
    assert!(shop.enter("b", shop.care("b").places, ANY).await.is_err());
    drop(place);
    assert!(shop.enter("b", shop.care("b").places, ANY).await.is_ok());
}

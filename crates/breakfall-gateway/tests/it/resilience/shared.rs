//! What all who call a server share.

use std::time::Duration;

use breakfall::{Fault, Timestamp};
use breakfall_gateway::resilience::breaker::Health;
use breakfall_gateway::resilience::budget::Budget;
use breakfall_gateway::resilience::bulkhead;
use breakfall_gateway::resilience::retry::{Executed, FailedAttempt, GiveUpReason, RetryDecision};
use breakfall_gateway::upstream::{Origin, Upstream};
use tokio::time::{Instant, advance};

const ANY: Duration = Duration::MAX;

#[tokio::test(start_paused = true)]
async fn a_tool_that_keeps_failing_is_left_alone_by_everybody_and_tried_again_later() {
    let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let (state, policy) = (&shop.resilience, shop.tool_policy("search"));
    let breaker = policy.breaker.unwrap();
    for _ in 0..breaker.minimum {
        let pass = state.begin("search", policy.breaker.as_ref()).unwrap();
        pass.settle(Health::Fails, Instant::now());
    }
    let refused = state
        .begin_again("search", policy.breaker.as_ref())
        .unwrap_err();
    assert_eq!(refused.retry_after, breaker.open);
    assert!(state.begin("list", policy.breaker.as_ref()).is_ok());
    advance(breaker.open).await;
    assert!(state.begin("search", policy.breaker.as_ref()).is_ok());
}

#[tokio::test(start_paused = true)]
async fn calls_to_a_server_share_a_budget() {
    let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let (state, policy) = (&shop.resilience, shop.tool_policy("search"));
    let fault = Fault::connection("shop");
    let attempt = FailedAttempt {
        made: 1,
        fault: fault.public(),
        executed: Executed::No,
        is_repeatable: false,
        has_input_responses: false,
        left: ANY,
        at: Timestamp::UNIX_EPOCH,
    };
    for _ in 0..Budget::MOST {
        let decision = state.decide(&attempt, policy.retry.as_ref(), 0.0);
        assert_eq!(decision, RetryDecision::After(Duration::ZERO));
    }
    let decision = state.decide(&attempt, policy.retry.as_ref(), 0.0);
    assert_eq!(decision, RetryDecision::GiveUp(GiveUpReason::Budget));
    for _ in 0..Budget::CALLS_FOR_ONE {
        let _given_back = state.begin("list", policy.breaker.as_ref());
    }
    let decision = state.decide(&attempt, policy.retry.as_ref(), 0.0);
    assert_eq!(decision, RetryDecision::After(Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn tools_of_a_server_share_its_places() {
    let mut shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let mut policy = bulkhead::ConcurrencyPolicy::new(1);
    policy.queue = 0;
    shop.concurrency = Some(policy);
    let state = &shop.resilience;
    let place = state
        .enter("a", shop.tool_policy("a").concurrency, ANY)
        .await
        .unwrap();
    assert!(place.is_some());
    assert!(
        state
            .enter("b", shop.tool_policy("b").concurrency, ANY)
            .await
            .is_err()
    );
    drop(place);
    assert!(
        state
            .enter("b", shop.tool_policy("b").concurrency, ANY)
            .await
            .is_ok()
    );
}

//! What all who call a server share.

use std::time::Duration;

use breakfall::{Fault, Timestamp};
use breakfall_gateway::classify::ExecutionEvidence;
use breakfall_gateway::resilience::breaker::Health;
use breakfall_gateway::resilience::budget::Budget;
use breakfall_gateway::resilience::bulkhead::{BulkheadScope, ConcurrencyPolicy};
use breakfall_gateway::resilience::registry::ResilienceRegistry;
use breakfall_gateway::resilience::retry::{FailedAttempt, GiveUpReason, RetryDecision};
use breakfall_gateway::upstream::{Origin, Upstream};
use tokio::time::{Instant, advance};

const ANY: Duration = Duration::MAX;

#[tokio::test(start_paused = true)]
async fn the_circuit_of_a_failing_tool_opens_for_all_callers_and_is_probed_later() {
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
        evidence: ExecutionEvidence::Unsent,
        is_repeatable: false,
        has_input_responses: false,
        left: ANY,
        at: Timestamp::UNIX_EPOCH,
    };
    for _ in 0..Budget::MAX_RETRIES {
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
    let mut policy = ConcurrencyPolicy::new(1);
    policy.queue = 0;
    shop.concurrency = Some(policy);
    let limits = shop.resilience.limits(None);
    let scope = |tool| shop.tool_policy(tool).concurrency;
    let permit = limits.enter("a", scope("a"), ANY).await.unwrap();
    assert!(permit.is_some());
    assert!(limits.enter("b", scope("b"), ANY).await.is_err());
    drop(permit);
    assert!(limits.enter("b", scope("b"), ANY).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn limits_of_principals_are_counted_apart_and_survive_a_reload() {
    let mut policy = ConcurrencyPolicy::new(1);
    policy.queue = 0;
    let registry = ResilienceRegistry::default();
    // Each call finds the state again, as the upstream of another configuration does.
    let limits = |principal| registry.upstream("shop").limits(principal);
    for scope in [BulkheadScope::Upstream(policy), BulkheadScope::Tool(policy)] {
        let mut permits = Vec::new();
        for principal in [None, Some("alice"), Some("bob")] {
            let limits = limits(principal);
            permits.push(limits.enter("pay", scope, ANY).await.expect("room"));
        }
        for principal in [None, Some("alice"), Some("bob")] {
            assert!(limits(principal).enter("pay", scope, ANY).await.is_err());
        }
        drop(permits);
        assert!(limits(Some("bob")).enter("pay", scope, ANY).await.is_ok());
    }
}

//! What a file says about servers that fail.

use std::time::Duration;

use breakfall_gateway::config::{Switch, TimeoutClass, UpstreamSettings};
use breakfall_gateway::resilience::bulkhead::BulkheadScope;
use breakfall_gateway::resilience::{breaker, bulkhead, retry};
use breakfall_gateway::upstream::{self, ToolPolicy};
use breakfall_mcp::timeouts::Timeouts;

use super::{accepted, told, upstream};

/// An upstream with a few more keys.
fn one(keys: &str) -> UpstreamSettings {
    let config = accepted(&format!("upstreams: {{ one: {{ command: a, {keys} }} }}"));
    config.upstreams[0].clone()
}

fn care(keys: &str, tool: &str) -> ToolPolicy {
    let upstream =
        upstream::Upstream::from_config(&one(keys), crate::IN_PROCESS).expect("it can be used");
    upstream.tool_policy(tool)
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn retries_and_breakers_are_on_by_default_and_concurrency_limits_are_not() {
    let one = one("");
    assert_eq!(one.retry, Some(retry::RetryPolicy::default()));
    assert_eq!(one.breaker, Some(breaker::BreakerPolicy::default()));
    assert_eq!(one.concurrency, None);
}

#[test]
fn everything_about_failing_can_be_set() {
    let one = one("retry: { attempts: 5, base: 1s, cap: 2s, max_wait: 1m }, \
         breaker: { rate: 0.25, window: 10s, minimum: 3, open: 1m, probes: 1 }, \
         concurrency: { limit: 4, queue: 0 }");
    let retry = one.retry.unwrap();
    assert_eq!(
        (retry.attempts, retry.base, retry.cap, retry.max_wait),
        (5, seconds(1), seconds(2), seconds(60))
    );
    let breaker = one.breaker.unwrap();
    assert!((breaker.rate - 0.25).abs() < 1e-9);
    assert_eq!(
        (
            breaker.window,
            breaker.minimum,
            breaker.open,
            breaker.probes
        ),
        (seconds(10), 3, seconds(60), 1)
    );
    let places = one.concurrency.unwrap();
    assert_eq!(
        (places.limit, places.queue, places.wait),
        (4, 0, seconds(5))
    );
}

#[test]
fn words_switch_things_off_and_on() {
    for off in ["off", "false"] {
        let one = one(&format!("retry: {off}, breaker: {off}, concurrency: {off}"));
        assert_eq!(
            (one.retry, one.breaker, one.concurrency),
            (None, None, None)
        );
    }
    for on in ["on", "true", "{}"] {
        let one = one(&format!("retry: {on}, breaker: {on}"));
        assert_eq!(one.retry, Some(retry::RetryPolicy::default()), "{on}");
        assert_eq!(one.breaker, Some(breaker::BreakerPolicy::default()), "{on}");
    }
}

#[test]
fn what_is_left_out_fits_what_is_said() {
    let retry = |keys: &str| one(&format!("retry: {keys}")).retry.unwrap();
    assert_eq!(retry("{ base: 1m }").cap, seconds(60));
    assert_eq!(retry("{ cap: 1ms }").base, Duration::from_millis(1));
}

#[test]
fn a_tool_is_treated_like_its_server_where_nothing_else_is_said() {
    let keys = "retry: { attempts: 5, cap: 1s }, breaker: off, concurrency: { limit: 9, queue: 7 }, \
        tools: { '*': { idempotent: true }, \
          'heavy_*': { concurrency: { limit: 2 }, retry: { cap: 2s } }, \
          heavy_one: { retry: off, breaker: { open: 1s }, fallback_tool: light } , \
          free: { concurrency: off, fallback_tool: { upstream: one, tool: other } } }";
    let any = care(keys, "any");
    assert_eq!(any.retry.map(|retry| retry.attempts), Some(5));
    assert_eq!(any.breaker, None);
    assert_eq!(any.idempotent, Some(true));
    assert!(matches!(any.concurrency, BulkheadScope::Upstream(places) if places.limit == 9));

    let heavy = care(keys, "heavy_two");
    let retry = heavy.retry.unwrap();
    assert_eq!((retry.attempts, retry.cap), (5, seconds(2)));
    let BulkheadScope::Tool(places) = heavy.concurrency else {
        panic!("{:?}", heavy.concurrency)
    };
    assert_eq!((places.limit, places.queue), (2, 7));

    let one = care(keys, "heavy_one");
    assert_eq!(one.retry, None);
    assert_eq!(one.breaker.map(|breaker| breaker.open), Some(seconds(1)));
    assert!(matches!(one.concurrency, BulkheadScope::Tool(_)));
    assert_eq!(one.fallback.unwrap().to_string(), "light");

    let free = care(keys, "free");
    assert_eq!(free.concurrency, BulkheadScope::Unlimited);
    assert_eq!(free.fallback.unwrap().to_string(), "other of one");
}

#[test]
fn a_class_says_how_long_to_wait_and_how_long_in_all() {
    let times = |timeouts: Timeouts| (timeouts.idle.as_secs(), timeouts.total.as_secs());
    for class in TimeoutClass::ALL {
        let one = one(&format!("timeout: {class}"));
        let expected = (class.timeouts().idle, class.timeouts().total);
        assert_eq!((one.timeouts.idle, one.timeouts.total), expected);
    }
    assert_eq!(
        times(one("timeout: fast, max_timeout: 1m").timeouts),
        (5, 60)
    );
    let keys = "timeout: fast, tools: { a: { timeout: background }, b: { timeout: 7s } }";
    assert_eq!(times(care(keys, "a").timeouts), (600, 3600));
    assert_eq!(times(care(keys, "b").timeouts), (7, 10));
    assert_eq!(times(one(keys).timeouts_with("a")), (600, 3600));
}

#[test]
fn what_is_said_can_be_shown() {
    let mut places = bulkhead::ConcurrencyPolicy::new(3);
    places.queue = 0;
    assert_eq!(Switch::On(places).to_string(), "3 at once, 0 wait up to 5s");
    assert_eq!(Switch::<retry::RetryPolicy>::Off.to_string(), "off");
    assert_eq!(
        retry::RetryPolicy::default().to_string(),
        "3 attempts, pauses from 100ms to 5s, 10s if the server asks for it"
    );
    assert_eq!(
        breaker::BreakerPolicy::default().to_string(),
        "opens for 30s when 50% of 10 calls or more fail in 1m; 2 must work again"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_problem_has_its_place() {
    for (line, what) in [
        ("retry: never", "4:12 expected a map, on or off, got a text"),
        ("retry: 3", "4:12 expected a map, on or off, got a number"),
        (
            "retry: { attempts: 0 }",
            "4:24 this number is out of bounds",
        ),
        (
            "retry: { attempts: 11 }",
            "4:24 this number is out of bounds",
        ),
        (
            "retry: { attempts: 1.5 }",
            "4:24 expected a whole number that is not negative, got 1.5",
        ),
        (
            "retry: { attempts: 99999999999999 }",
            "4:24 this number is out of bounds",
        ),
        (
            "retry: { atempts: 2 }",
            "4:14 unknown key 'atempts'; did you mean 'attempts'?",
        ),
        (
            "retry: { base: 2s, cap: 1s }",
            "4:29 cap is shorter than base",
        ),
        ("retry: { base: 0s }", "4:20 no time at all is too short"),
        (
            "retry: { max_wait: 5 }",
            "4:24 5 has no unit; did you mean 5s?",
        ),
        (
            "breaker: { rate: 50 }",
            "4:22 this is no share of calls; did you mean 0.5?",
        ),
        ("breaker: { rate: 0 }", "4:22 this is no share of calls"),
        ("breaker: { rate: 101 }", "4:22 this is no share of calls"),
        (
            "breaker: { rate: -1 }",
            "4:22 expected a number that is not negative, got -1",
        ),
        (
            "breaker: { minimum: 0 }",
            "4:25 this number is out of bounds",
        ),
        (
            "breaker: { probes: 0 }",
            "4:24 this number is out of bounds",
        ),
        ("breaker: { open: 0s }", "4:22 no time at all is too short"),
        (
            "breaker: { window: soon }",
            "4:24 'soon' is no duration: it does not start with a number",
        ),
        ("concurrency: on", "4:5 'concurrency' needs 'limit'"),
        (
            "concurrency: { queue: 3 }",
            "4:5 'concurrency' needs 'limit'",
        ),
        (
            "concurrency: 10",
            "4:18 expected a map, on or off, got a number",
        ),
        (
            "concurrency: { limit: 0 }",
            "4:27 this number is out of bounds",
        ),
        (
            "concurrency: { limit: lots }",
            "4:27 expected a whole number, got a text",
        ),
        (
            "concurrency: { limit: 1, queue: 0, wait: 1s }",
            "4:40 a wait has no effect without a queue",
        ),
        (
            "timeout: fats",
            "4:14 'fats' is no duration and no class; did you mean 'fast'?",
        ),
        (
            "tools: { a: { timeout: mediun } }",
            "4:28 'mediun' is no duration and no class; did you mean 'medium'?",
        ),
        (
            "tools: { a: { retry: { attempts: 0 } } }",
            "4:38 this number is out of bounds",
        ),
        (
            "tools: { a: { concurrency: {} } }",
            "4:19 'concurrency' needs 'limit'",
        ),
        (
            "tools: { a: { fallback_tool: a } }",
            "4:34 a tool cannot stand in for itself",
        ),
        (
            "tools: { a: { fallback_tool: '' } }",
            "4:34 the name is empty",
        ),
        (
            "tools: { a: { fallback_tool: [b] } }",
            "4:34 expected the name of a tool, or a map of upstream and tool, got a list",
        ),
        (
            "tools: { a: { fallback_tool: { upstream: one } } }",
            "4:19 'fallback_tool' needs 'tool'",
        ),
        (
            "tools: { a: { fallback_tool: { upstream: oen, tool: b } } }",
            "4:46 there is no upstream 'oen'; did you mean 'one'?",
        ),
        (
            "timeout: slow\n    max_timeout: 1m",
            "5:18 max_timeout is shorter than timeout",
        ),
    ] {
        assert_eq!(told(&upstream(line)), [what], "{line}");
    }
}

#[test]
fn a_limit_of_the_server_does_for_its_tools() {
    let keys = "concurrency: { limit: 3 }, tools: { a: { concurrency: { queue: 1 } } }";
    let BulkheadScope::Tool(places) = care(keys, "a").concurrency else {
        panic!("it has its own")
    };
    assert_eq!((places.limit, places.queue), (3, 1));
}

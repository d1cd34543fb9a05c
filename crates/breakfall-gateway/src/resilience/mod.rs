//! Resilience: concurrency limits, circuit breakers and retries.
//!
//! | module | decision |
//! |---|---|
//! | [`rate`] | how many calls may be made in a time |
//! | [`quota`] | how much may be used in a minute, an hour, a day or a month |
//! | [`bulkhead`] | how many calls may be in flight, and how many may wait |
//! | [`breaker`], [`breakers`] | whether the circuit of a tool is open |
//! | [`retry`], [`budget`] | whether a failed call is repeated, and when |
//! | [`fallback`] | which other tool a caller is told of |
//! | [`registry`] | where the state of all of these survives a reload |
//!
//! Decisions are pure functions of state, event, time and chance. Only the bulkhead waits.

mod bounded;
pub mod breaker;
pub mod breakers;
pub mod budget;
pub mod bulkhead;
pub mod fallback;
pub mod quota;
pub mod rate;
pub mod registry;
pub mod retry;

use breakfall::Category;

/// Whether failures of a category show that the server works: the same call fails again.
const fn is_decided(category: Category) -> bool {
    match category {
        Category::Validation
        | Category::Authentication
        | Category::Authorization
        | Category::NotFound
        | Category::Conflict
        | Category::Confirmation
        | Category::Business => true,
        Category::RateLimit | Category::Unavailable | Category::Internal => false,
    }
}

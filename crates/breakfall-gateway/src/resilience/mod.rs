//! What is done about a server that fails: how long to wait, whether to try again, when to leave it alone.
//!
//! | module | what it decides |
//! |---|---|
//! | [`bulkhead`] | how many calls may be under way at once, and how many may wait |
//! | [`breaker`], [`breakers`] | whether a tool fails so often that it is left alone for a while |
//! | [`retry`], [`budget`] | whether a call that failed is made again, and when |
//! | [`fallback`] | which other tool a caller is told of |
//!
//! Decisions are pure: what is known, the time and chance go in, and the decision comes out. Only the bulkhead waits.

mod bounded;
pub mod breaker;
pub mod breakers;
pub mod budget;
pub mod bulkhead;
pub mod fallback;
pub mod retry;

use breakfall::Category;

/// Whether a failure of such a kind shows that the server works and has decided: the same call comes to the same end.
fn is_decided(category: Category) -> bool {
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

//! What can go wrong with an order. The variants are what the code speaks of; the attributes are what a caller gets.

use std::time::Duration;

use breakfall::{Fault, Timestamp};

use crate::ids::OrderId;
use crate::session::SessionError;
use crate::store::Article;

#[derive(Debug, Fault)]
pub enum OrderError {
    /// The customer has no order of this id. Whether somebody else has is not told.
    #[fault(
        code = "ORDER_NOT_FOUND",
        extends = NOT_FOUND_RESOURCE,
        message = "Order '{order_id}' not found",
        remediation = "Call list_orders and pick an id from there.",
        user_message = "We cannot find this order.",
        fallback_tool = "list_orders"
    )]
    NotFound {
        /// The id nothing was found for.
        #[fault(display)]
        order_id: OrderId,
    },

    /// The parcel is on its way, and the order can no longer be changed.
    #[fault(
        code = "ORDER_ALREADY_SHIPPED",
        extends = CONFLICT_INVALID_STATE,
        message = "Order '{order_id}' has been shipped",
        remediation = "Leave {order_id} as it is; a refund is up to the staff.",
        user_message = "This order is on its way and cannot be changed any more."
    )]
    AlreadyShipped {
        /// The order.
        #[fault(display)]
        order_id: OrderId,
    },

    #[fault(code = CONFLICT_VERSION_MISMATCH, fallback_tool = "get_order")]
    Stale {
        #[fault(display)]
        expected_version: u32,
        #[fault(display)]
        actual_version: u32,
    },

    /// The stock does not hold as much as was ordered.
    #[fault(
        code = "ARTICLE_OUT_OF_STOCK",
        extends = BUSINESS_RULE_VIOLATION,
        message = "Only '{available}' of '{article}' left",
        remediation = "Order {available} or fewer, or another article.",
        user_message = "We have fewer of these."
    )]
    OutOfStock {
        /// What was ordered.
        #[fault(serialize)]
        article: Article,
        /// How many there are.
        available: u32,
    },

    #[fault(code = RATE_LIMIT_EXCEEDED, details(remaining = 0))]
    TooFast {
        limit: u32,
        window: &'static str,
        #[fault(display)]
        resets_at: Timestamp,
        #[fault(retry_after)]
        wait: Duration,
    },

    #[fault(
        code = UNAVAILABLE_DEPENDENCY,
        user_message = "The carrier does not answer right now. We will know more in a moment."
    )]
    Carrier {
        dependency: &'static str,
        #[fault(source)]
        cause: std::io::Error,
        #[fault(retry_after)]
        wait: Duration,
    },

    #[fault(code = INTERNAL_ERROR)]
    Ledger(#[fault(source)] std::io::Error),

    #[fault(transparent)]
    Session(#[from] SessionError),

    /// A failure without a name of its own here.
    #[fault(transparent)]
    Other(#[from] Fault),
}

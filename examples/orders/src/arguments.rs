//! What callers send and get, as the schemas of the tools have it.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{OrderId, SessionId, UserId};
use crate::store::{Article, Order};
use crate::summary::Style;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct SignIn {
    pub user_id: UserId,
    /// Four digits.
    pub pin: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Mine {
    pub session_id: SessionId,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct OneOrder {
    pub session_id: SessionId,
    pub order_id: OrderId,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct NewOrder {
    pub session_id: SessionId,
    pub article: Article,
    #[schemars(range(min = 1, max = 100))]
    pub quantity: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Cancel {
    pub session_id: SessionId,
    pub order_id: OrderId,
    /// The version the order had when you read it.
    pub version: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {
    pub session_id: SessionId,
    #[schemars(length(min = 1))]
    pub order_ids: Vec<OrderId>,
    /// The token of a person's consent.
    #[serde(rename = "_confirmation")]
    pub confirmation: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Summarize {
    pub session_id: SessionId,
    /// The most tokens the summary may have.
    pub token_budget: Option<NonZeroU32>,
    #[serde(default)]
    pub style: Style,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Export {
    pub session_id: SessionId,
    pub format: Format,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Csv,
    Ledger,
    Pdf,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Signed {
    pub session_id: SessionId,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    pub orders: Vec<Order>,
    pub total: usize,
}

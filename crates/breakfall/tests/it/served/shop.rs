//! A server that fails in every way there is.

use std::time::Duration;

use breakfall::{Fault, Outcome, Success, Warning, catalog};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::{ErrorData, Json, schemars, tool, tool_router};
use serde::{Deserialize, Serialize};

#[derive(Clone)]
pub(super) struct Shop;

#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Order {
    pub(super) sku: String,
    #[serde(default = "one")]
    pub(super) count: u32,
    pub(super) wrap: Option<Wrap>,
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Wrap {
    Paper,
    Box,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Code {
    pub(super) code: String,
}

#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Total {
    pub(super) cents: u64,
}

/// Cannot be written as JSON.
#[derive(schemars::JsonSchema)]
pub(super) struct Unwritable;

impl Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(
            "the vault at /srv/vault is closed",
        ))
    }
}

#[tool_router(server_handler)]
impl Shop {
    #[tool]
    async fn order(&self, Parameters(order): Parameters<Order>) -> Result<String, Fault> {
        let wrapped = order.wrap.map(|wrap| match wrap {
            Wrap::Paper => " in paper",
            Wrap::Box => " in a box",
        });
        match order.sku.as_str() {
            "tea" => Ok(format!(
                "{} tea{}",
                order.count,
                wrapped.unwrap_or_default()
            )),
            other => Err(Fault::not_found("article", other)
                .fallback_tool("list_articles")
                .caused_by("no row in stock.articles")),
        }
    }

    /// A failure of any code.
    #[tool]
    fn fail(&self, Parameters(Code { code }): Parameters<Code>) -> Result<(), Fault> {
        Err(fault_of(&code))
    }

    /// The same from a tool whose output has a schema.
    #[tool]
    fn fail_typed(
        &self,
        Parameters(Code { code }): Parameters<Code>,
    ) -> Result<Json<Total>, Fault> {
        Err(fault_of(&code))
    }

    #[tool]
    fn total(&self) -> Result<Json<Total>, Fault> {
        Ok(Json(Total { cents: 320 }))
    }

    /// Nothing is found, and that is the truth.
    #[tool]
    fn nothing(&self) -> Result<Success, Fault> {
        Ok(Success::new(serde_json::json!({"orders": [], "total": 0})))
    }

    #[tool]
    fn degraded(&self) -> Result<Outcome, Fault> {
        let warning = Warning::plain("the rest did not fit");
        Ok(Success::new("half of it").warning(warning).into())
    }

    #[tool]
    async fn panic(&self) -> Result<String, Fault> {
        panic!("the drawer of /srv/till is stuck")
    }

    #[tool]
    fn panic_at_once(&self) -> Result<String, Fault> {
        panic!("{}", String::from("owned words"))
    }

    #[tool]
    async fn slow(&self) -> Result<String, Fault> {
        tokio::time::sleep(Duration::from_secs(3600)).await;
        Ok("at last".to_owned())
    }

    #[tool]
    fn by_hand(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text("Error: the till is locked")])
    }

    #[tool]
    fn refused(&self) -> Result<String, ErrorData> {
        Err(ErrorData::invalid_request("not on a sunday", None))
    }

    #[tool]
    fn unwritable(&self) -> Json<Unwritable> {
        Json(Unwritable)
    }
}

fn fault_of(name: &str) -> Fault {
    Fault::new(catalog::by_name(name).expect("a code of the catalogue"))
}

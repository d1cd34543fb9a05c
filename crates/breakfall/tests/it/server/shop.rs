//! A server that fails in every way there is.

use std::sync::LazyLock;
use std::time::Duration;

use breakfall::{Batch, Elicitation, Fault, Outcome, Success, Warning, catalog};
use rmcp::handler::server::tool::{IntoCallToolResult, ToolRouter};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, Json, RoleServer, ServerHandler, schemars};
use rmcp::{tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Path {
    pub(super) path: String,
}

#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Data {
    pub(super) data: Value,
}

/// Whose schema says less than its type.
#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Loose {
    #[schemars(with = "Value")]
    pub(super) count: u8,
}

/// Whose type says less than its schema.
#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Lenient {
    #[schemars(with = "u32")]
    pub(super) count: Value,
}

/// Panics when it goes.
struct Stuck;

impl Drop for Stuck {
    fn drop(&mut self) {
        panic!("one more")
    }
}

/// Made once: the SDK would make it anew for every call, which takes longer than the call.
static TOOLS: LazyLock<ToolRouter<Shop>> = LazyLock::new(Shop::tool_router);

#[tool_handler(router = TOOLS)]
impl ServerHandler for Shop {}

#[tool_router]
#[expect(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    reason = "the SDK asks for methods, and the subject are those that return results"
)]
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
                .note("looked in shop 7")
                .caused_by("no row in stock.articles")),
        }
    }

    #[tool]
    fn loose(&self, Parameters(Loose { count }): Parameters<Loose>) -> String {
        count.to_string()
    }

    #[tool]
    fn any_count(&self, Parameters(Lenient { count }): Parameters<Lenient>) -> String {
        count.as_str().unwrap_or_default().to_owned()
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
        Ok(Success::new(json!({"orders": [], "total": 0})))
    }

    #[tool]
    fn degraded(&self) -> Result<Outcome, Fault> {
        let warning = Warning::plain("the rest of '/srv/shop/long.txt' did not fit");
        let success = Success::new(json!({"text": "half of /srv"}));
        Ok(success.warning(warning).into())
    }

    #[tool]
    fn empty_drawers(&self) -> Batch {
        let locked = |name| Fault::invalid(format!("cannot open '/srv/drawers/{name}'"));
        let batch = Batch::new("empty", "emptied").done("left", 1);
        batch
            .failed("middle", locked("middle"))
            .failed("right", locked("right"))
    }

    #[tool]
    fn asks(&self) -> Result<String, Elicitation> {
        Err(Elicitation::new("Which till?").field("till"))
    }

    #[tool]
    fn open(&self, Parameters(Path { path }): Parameters<Path>) -> Result<String, Fault> {
        let words = format!("cannot open '{path}': it is not below '/srv/lists'");
        Err(Fault::invalid(words).caused_by("refused with password=hunter2"))
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
    fn panic_with_a_number(&self) -> Result<String, Fault> {
        std::panic::panic_any(7)
    }

    #[tool]
    async fn panic_in_drop(&self) -> Result<String, Fault> {
        let _stuck = Stuck;
        tokio::task::yield_now().await;
        Ok("never".to_owned())
    }

    #[tool]
    async fn slow(&self) -> Result<String, Fault> {
        let _stuck = Stuck;
        tokio::time::sleep(Duration::from_hours(1)).await;
        Ok("at last".to_owned())
    }

    #[tool]
    async fn until_cancelled(&self, context: RequestContext<RoleServer>) -> String {
        context.ct.cancelled().await;
        "never mind".to_owned()
    }

    #[tool]
    async fn fails_when_cancelled(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<String, Fault> {
        context.ct.cancelled().await;
        Err(Fault::internal())
    }

    #[tool]
    fn by_hand(&self) -> CallToolResult {
        let mut result = CallToolResult::error(vec![
            ContentBlock::text("Error: the till at /srv/till is locked"),
            ContentBlock::image("iVBORw0KGgo=", "image/png"),
        ]);
        result.structured_content = Some(json!({"till": 7}));
        result.meta = serde_json::from_value(json!({"shop/till": 7})).expect("an object");
        result
    }

    #[tool]
    fn disguised(&self) -> String {
        "Database error: no such table: orders".to_owned()
    }

    #[tool]
    async fn elsewhere(&self) -> Result<CallToolResponse, ErrorData> {
        let converted = async { Fault::invalid_state("sell", "closed").into_call_tool_result() };
        let Ok(CallToolResponse::Complete(result)) = tokio::spawn(converted).await.expect("done")
        else {
            panic!("a result");
        };
        Ok(result.into())
    }

    /// Tries something that fails, and then something else.
    #[tool]
    fn recovers(&self) -> Result<String, Fault> {
        drop(Fault::unavailable("front door").into_call_tool_result());
        Ok("the second try".to_owned())
    }

    #[tool]
    fn refused(&self, Parameters(Data { data }): Parameters<Data>) -> Result<String, ErrorData> {
        let data = Some(data).filter(|data| !data.is_null());
        let message = "not on a sunday, says /srv/calendar";
        Err(ErrorData::invalid_request(message, data))
    }

    #[tool]
    fn unwritable(&self) -> Json<Unwritable> {
        Json(Unwritable)
    }
}

fn fault_of(name: &str) -> Fault {
    Fault::new(catalog::by_name(name).expect("a code of the catalogue"))
}

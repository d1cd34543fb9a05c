//! A complete MCP server on stdio. It says what can go wrong once, in `ShopError`; the guard in `main` does the rest:
//! every failure, the unforeseen ones too, reaches the agent with a code, a fix and an id.

use std::collections::BTreeMap;

use breakfall::Fault;
use breakfall::server::{ArgumentCheck, Guard};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServiceExt, schemars, tool, tool_router, transport};

/// What can go wrong. A code of your own extends one of the catalogue and has everything from it that you do not say.
#[derive(Debug, Fault)]
enum ShopError {
    /// The shop does not have the article.
    #[fault(
        code = "ARTICLE_NOT_FOUND",
        extends = NOT_FOUND_RESOURCE,
        message = "There is no article '{article}'",
        remediation = "Call 'list_articles' and use a name from there.",
        fallback_tool = "list_articles"
    )]
    NotFound { article: String },
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Share {
    article: String,
    people: u32,
}

struct Shop(BTreeMap<&'static str, u32>);

#[tool_router(server_handler)]
impl Shop {
    /// The names of all articles.
    #[tool]
    fn list_articles(&self) -> String {
        self.0.keys().copied().collect::<Vec<_>>().join(", ")
    }

    /// What each of several people pays who share an article, in cents.
    #[tool]
    fn share(&self, Parameters(share): Parameters<Share>) -> Result<String, ShopError> {
        let Share { article, people } = share;
        let price = self.0.get(article.as_str());
        let price = price.ok_or(ShopError::NotFound { article })?;
        Ok((price / people).to_string()) // A bug: with nobody to pay this panics.
    }
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "stdout belongs to the protocol")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Shop(BTreeMap::from([("tea", 320), ("cake", 450)]));
    // The caller gets what helps; the log gets everything, under the same id.
    let server = Guard::new(shop)
        .validate(ArgumentCheck::Reject)
        .on_fault(|event| eprintln!("{}", event.report()));
    server.serve(transport::stdio()).await?.waiting().await?;
    Ok(())
}

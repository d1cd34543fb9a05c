//! The methods that are answered at once, one line each.

use serde_json::{Value, json};

use crate::log_level::ShopLogLevel;
use crate::message::ShopRpcError;
use crate::request::{CacheHint, ClientEra, ShopRequest, server_info};
use crate::server::ShopServer;
use crate::subscriptions::Subscriptions;
use crate::{prompts, resources, tools};
use breakfall_mcp::protocol::{Version, method};

impl ShopServer {
    /// The result of a method.
    pub(crate) fn method(&mut self, request: &ShopRequest) -> Result<Value, ShopRpcError> {
        let (era, shop) = (&request.era, &self.shop);
        let public = |result| Ok(era.dress_cacheable(result, CacheHint::Public));
        let private = |result| Ok(era.dress_cacheable(result, CacheHint::Private));
        match (request.method.as_str(), era.is_modern()) {
            (method::TOOLS_LIST, _) => one_page(request).and_then(|()| public(tools::list(shop))),
            (method::PROMPTS_LIST, _) => one_page(request).and_then(|()| public(prompts::list())),
            (method::RESOURCES_TEMPLATES_LIST, _) => {
                one_page(request).and_then(|()| public(resources::templates()))
            }
            (method::RESOURCES_LIST, _) => {
                one_page(request).and_then(|()| private(resources::list(shop)))
            }
            (method::RESOURCES_READ, _) => resources::read(request, shop).and_then(private),
            (method::PROMPTS_GET, _) => Ok(era.dress(prompts::get(request, shop)?)),
            (method::COMPLETION_COMPLETE, _) => Ok(era.dress(prompts::complete(request, shop)?)),
            (method::DISCOVER, true) => public(discovered()),
            (method::INITIALIZE, false) => self.initialize(request),
            (method::PING, false) => Ok(json!({})),
            (method::LOGGING_SET_LEVEL, false) => self.set_level(request),
            (method::RESOURCES_SUBSCRIBE, false) => self.subscribe(request),
            (method::RESOURCES_UNSUBSCRIBE, false) => {
                self.watch.unsubscribe(request.text("uri")?);
                Ok(json!({}))
            }
            (unknown, _) => Err(ShopRpcError::unknown_method(unknown)),
        }
    }

    fn initialize(&mut self, request: &ShopRequest) -> Result<Value, ShopRpcError> {
        let wanted = request.text("protocolVersion")?;
        let version = Version::negotiated(wanted);
        let declared = request.params.get("capabilities").cloned();
        self.session = Some(ClientEra::Legacy {
            capabilities: declared.unwrap_or_default(),
            level: None,
        });
        self.watch = Subscriptions::default();
        Ok(json!({
            "protocolVersion": version.as_str(),
            "capabilities": capabilities(),
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }))
    }

    fn set_level(&mut self, request: &ShopRequest) -> Result<Value, ShopRpcError> {
        let word = request.params.get("level").unwrap_or(&Value::Null);
        let wanted = ShopLogLevel::read(word)?;
        if let Some(ClientEra::Legacy { level, .. }) = &mut self.session {
            *level = Some(wanted);
        }
        Ok(json!({}))
    }

    fn subscribe(&mut self, request: &ShopRequest) -> Result<Value, ShopRpcError> {
        let uri = request.text("uri")?;
        if !resources::exists(uri, &self.shop) {
            return Err(resources::not_found(request, uri));
        }
        self.watch.subscribe(uri).map(|()| json!({}))
    }
}

fn discovered() -> Value {
    let versions: Vec<_> = Version::all().rev().map(Version::as_str).collect();
    json!({
        "supportedVersions": versions,
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
    })
}

fn capabilities() -> Value {
    json!({
        "tools": {"listChanged": true},
        "resources": {"subscribe": true, "listChanged": true},
        "prompts": {},
        "completions": {},
        "logging": {},
    })
}

/// Our lists fit on one page, so every cursor is one we never gave out.
fn one_page(request: &ShopRequest) -> Result<(), ShopRpcError> {
    match request.params.get("cursor") {
        None => Ok(()),
        Some(_) => Err(ShopRpcError::invalid_params("Invalid cursor")),
    }
}

const INSTRUCTIONS: &str =
    "A make-believe shop that fails on purpose. Call the tool `tour` to see what there is to try.";

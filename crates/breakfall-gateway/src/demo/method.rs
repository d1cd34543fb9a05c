//! The methods that are answered at once, one line each.

use serde_json::{Value, json};

use super::log::Level;
use super::message::Refused;
use super::request::{Era, Fresh, LEGACY, MODERN, Request, server_info};
use super::server::Server;
use super::watch::Watch;
use super::{prompts, resources, tools};

impl Server {
    /// The result of a method.
    pub(super) fn method(&mut self, request: &Request) -> Result<Value, Refused> {
        let (era, shop) = (&request.era, &self.shop);
        let public = |result| Ok(era.dress_cacheable(result, Fresh::Public));
        let private = |result| Ok(era.dress_cacheable(result, Fresh::Private));
        match (request.method.as_str(), era.is_modern()) {
            ("tools/list", _) => one_page(request).and_then(|()| public(tools::list(shop))),
            ("prompts/list", _) => one_page(request).and_then(|()| public(prompts::list())),
            ("resources/templates/list", _) => {
                one_page(request).and_then(|()| public(resources::templates()))
            }
            ("resources/list", _) => {
                one_page(request).and_then(|()| private(resources::list(shop)))
            }
            ("resources/read", _) => resources::read(request, shop).and_then(private),
            ("prompts/get", _) => Ok(era.dress(prompts::get(request, shop)?)),
            ("completion/complete", _) => Ok(era.dress(prompts::complete(request, shop)?)),
            ("server/discover", true) => public(discovered()),
            ("initialize", false) => self.initialize(request),
            ("ping", false) => Ok(json!({})),
            ("logging/setLevel", false) => self.set_level(request),
            ("resources/subscribe", false) => self.subscribe(request),
            ("resources/unsubscribe", false) => {
                self.watch.unsubscribe(request.text("uri")?);
                Ok(json!({}))
            }
            (unknown, _) => Err(Refused::unknown_method(unknown)),
        }
    }

    fn initialize(&mut self, request: &Request) -> Result<Value, Refused> {
        let wanted = request.text("protocolVersion")?;
        let newest = LEGACY[0];
        let version = LEGACY.into_iter().find(|known| *known == wanted);
        let declared = request.params.get("capabilities").cloned();
        self.session = Some(Era::Legacy {
            capabilities: declared.unwrap_or_default(),
            level: None,
        });
        self.watch = Watch::default();
        Ok(json!({
            "protocolVersion": version.unwrap_or(newest),
            "capabilities": capabilities(),
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }))
    }

    fn set_level(&mut self, request: &Request) -> Result<Value, Refused> {
        let word = request.params.get("level").unwrap_or(&Value::Null);
        let wanted = Level::read(word)?;
        if let Some(Era::Legacy { level, .. }) = &mut self.session {
            *level = Some(wanted);
        }
        Ok(json!({}))
    }

    fn subscribe(&mut self, request: &Request) -> Result<Value, Refused> {
        let uri = request.text("uri")?;
        if !resources::exists(uri, &self.shop) {
            return Err(resources::not_found(request, uri));
        }
        self.watch.subscribe(uri).map(|()| json!({}))
    }
}

fn discovered() -> Value {
    let versions: Vec<_> = std::iter::once(MODERN).chain(LEGACY).collect();
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
fn one_page(request: &Request) -> Result<(), Refused> {
    match request.params.get("cursor") {
        None => Ok(()),
        Some(_) => Err(Refused::invalid_params("Invalid cursor")),
    }
}

const INSTRUCTIONS: &str =
    "A make-believe shop that fails on purpose. Call the tool `tour` to see what there is to try.";

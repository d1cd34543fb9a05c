//! Subscriptions to changes: one set of resources in the legacy versions, any number of streams in the modern one.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::message::{ShopOutbox, ShopRpcError, is, object, value_of};
use crate::request::ShopRequest;
use crate::resources;
use crate::shop::{ShopEvent, ShopState};
use breakfall_mcp::protocol::meta::SUBSCRIPTION_ID;
use breakfall_mcp::protocol::method;

/// All subscriptions of one connection.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    /// What `resources/subscribe` named.
    subscribed: BTreeSet<String>,
    streams: Vec<ListenStream>,
}

/// An open `subscriptions/listen`.
#[derive(Debug)]
struct ListenStream {
    request: ShopRequest,
    tools: bool,
    resources: bool,
    uris: BTreeSet<String>,
}

impl Subscriptions {
    /// `resources/subscribe`.
    pub(crate) fn subscribe(&mut self, uri: &str) -> Result<(), ShopRpcError> {
        if self.subscribed.len() >= MAX_SUBSCRIPTIONS {
            return Err(too_many());
        }
        self.subscribed.insert(uri.to_owned());
        Ok(())
    }

    /// `resources/unsubscribe`.
    pub(crate) fn unsubscribe(&mut self, uri: &str) {
        self.subscribed.remove(uri);
    }

    /// `subscriptions/listen`: it is acknowledged now and answered when it ends.
    pub(crate) fn listen(
        &mut self,
        request: &ShopRequest,
        shop: &ShopState,
        out: &mut ShopOutbox,
    ) -> Result<(), ShopRpcError> {
        if self.streams.len() >= MAX_SUBSCRIPTIONS {
            return Err(too_many());
        }
        let Some(Value::Object(wanted)) = request.params.get("notifications") else {
            let message = "params.notifications is required and must be an object";
            return Err(ShopRpcError::invalid_params(message));
        };
        let wants = |name: &str| wanted.get(name) == Some(&Value::Bool(true));
        let stream = ListenStream {
            request: request.clone(),
            tools: wants("toolsListChanged"),
            resources: wants("resourcesListChanged"),
            uris: uris(wanted, shop),
        };
        let params = json!({"_meta": stream.meta(), "notifications": stream.filter(wanted)});
        out.notification(method::SUBSCRIPTIONS_ACKNOWLEDGED, &params);
        self.streams.push(stream);
        Ok(())
    }

    /// The client has cancelled a request, which may be a stream.
    pub(crate) fn unlisten(&mut self, request: &Value) {
        self.streams
            .retain(|stream| !is(&stream.request.id, request));
    }

    /// Notifies every subscriber of an event.
    pub(crate) fn tell(&self, event: &ShopEvent, legacy: bool, out: &mut ShopOutbox) {
        let Some((method, mut params)) = event.notification() else {
            return;
        };
        let subscribed = match event {
            ShopEvent::Updated(uri) => self.subscribed.contains(uri),
            ShopEvent::ToolsChanged | ShopEvent::ResourcesChanged | ShopEvent::Log(..) => legacy,
        };
        if subscribed {
            out.notification(method, &params);
        }
        for stream in self.streams.iter().filter(|stream| stream.wants(event)) {
            params["_meta"] = stream.meta();
            out.notification(method, &params);
        }
    }

    /// Ends every stream in good order.
    pub(crate) fn close(&mut self, out: &mut ShopOutbox) {
        for stream in self.streams.drain(..) {
            let result = json!({"_meta": stream.meta()});
            let request = &stream.request;
            out.result(&request.id, &request.era.dress(result));
        }
    }
}

impl ListenStream {
    fn wants(&self, event: &ShopEvent) -> bool {
        match event {
            ShopEvent::Updated(uri) => self.uris.contains(uri),
            ShopEvent::ResourcesChanged => self.resources,
            ShopEvent::ToolsChanged => self.tools,
            ShopEvent::Log(..) => false,
        }
    }

    fn meta(&self) -> Value {
        json!({SUBSCRIPTION_ID: value_of(&self.request.id)})
    }

    /// What of the wishes will be fulfilled. Prompts never change, so `promptsListChanged` is not promised.
    fn filter(&self, wanted: &Map<String, Value>) -> Map<String, Value> {
        let uris = wanted.contains_key("resourceSubscriptions");
        object([
            ("toolsListChanged", self.tools.then_some(true.into())),
            (
                "resourcesListChanged",
                self.resources.then_some(true.into()),
            ),
            (
                "resourceSubscriptions",
                uris.then(|| self.uris.iter().map(String::as_str).collect()),
            ),
        ])
    }
}

fn uris(wanted: &Map<String, Value>, shop: &ShopState) -> BTreeSet<String> {
    let named = wanted
        .get("resourceSubscriptions")
        .and_then(Value::as_array);
    let uris = named.into_iter().flatten().filter_map(Value::as_str);
    uris.filter(|uri| resources::exists(uri, shop))
        .take(MAX_SUBSCRIPTIONS)
        .map(str::to_owned)
        .collect()
}

fn too_many() -> ShopRpcError {
    ShopRpcError::new(-32603, "Too many subscriptions")
}

const MAX_SUBSCRIPTIONS: usize = 1000;

//! Who wants to hear of changes: one set of resources in the older versions, any number of streams in the newest.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::message::{Outbox, Refused, object, value_of};
use super::request::Request;
use super::resources;
use super::server::is;
use super::shop::{Event, Shop};

/// Everybody who listens.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What `resources/subscribe` named.
    subscribed: BTreeSet<String>,
    streams: Vec<Stream>,
}

/// An open `subscriptions/listen`.
#[derive(Debug)]
struct Stream {
    request: Request,
    tools: bool,
    resources: bool,
    uris: BTreeSet<String>,
}

impl Watch {
    /// `resources/subscribe`.
    pub(super) fn subscribe(&mut self, uri: &str) -> Result<(), Refused> {
        if self.subscribed.len() >= MOST {
            return Err(too_many());
        }
        self.subscribed.insert(uri.to_owned());
        Ok(())
    }

    /// `resources/unsubscribe`.
    pub(super) fn unsubscribe(&mut self, uri: &str) {
        self.subscribed.remove(uri);
    }

    /// `subscriptions/listen`: it is acknowledged now and answered when it ends.
    pub(super) fn listen(
        &mut self,
        request: &Request,
        shop: &Shop,
        out: &mut Outbox,
    ) -> Result<(), Refused> {
        if self.streams.len() >= MOST {
            return Err(too_many());
        }
        let Some(Value::Object(wanted)) = request.params.get("notifications") else {
            let message = "params.notifications is required and must be an object";
            return Err(Refused::invalid_params(message));
        };
        let wants = |name: &str| wanted.get(name) == Some(&Value::Bool(true));
        let stream = Stream {
            request: request.clone(),
            tools: wants("toolsListChanged"),
            resources: wants("resourcesListChanged"),
            uris: uris(wanted, shop),
        };
        let params = json!({"_meta": stream.meta(), "notifications": stream.filter(wanted)});
        out.notification("notifications/subscriptions/acknowledged", &params);
        self.streams.push(stream);
        Ok(())
    }

    /// The client has cancelled a request, which may be a stream.
    pub(super) fn unlisten(&mut self, request: &Value) {
        self.streams
            .retain(|stream| !is(&stream.request.id, request));
    }

    /// Tells everybody who wants to know.
    pub(super) fn tell(&self, event: &Event, legacy: bool, out: &mut Outbox) {
        let Some((method, mut params)) = event.notification() else {
            return;
        };
        let subscribed = match event {
            Event::Updated(uri) => self.subscribed.contains(uri),
            Event::ToolsChanged | Event::ResourcesChanged | Event::Log(..) => legacy,
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
    pub(super) fn close(&mut self, out: &mut Outbox) {
        for stream in self.streams.drain(..) {
            let result = json!({"_meta": stream.meta()});
            let request = &stream.request;
            out.result(&request.id, &request.era.dress(result));
        }
    }
}

impl Stream {
    fn wants(&self, event: &Event) -> bool {
        match event {
            Event::Updated(uri) => self.uris.contains(uri),
            Event::ResourcesChanged => self.resources,
            Event::ToolsChanged => self.tools,
            Event::Log(..) => false,
        }
    }

    fn meta(&self) -> Value {
        json!({SUBSCRIPTION: value_of(&self.request.id)})
    }

    /// What of the wishes will be fulfilled. Our prompts never change, so nobody is promised to hear of it.
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

fn uris(wanted: &Map<String, Value>, shop: &Shop) -> BTreeSet<String> {
    let named = wanted
        .get("resourceSubscriptions")
        .and_then(Value::as_array);
    let uris = named.into_iter().flatten().filter_map(Value::as_str);
    uris.filter(|uri| resources::exists(uri, shop))
        .take(MOST)
        .map(str::to_owned)
        .collect()
}

fn too_many() -> Refused {
    Refused::new(-32603, "Too many subscriptions")
}

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const MOST: usize = 1000;

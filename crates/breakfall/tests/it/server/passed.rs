//! Nothing is lost on the way through a guard: every method of the handler's trait is the handler's own.

use std::process::Command;
use std::sync::{Arc, Mutex};

use breakfall::server::Guard;
use rmcp::model::{self, ErrorCode};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::wire::{Era, Wire};

#[test]
fn a_guard_has_every_method_the_trait_has() {
    let ours = include_str!("../../../src/server/handler.rs");
    let theirs = trait_source();
    let start = theirs
        .find("macro_rules! server_handler_methods")
        .expect("the SDK defines its trait by this macro");
    let end = theirs[start..].find("pub trait ServerHandler").unwrap();
    let wanted = methods(&theirs[start..start + end]);
    assert!(wanted.len() > 20, "{wanted:?}");
    assert_eq!(methods(ours), wanted);
    for method in wanted.iter().filter(|method| *method != "call_tool") {
        let passed = format!("self.handler.{method}(");
        assert!(
            ours.contains(&passed),
            "{method} does not reach the handler"
        );
    }
}

/// Names of functions, sorted.
fn methods(source: &str) -> Vec<String> {
    let lines = source.lines().map(str::trim_start);
    let named = lines.filter_map(|line| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let (name, _) = line.strip_prefix("fn ")?.split_once('(')?;
        Some(name.to_owned())
    });
    let mut names: Vec<String> = named.collect();
    names.sort();
    names
}

/// The SDK's own text, from where cargo keeps it.
fn trait_source() -> String {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let sdk = packages
        .iter()
        .find(|package| package["name"] == "rmcp")
        .expect("the SDK is a dependency");
    let manifest = std::path::Path::new(sdk["manifest_path"].as_str().unwrap());
    let file = manifest.with_file_name("src").join("handler/server.rs");
    std::fs::read_to_string(file).expect("source")
}

#[tokio::test(start_paused = true)]
async fn every_request_and_notification_reaches_the_handler() {
    for era in Era::ALL {
        let heard = Heard::default();
        let mut wire = Wire::open(Guard::new(heard.clone()), era).await;
        for (method, params) in requests(era) {
            let answer = wire.request(method, params).await;
            let message = answer["error"]["message"].as_str().expect("a message");
            let said = format!("{method} [");
            assert!(message.starts_with(&said), "{era:?}: {answer}");
            assert_eq!(answer["error"]["code"], 1, "{era:?}: {answer}");
        }
        for (method, params) in notifications() {
            wire.notify(method, params).await;
        }
        wire.request("prompts/list", json!({})).await;
        let heard = heard.0.lock().unwrap().clone();
        for (method, _) in requests(era).into_iter().chain(notifications()) {
            assert!(heard.contains(&method), "{era:?} {method}: {heard:?}");
        }
    }
}

fn requests(era: Era) -> Vec<(&'static str, Value)> {
    let completion = json!({
        "ref": {"type": "ref/prompt", "name": "greet"},
        "argument": {"name": "whom", "value": "a"},
    });
    let mut requests = vec![
        ("completion/complete", completion),
        ("prompts/get", json!({"name": "greet"})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "shop:///prices"})),
        ("shop/close", json!({"till": 7})),
    ];
    match era {
        Era::Legacy => requests.extend([
            ("ping", json!({})),
            ("logging/setLevel", json!({"level": "info"})),
            ("resources/subscribe", json!({"uri": "shop:///prices"})),
            ("resources/unsubscribe", json!({"uri": "shop:///prices"})),
        ]),
        Era::Modern => requests.push(("server/discover", json!({}))),
    }
    requests
}

fn notifications() -> Vec<(&'static str, Value)> {
    let progress = json!({"progressToken": 1, "progress": 1});
    vec![
        ("notifications/progress", progress),
        ("notifications/cancelled", json!({"requestId": 999})),
        ("notifications/roots/list_changed", json!({})),
        ("notifications/shop/opened", json!({})),
    ]
}

/// Writes down what reaches it, and refuses everything in the name of the method.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<&'static str>>>);

impl Heard {
    fn hear(&self, method: &'static str) {
        self.0.lock().unwrap().push(method);
    }

    fn refuse<T>(&self, method: &'static str) -> Result<T, ErrorData> {
        self.hear(method);
        Err(ErrorData::new(ErrorCode(1), method, None))
    }
}

type Context = RequestContext<RoleServer>;
type Notice = NotificationContext<RoleServer>;

#[expect(deprecated, reason = "what the SDK has, it passes on")]
impl ServerHandler for Heard {
    async fn ping(&self, _: Context) -> Result<(), ErrorData> {
        self.refuse("ping")
    }

    async fn discover(&self, _: Context) -> Result<model::DiscoverResult, ErrorData> {
        self.refuse("server/discover")
    }

    async fn complete(
        &self,
        _: model::CompleteRequestParams,
        _: Context,
    ) -> Result<model::CompleteResult, ErrorData> {
        self.refuse("completion/complete")
    }

    async fn set_level(
        &self,
        _: model::SetLevelRequestParams,
        _: Context,
    ) -> Result<(), ErrorData> {
        self.refuse("logging/setLevel")
    }

    async fn get_prompt(
        &self,
        _: model::GetPromptRequestParams,
        _: Context,
    ) -> Result<model::GetPromptResponse, ErrorData> {
        self.refuse("prompts/get")
    }

    async fn list_prompts(
        &self,
        _: Option<model::PaginatedRequestParams>,
        _: Context,
    ) -> Result<model::ListPromptsResult, ErrorData> {
        self.refuse("prompts/list")
    }

    async fn list_resources(
        &self,
        _: Option<model::PaginatedRequestParams>,
        _: Context,
    ) -> Result<model::ListResourcesResult, ErrorData> {
        self.refuse("resources/list")
    }

    async fn list_resource_templates(
        &self,
        _: Option<model::PaginatedRequestParams>,
        _: Context,
    ) -> Result<model::ListResourceTemplatesResult, ErrorData> {
        self.refuse("resources/templates/list")
    }

    async fn read_resource(
        &self,
        _: model::ReadResourceRequestParams,
        _: Context,
    ) -> Result<model::ReadResourceResponse, ErrorData> {
        self.refuse("resources/read")
    }

    async fn subscribe(
        &self,
        _: model::SubscribeRequestParams,
        _: Context,
    ) -> Result<(), ErrorData> {
        self.refuse("resources/subscribe")
    }

    async fn unsubscribe(
        &self,
        _: model::UnsubscribeRequestParams,
        _: Context,
    ) -> Result<(), ErrorData> {
        self.refuse("resources/unsubscribe")
    }

    async fn on_custom_request(
        &self,
        request: model::CustomRequest,
        _: Context,
    ) -> Result<model::CustomResult, ErrorData> {
        assert_eq!(request.method, "shop/close");
        self.refuse("shop/close")
    }

    async fn on_cancelled(&self, _: model::CancelledNotificationParam, _: Notice) {
        self.hear("notifications/cancelled");
    }

    async fn on_progress(&self, _: model::ProgressNotificationParam, _: Notice) {
        self.hear("notifications/progress");
    }

    async fn on_roots_list_changed(&self, _: Notice) {
        self.hear("notifications/roots/list_changed");
    }

    async fn on_custom_notification(&self, notification: model::CustomNotification, _: Notice) {
        assert_eq!(notification.method, "notifications/shop/opened");
        self.hear("notifications/shop/opened");
    }
}

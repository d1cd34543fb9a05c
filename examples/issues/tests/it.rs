//! What a client of the official SDK receives from the issue tracker.

use std::sync::{Arc, Mutex};

use breakfall::locale::Language;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{duplex, split};

/// A client whose user answers questions with this, or that cannot show a form.
#[derive(Clone)]
struct User(Option<Value>);

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        let forms = self.0.as_ref().map(|_| json!({"elicitation": {}}));
        let capabilities: ClientCapabilities =
            serde_json::from_value(forms.unwrap_or_else(|| json!({}))).expect("capabilities");
        info.capabilities = capabilities;
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = serde_json::to_value(request).expect("JSON");
        assert_eq!(asked["message"], "Who shall do 'Login is slow'?");
        let offered = &asked["requestedSchema"]["properties"]["assignee"]["enum"];
        assert_eq!(*offered, json!(["ada", "grace"]));
        let mut result = ElicitResult::new(ElicitationAction::Accept);
        result.content.clone_from(&self.0);
        Ok(result)
    }
}

struct Client {
    service: RunningService<RoleClient, User>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Client {
    async fn of(language: Language, user: Option<Value>) -> Self {
        let (here, there) = duplex(1 << 20);
        let log = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&log);
        let server = issues::server(language, move |line| {
            kept.lock().expect("a lock").push(line.to_owned());
        });
        tokio::spawn(async move {
            let running = server.serve(split(there)).await.expect("it opens");
            running.waiting().await.expect("it ends")
        });
        let service = User(user).serve(split(here)).await.expect("it opens");
        Self { service, log }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let arguments = arguments.as_object().expect("an object").clone();
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.service.call_tool(call).await.expect("a result");
        serde_json::to_value(result).expect("JSON")
    }
}

fn object(result: &Value) -> &Value {
    assert_eq!(result["isError"], true, "{result}");
    &result["_meta"]["dev.breakfall/error"]
}

#[tokio::test]
async fn a_list_that_was_cut_says_so() {
    let client = Client::of(Language::English, None).await;
    let whole = client.call("find_issues", json!({})).await;
    assert!(
        whole["_meta"]["dev.breakfall/success"]["warnings"].is_null(),
        "{whole}"
    );
    let cut = client.call("find_issues", json!({"limit": 1})).await;
    assert_eq!(cut["structuredContent"]["total"], 3, "{cut}");
    let warning = &cut["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "CONTENT_TRUNCATED", "{cut}");
    assert_eq!(warning["context"]["returned"], 1, "{cut}");
}

#[tokio::test]
async fn each_failure_has_its_code_and_its_way_on() {
    let client = Client::of(Language::English, None).await;
    let gone = client.call("get_issue", json!({"id": 99})).await;
    assert_eq!(object(&gone)["code"], "NOT_FOUND_RESOURCE");
    assert_eq!(object(&gone)["fallback_tool"], "find_issues");
    let unfit = client.call("get_issue", json!({"id": "one"})).await;
    assert_eq!(object(&unfit)["code"], "VALIDATION_INVALID_TYPE");
    assert_eq!(object(&unfit)["violations"][0]["pointer"], "/id");
    let small = client.call("find_issues", json!({"limit": 0})).await;
    assert_eq!(
        object(&small)["message"],
        "Parameter 'limit' must be at least 1"
    );
    let other = client
        .call("assign_issue", json!({"id": 1, "assignee": "bob"}))
        .await;
    assert_eq!(
        object(&other)["details"]["allowed_values"],
        json!(["ada", "grace"])
    );
}

#[tokio::test]
async fn a_panic_in_a_tool_that_is_not_idempotent_is_not_repeated() {
    let client = Client::of(Language::English, None).await;
    let result = client.call("open_issue", json!({"title": "crash"})).await;
    let object = object(&result);
    assert_eq!(object["code"], "INTERNAL_ERROR", "{result}");
    assert_eq!(object["retry"]["retryable"], false, "{result}");
    assert_eq!(object["details"]["executed"], "unknown", "{result}");
    assert!(!result.to_string().contains("index is damaged"), "{result}");
    let id = object["correlation_id"].as_str().expect("an id");
    let log = client.log.lock().expect("a lock").join("\n");
    assert!(
        log.contains(id) && log.contains("index is damaged"),
        "{log}"
    );
    let next = client
        .call("open_issue", json!({"title": "Dark mode"}))
        .await;
    assert_eq!(next["structuredContent"]["id"], 4, "it lives");
}

#[tokio::test]
async fn a_batch_says_what_succeeded_and_how_each_failure_is_mended() {
    let client = Client::of(Language::English, None).await;
    let result = client.call("close_issues", json!({"ids": [1, 99]})).await;
    let batch = &result["_meta"]["dev.breakfall/batch"];
    assert_eq!(
        (&batch["succeeded"], &batch["failed"]),
        (&json!(1), &json!(1))
    );
    let error = &batch["results"][1]["error"];
    assert_eq!(error["code"], "NOT_FOUND_RESOURCE", "{result}");
    assert!(error["remediation"].is_string() && error["correlation_id"].is_string());
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("99"), "{text}");
}

#[tokio::test]
async fn the_user_is_asked_where_the_client_shows_forms() {
    let client = Client::of(Language::English, Some(json!({"assignee": "grace"}))).await;
    let result = client.call("assign_issue", json!({"id": 1})).await;
    assert_eq!(result["structuredContent"]["assignee"], "grace", "{result}");
    let client = Client::of(Language::English, None).await;
    let result = client.call("assign_issue", json!({"id": 1})).await;
    let question = &result["_meta"]["dev.breakfall/needs_input"];
    assert_eq!(
        question["message"], "Who shall do 'Login is slow'?",
        "{result}"
    );
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("Who shall do"), "{text}");
}

#[tokio::test]
async fn all_of_it_is_in_spanish_where_that_is_asked_for() {
    let client = Client::of(Language::Spanish, None).await;
    let gone = client.call("get_issue", json!({"id": 99})).await;
    assert_eq!(object(&gone)["message"], "issue '99' no encontrado");
    let text = gone["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("issue '99' no encontrado"), "{text}");
    let cut = client.call("find_issues", json!({"limit": 1})).await;
    let said = &cut["_meta"]["dev.breakfall/success"]["warnings"][0]["message"];
    assert_eq!(
        said,
        "El contenido se ha recortado para ajustarse al límite de tamaño"
    );
    let crash = client.call("open_issue", json!({"title": "crash"})).await;
    let fix = object(&crash)["remediation"].as_str().expect("a remedy");
    assert!(
        fix.starts_with("No se sabe si la llamada tuvo efecto."),
        "{fix}"
    );
}

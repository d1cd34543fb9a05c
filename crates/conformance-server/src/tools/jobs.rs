//! Tools that become tasks, if the client can have them.

use std::time::Duration;

use rmcp::model::{
    CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CreateTaskResult, ErrorData,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskOptions};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::rounds::{filled, first, who};
use super::{Call, Reply, text};
use crate::ask::form;

type Done = Result<CallToolResult, TaskExit>;

pub(super) fn greet(call: &Call<'_>) -> CallToolResponse {
    text(format!("Hello, {}!", call.text("name").unwrap_or("friend")))
}

pub(super) async fn slow_compute(call: &Call<'_>) -> Reply {
    let seconds = call
        .argument("seconds")
        .and_then(Value::as_f64)
        .unwrap_or(1.0);
    let time = Duration::try_from_secs_f64(seconds);
    let time = time.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    let label = call.text("label").unwrap_or("it");
    let words = format!("Computed {label} in {seconds} s");
    if !has_tasks(call) {
        sleep(time).await;
        return Ok(text(words));
    }
    Ok(task(call, async move |task| {
        tokio::select! {
            () = task.cancelled() => Err(TaskExit::Cancelled),
            () = sleep(time) => Ok(result(words)),
        }
    }))
}

pub(super) fn failing(call: &Call<'_>) -> Reply {
    only_as_task(call)?;
    Ok(task(call, async |_| {
        sleep(Duration::from_secs(1)).await;
        Ok(CallToolResult::error(vec![ContentBlock::text(
            "The job failed, as it always does",
        )]))
    }))
}

pub(super) async fn protocol_error(call: &Call<'_>) -> Reply {
    let broken = || ErrorData::internal_error("the job broke, as it always does", None);
    if !has_tasks(call) {
        sleep(MOMENT).await;
        return Err(broken());
    }
    Ok(task(call, async move |_| {
        sleep(MOMENT).await;
        Err(TaskExit::Error(broken()))
    }))
}

pub(super) fn confirm_delete(call: &Call<'_>) -> Reply {
    only_as_task(call)?;
    let file = call.text("filename").unwrap_or("a file").to_owned();
    Ok(task(call, async move |task| {
        let properties = json!({"confirm": {"type": "boolean"}});
        let question = form(&format!("Delete {file}?"), &properties);
        let answer = task.request_input("confirm", question).await?;
        let yes = answer["content"]["confirm"] == true;
        Ok(result(format!(
            "{file} would {}be deleted",
            if yes { "" } else { "not " }
        )))
    }))
}

pub(super) fn two_answers(call: &Call<'_>) -> Reply {
    only_as_task(call)?;
    Ok(task(call, async |task| {
        let properties = json!({"value": {"type": "string"}});
        let one = task.request_input("first", form("The first value?", &properties));
        let other = task.request_input("second", form("The second value?", &properties));
        let (one, other) = tokio::try_join!(one, other)?;
        let values = [&one, &other].map(|answer| answer["content"]["value"].to_string());
        Ok(result(values.join(" and ")))
    }))
}

pub(super) fn after_a_question(call: &Call<'_>) -> Reply {
    only_as_task(call)?;
    let Some(name) = filled(call, "user_name", "name") else {
        return Ok(first([("user_name", who())]));
    };
    let words = format!("Hello, {name}, from a task!");
    Ok(task(call, async move |_| {
        sleep(MOMENT).await;
        Ok(result(words))
    }))
}

fn task<F>(call: &Call<'_>, work: impl FnOnce(TaskContext) -> F) -> CallToolResponse
where
    F: Future<Output = Done> + Send + 'static,
{
    let options = TaskOptions::new().with_poll_interval_ms(100);
    let task = call
        .fixture
        .tasks
        .spawn(options, |task| Box::pin(work(task)));
    CreateTaskResult::new(task).into()
}

fn result(words: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(words)])
}

fn only_as_task(call: &Call<'_>) -> Result<(), ErrorData> {
    if has_tasks(call) {
        return Ok(());
    }
    let required = ClientCapabilities::builder().enable_tasks().build();
    Err(ErrorData::missing_required_client_capability(required))
}

fn has_tasks(call: &Call<'_>) -> bool {
    let declared = call.context.client_capabilities();
    declared.is_some_and(|declared| declared.supports_tasks())
}

const MOMENT: Duration = Duration::from_millis(200);

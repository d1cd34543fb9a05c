//! Orders over HTTP. A handler returns what it has or a `Fault`, and the fault is the response.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use breakfall::http::ResponseFault;
use breakfall::{Fault, Window};

/// Orders, by their id.
type Orders = Arc<Mutex<BTreeMap<u32, String>>>;

/// Writes a line of the log.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// The service.
pub fn app(log: Log) -> Router {
    let orders = Orders::new(Mutex::new(BTreeMap::from([(1, "tea".to_owned())])));
    Router::new()
        .route("/orders/{id}", get(order).put(place))
        .layer(from_fn_with_state(log, report))
        .with_state(orders)
}

async fn order(State(orders): State<Orders>, Path(id): Path<String>) -> Result<String, Fault> {
    let id = parse(&id)?;
    let orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
    let order = orders.get(&id).cloned();
    order.ok_or_else(|| Fault::not_found("order", &id.to_string()))
}

async fn place(
    State(orders): State<Orders>,
    Path(id): Path<String>,
    article: String,
) -> Result<String, Fault> {
    let id = parse(&id)?;
    let mut orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
    if orders.len() >= MAX_ORDERS {
        let limited = Fault::rate_limited(MAX_ORDERS as u64, Window::Minute);
        return Err(limited.retry_after(Duration::from_secs(20)));
    }
    if article.is_empty() {
        let cause = "cannot append to /var/lib/orders/journal: no article";
        return Err(Fault::internal().caused_by(cause));
    }
    orders.insert(id, article.clone());
    Ok(article)
}

fn parse(id: &str) -> Result<u32, Fault> {
    id.parse()
        .map_err(|error| Fault::invalid_type("id", "integer", "string").caused_by(error))
}

/// Logs what the response does not say.
async fn report(State(log): State<Log>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if let Some(fault) = response.extensions().get::<ResponseFault>() {
        log(&fault.report());
    }
    response
}

/// The most orders that are taken.
const MAX_ORDERS: usize = 2;

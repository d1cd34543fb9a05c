//! The pages beside MCP: liveness, readiness, metrics. Handlers of the router; a new page is one more route here.

use std::future::ready;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::state::GatewayState;
use crate::record::{self, Gauges, METRICS_TYPE};
use crate::session;
use crate::upstream::HealthState;
use breakfall_mcp::error::ReplyOptions;
use breakfall_mcp::http_server::HttpRefusal;

/// Reads the gauges of the running service.
pub(super) type GaugeReader = Arc<dyn Fn() -> Gauges + Send + Sync>;

/// The routes of every path that is not MCP.
pub(super) fn router(state: Arc<GatewayState>, gauges: GaugeReader) -> Router {
    let metrics = move |State(state): State<Arc<GatewayState>>, headers: HeaderMap| {
        ready(metrics(&state, gauges(), &headers))
    };
    Router::new()
        .route("/healthz", page(get(healthz)))
        .route("/readyz", page(get(readyz)))
        .route("/metrics", page(get(metrics)))
        .fallback(unknown_path)
        .with_state(state)
}

/// A route that can only be read.
fn page(route: MethodRouter<Arc<GatewayState>>) -> MethodRouter<Arc<GatewayState>> {
    route.fallback(async || {
        let what = "This page can only be read";
        let refusal = HttpRefusal::method("GET, HEAD", what, "Send a GET request.");
        refusal.problem(&ReplyOptions::default()).map(Body::from)
    })
}

async fn unknown_path(uri: Uri) -> Response {
    let refusal = HttpRefusal::unknown_path(uri.path());
    refusal.problem(&ReplyOptions::default()).map(Body::from)
}

async fn healthz() -> Response {
    document(StatusCode::OK, &json!({"status": "alive"}))
}

/// Whether the gateway takes requests, and the state of each server. Names of servers need a key.
async fn readyz(State(state): State<Arc<GatewayState>>, headers: HeaderMap) -> Response {
    let site = state.site();
    let states = state.supervisor.states();
    let states = site.upstreams().map(|upstream| {
        let running = states.get(&upstream.name).copied();
        // A server that could not be started is down rather than idle.
        let was_down = upstream.health_state() == HealthState::Down;
        let state = running.or(was_down.then_some(session::ServerState::Down));
        (&*upstream.name, state_name(state))
    });
    let upstreams: Map<String, Value> = if site.keys.authenticate(&headers).is_ok() {
        states
            .map(|(name, state)| (name.to_owned(), state.into()))
            .collect()
    } else {
        let mut counts = Map::new();
        for (_, state) in states {
            let count = counts.get(state).and_then(Value::as_u64);
            counts.insert(state.to_owned(), (count.unwrap_or_default() + 1).into());
        }
        counts
    };
    if !state.is_draining() {
        let ready = json!({"status": "ready", "upstreams": upstreams});
        return document(StatusCode::OK, &ready);
    }
    let draining = json!({"status": "draining", "upstreams": upstreams});
    let mut response = document(StatusCode::SERVICE_UNAVAILABLE, &draining);
    let headers = response.headers_mut();
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// Counters, histograms and gauges. Names of servers and tools need a key.
fn metrics(state: &GatewayState, gauges: Gauges, headers: &HeaderMap) -> Response {
    let site = state.site();
    let now = Instant::now();
    let upstreams: Vec<_> = site.upstreams().collect();
    let states = upstreams.iter().flat_map(|upstream| {
        let states = upstream.resilience.breakers().states(now).into_iter();
        states.map(|(tool, state)| (&*upstream.name, tool, state))
    });
    let states: Vec<_> = states.collect();
    let breakers: Vec<_> = states
        .iter()
        .map(|(upstream, tool, state)| (*upstream, tool.as_deref(), *state))
        .collect();
    let is_named = site.keys.authenticate(headers).is_ok();
    let counts = state.options.recorder.counts();
    let text = record::metrics(&counts, &breakers, gauges, is_named);
    response(StatusCode::OK, METRICS_TYPE, text)
}

fn state_name(state: Option<session::ServerState>) -> &'static str {
    match state {
        None => "idle",
        Some(session::ServerState::Starting) => "starting",
        Some(session::ServerState::Up) => "up",
        Some(session::ServerState::Stuck) => "stuck",
        Some(session::ServerState::Down) => "down",
    }
}

fn document(status: StatusCode, document: &Value) -> Response {
    response(status, "application/json", document.to_string())
}

fn response(status: StatusCode, content_type: &'static str, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

//! What the front asks: what stands where, who somebody is, how we are.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use breakfall::Fault;
use http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::ServeOptions;
use super::endpoint::Endpoint;
use super::keepers::Keepers;
use super::site::Site;
use crate::record;
use crate::session::State;
use crate::upstream::HealthState;
use breakfall_mcp::access::{Door, Principal};
use breakfall_mcp::http_server::{Body, House, Refused};

/// What is served right now, and what was before and is not at its end.
#[derive(Debug)]
pub(super) struct Served {
    site: RwLock<Arc<Site>>,
    /// What nobody new comes to.
    before: Mutex<Vec<Arc<Endpoint>>>,
    pub(super) keepers: Arc<Keepers>,
    pub(super) options: ServeOptions,
    is_draining: AtomicBool,
}

impl Served {
    pub(super) fn new(site: Site, keepers: Arc<Keepers>, options: ServeOptions) -> Self {
        Self {
            site: RwLock::new(Arc::new(site)),
            before: Mutex::default(),
            keepers,
            options,
            is_draining: AtomicBool::new(false),
        }
    }

    /// What is served right now.
    pub(super) fn site(&self) -> Arc<Site> {
        let site = self.site.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&site)
    }

    /// Serves something else from now on. Whoever uses what is gone may end what is under way.
    pub(super) fn swap(&self, site: Site) {
        let site = Arc::new(site);
        let mut current = self.site.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *current, Arc::clone(&site));
        drop(current);
        let is_gone = |old: &&Arc<Endpoint>| !site.endpoints().any(|new| Arc::ptr_eq(old, new));
        let gone: Vec<_> = before.endpoints().filter(is_gone).cloned().collect();
        for endpoint in before.lost_to(&site) {
            endpoint.close();
        }
        self.lock().extend(gone);
        self.sweep(Instant::now());
    }

    /// Lets go of what nobody has used for long.
    pub(super) fn sweep(&self, now: Instant) {
        let site = self.site();
        let idle = site.config.sessions.idle;
        for endpoint in site.endpoints() {
            endpoint.sweep(now, idle);
        }
        self.lock()
            .retain(|endpoint| !endpoint.sweep(now, Duration::ZERO));
    }

    /// From now on we are not ready for anybody new.
    pub(super) fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Lets go of everything.
    pub(super) fn clear(&self) {
        let site = self.site();
        let before = std::mem::take(&mut *self.lock());
        for endpoint in site.endpoints().chain(&before) {
            endpoint.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Endpoint>>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was counted. What servers and tools are called is for those who may call them.
    fn metrics(&self, headers: &HeaderMap) -> Response<Body> {
        let site = self.site();
        let now = Instant::now();
        let upstreams: Vec<_> = site.upstreams().collect();
        let statuses = upstreams.iter().flat_map(|upstream| {
            let states = upstream.breakers().states(now).into_iter();
            states.map(|(tool, state)| (&*upstream.name, tool, state))
        });
        let statuses: Vec<_> = statuses.collect();
        let breakers: Vec<_> = statuses
            .iter()
            .map(|(upstream, tool, state)| (*upstream, tool.as_deref(), *state))
            .collect();
        let is_named = site.keys.who(headers).is_ok();
        let text = record::metrics(&self.options.recorder.counts(), &breakers, is_named);
        let mut response = Response::new(Body::once(text));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROMETHEUS));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    /// Whether we can be used, and how the servers are. What they are called is for those who may call them.
    fn readiness(&self, headers: &HeaderMap) -> Response<Body> {
        let site = self.site();
        let states = self.keepers.states();
        let states: Vec<_> = site
            .upstreams()
            .map(|upstream| {
                let state = states.get(&upstream.name).copied();
                // What could not be had is not merely out of use.
                let was_down = upstream.health_state() == HealthState::Down;
                let state = state.or(was_down.then_some(State::Down));
                (&*upstream.name, word(state))
            })
            .collect();
        let upstreams = if site.keys.who(headers).is_ok() {
            let each = states.iter();
            Value::Object(
                each.map(|(name, state)| ((*name).to_owned(), (*state).into()))
                    .collect(),
            )
        } else {
            let mut counts = Map::new();
            for (_, state) in states {
                let count = counts
                    .get(state)
                    .and_then(Value::as_u64)
                    .unwrap_or_default();
                counts.insert(state.to_owned(), (count + 1).into());
            }
            Value::Object(counts)
        };
        if self.is_draining.load(Ordering::Relaxed) {
            let document = json!({"status": "draining", "upstreams": upstreams});
            let mut response = page(StatusCode::SERVICE_UNAVAILABLE, &document);
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from_static("1"));
            return response;
        }
        page(
            StatusCode::OK,
            &json!({"status": "ready", "upstreams": upstreams}),
        )
    }
}

impl House for Served {
    fn door(&self, path: &str) -> Option<Arc<dyn Door>> {
        let site = self.site();
        let endpoint = Arc::clone(site.at(path)?);
        Some(endpoint)
    }

    fn who(&self, path: &str, headers: &HeaderMap) -> Result<Principal, Refused> {
        let site = self.site();
        if !Site::is_kept(path) {
            return Ok(Principal::Anybody);
        }
        if !site.passes_credentials(path) {
            return site.keys.who(headers);
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        match (given.next(), given.next()) {
            (None, _) => Ok(Principal::Anybody),
            (Some(one), None) => Ok(Principal::holder(one)),
            (Some(_), Some(_)) => Err(Refused::bad(
                "There are two of the header 'Authorization'",
                "Send one 'Authorization', with what the server asks for.",
            )),
        }
    }

    fn give_up(&self) {
        self.keepers.give_up();
    }

    fn tell_the_rest(&self, fault: &Fault) {
        let (site, before) = (self.site(), self.lock().clone());
        for endpoint in site.endpoints().chain(&before) {
            endpoint.tell_the_rest(fault);
        }
    }

    fn page(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<Result<Response<Body>, Refused>> {
        let page: fn(&Self, &HeaderMap) -> _ = match path {
            "/healthz" => |_, _| page(StatusCode::OK, &json!({"status": "alive"})),
            "/readyz" => Self::readiness,
            "/metrics" => Self::metrics,
            _ => return None,
        };
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Some(Err(Refused::method(
                "GET, HEAD",
                "How the gateway is can only be asked for",
            )));
        }
        Some(Ok(page(self, headers)))
    }
}

const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

fn word(state: Option<State>) -> &'static str {
    match state {
        None => "idle",
        Some(State::Starting) => "starting",
        Some(State::Up) => "up",
        Some(State::Down) => "down",
    }
}

fn page(status: StatusCode, document: &Value) -> Response<Body> {
    let mut response = Response::new(Body::once(document.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

//! What every request passes before any service sees it: `Host`, `Origin`, CORS, the framing of the body.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, RwLock};

use http::header::{ACCEPT_LANGUAGE, CONNECTION};
use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;

use super::connection_state::RequestGuard;
use super::cors;
use super::headers::{check_transfer, version};
use super::origin_policy::OriginPolicy;
use super::refusal::HttpRefusal;
use super::response_body::ResponseBody;
use crate::error::ReplyOptions;

/// Answers the requests of a server.
pub trait HttpService: Send + Sync + 'static {
    /// Answers one request. A refusal is written as [`is_mcp_path`] says.
    fn call(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<ResponseBody>, HttpRefusal>> + Send;
}

/// Whether a path belongs to MCP, whether or not an endpoint is there. There a refusal is a JSON-RPC error, at any other
/// path it is a problem (RFC 9457).
pub fn is_mcp_path(path: &str) -> bool {
    let rest = path.strip_prefix("/mcp");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The checks in front of a service.
#[derive(Debug)]
pub(super) struct Front {
    settings: RwLock<Arc<FrontSettings>>,
    /// Whether every connection closes after its current response.
    closes: AtomicBool,
    tls_warning: Once,
}

/// What a reload may change.
#[derive(Debug)]
pub(super) struct FrontSettings {
    pub(super) policy: OriginPolicy,
    /// How refused requests are answered.
    pub(super) replies: ReplyOptions,
}

impl FrontSettings {
    /// How one refused request is answered.
    fn replies(&self, languages: Option<&HeaderValue>) -> ReplyOptions {
        match languages.and_then(|languages| languages.to_str().ok()) {
            Some(languages) => self.replies.clone().locale(languages),
            None => self.replies.clone(),
        }
    }
}

impl Front {
    pub(super) fn new(settings: FrontSettings) -> Self {
        Self {
            settings: RwLock::new(Arc::new(settings)),
            closes: AtomicBool::new(false),
            tls_warning: Once::new(),
        }
    }

    pub(super) fn apply(&self, settings: FrontSettings) {
        *self.settings.write().expect("the lock is never poisoned") = Arc::new(settings);
    }

    pub(super) fn close_after_response(&self) {
        self.closes.store(true, Ordering::Relaxed);
    }

    /// Warns, once, that a client speaks TLS to a server without a certificate: the client's own error says little.
    pub(super) fn warn_of_tls(&self) {
        self.tls_warning.call_once(|| {
            tracing::warn!(
                "a client speaks TLS, but no certificate is configured: use http:// in its URL, or set 'tls' in the configuration"
            );
        });
    }

    /// Answers one request. The guard lasts until the response is written.
    pub(super) async fn answer<S: HttpService>(
        &self,
        service: &S,
        request: Request<Incoming>,
        guard: RequestGuard,
    ) -> Response<ResponseBody> {
        let version = version(request.headers());
        let is_mcp = is_mcp_path(request.uri().path());
        let settings = self.settings();
        let languages = request.headers().get(ACCEPT_LANGUAGE).cloned();
        let origin = settings.policy.allowed_origin(request.headers());
        let answered = match check(&settings.policy, &request) {
            Ok(()) if origin.is_some() && cors::is_preflight(&request) => {
                Ok(cors::preflight_response(request.headers()))
            }
            Ok(()) => service.call(request).await,
            Err(refusal) => Err(refusal),
        };
        let mut response = answered.unwrap_or_else(|refusal| {
            tracing::debug!(status = refusal.status().as_u16(), "request refused");
            let options = settings.replies(languages.as_ref());
            let response = if is_mcp {
                refusal.response(version, &options)
            } else {
                refusal.problem(&options)
            };
            response.map(ResponseBody::once)
        });
        if let Some(origin) = origin {
            cors::allow_origin(&mut response, origin);
        }
        if self.closes.load(Ordering::Relaxed) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        response.map(|body| body.guarded_by(guard))
    }

    fn settings(&self) -> Arc<FrontSettings> {
        Arc::clone(&self.settings.read().expect("the lock is never poisoned"))
    }
}

fn check(policy: &OriginPolicy, request: &Request<Incoming>) -> Result<(), HttpRefusal> {
    policy.check(request.uri(), request.headers())?;
    check_transfer(request.headers())
}

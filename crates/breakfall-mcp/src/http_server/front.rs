//! What every request passes before any service sees it: `Host`, `Origin`, CORS, the framing of the body.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, RwLock};

use http::header::CONNECTION;
use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;

use super::connection_state::RequestGuard;
use super::cors;
use super::headers::{check_transfer, version};
use super::origin_policy::OriginPolicy;
use super::refusal::HttpRefusal;
use super::response_body::ResponseBody;

/// Answers the requests of a server.
pub trait HttpService: Send + Sync + 'static {
    /// Answers one request. A refusal is written as a JSON-RPC error.
    fn call(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<ResponseBody>, HttpRefusal>> + Send;
}

/// The checks in front of a service.
#[derive(Debug)]
pub(super) struct Front {
    policy: RwLock<Arc<OriginPolicy>>,
    /// Whether every connection closes after its current response.
    closes: AtomicBool,
    tls_warning: Once,
}

impl Front {
    pub(super) fn new(policy: OriginPolicy) -> Self {
        Self {
            policy: RwLock::new(Arc::new(policy)),
            closes: AtomicBool::new(false),
            tls_warning: Once::new(),
        }
    }

    pub(super) fn set_policy(&self, policy: OriginPolicy) {
        *self.policy.write().expect("the lock is never poisoned") = Arc::new(policy);
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
        let policy = self.policy();
        let origin = policy.allowed_origin(request.headers());
        let answered = match check(&policy, &request) {
            Ok(()) if origin.is_some() && cors::is_preflight(&request) => {
                Ok(cors::preflight_response(request.headers()))
            }
            Ok(()) => service.call(request).await,
            Err(refusal) => Err(refusal),
        };
        let mut response = answered.unwrap_or_else(|refusal| {
            tracing::debug!(status = refusal.status().as_u16(), "request refused");
            refusal.response(version).map(ResponseBody::once)
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

    fn policy(&self) -> Arc<OriginPolicy> {
        Arc::clone(&self.policy.read().expect("the lock is never poisoned"))
    }
}

fn check(policy: &OriginPolicy, request: &Request<Incoming>) -> Result<(), HttpRefusal> {
    policy.check(request.uri(), request.headers())?;
    check_transfer(request.headers())
}

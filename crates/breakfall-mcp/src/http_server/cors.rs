//! CORS, for pages of the configured origins.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};

use super::response_body::ResponseBody;

/// Whether a request is a CORS preflight.
pub(super) fn is_preflight<B>(request: &Request<B>) -> bool {
    let has_method = request
        .headers()
        .contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    request.method() == Method::OPTIONS && has_method
}

/// Allows what a preflight asks for.
pub(super) fn preflight_response(asked: &HeaderMap) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, POST, DELETE");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    // Header names such as `Mcp-Param-Order` contain parameter names, so no fixed list covers them.
    if let Some(names) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// Lets pages of an origin read a response.
pub(super) fn allow_origin(response: &mut Response<ResponseBody>, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let exposed = HeaderValue::from_static("Mcp-Session-Id, Retry-After, WWW-Authenticate");
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    headers.append(VARY, HeaderValue::from_static("Origin"));
}

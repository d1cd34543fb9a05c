//! What lies behind the front: whoever serves implements this, and the front needs to know nothing else of it.

use std::fmt;
use std::sync::Arc;

use breakfall::Fault;
use http::{HeaderMap, Method, Response};

use super::body::Body;
use super::refused::Refused;
use crate::access::{Door, Principal};

/// Everything that can be reached here.
pub trait House: fmt::Debug + Send + Sync {
    /// The endpoint at a path, if there is one.
    fn door(&self, path: &str) -> Option<Arc<dyn Door>>;

    /// Whoever makes a request to a path, by the headers of the request. It is asked before anything is said of what
    /// is there.
    ///
    /// # Errors
    /// When it has to say who it is and does not: [`super::Refused::stranger`].
    fn who(&self, _path: &str, _headers: &HeaderMap) -> Result<Principal, Refused> {
        Ok(Principal::Anybody)
    }

    /// There is no time any more: whoever waits for an answer is told that there will be none.
    fn give_up(&self) {}

    /// And those who have not heard it from where they wait are told this, except in sessions.
    fn tell_the_rest(&self, _fault: &Fault) {}

    /// A page that is no endpoint, as those that tell how the gateway is.
    ///
    /// # Errors
    /// When it is there, and asked for in a way that means nothing.
    fn page(
        &self,
        _method: &Method,
        _path: &str,
        _headers: &HeaderMap,
    ) -> Option<Result<Response<Body>, Refused>> {
        None
    }
}

//! `anyhow::Error` → a fault: the causes it knows decide, looked for through the whole chain. The error itself is the private
//! cause, so the log has every context.
//!
//! ```
//! use std::io::{Error, ErrorKind};
//!
//! use anyhow::Context;
//! use breakfall::{Fault, codes};
//!
//! fn stock() -> anyhow::Result<u32> {
//!     Err(Error::from(ErrorKind::ConnectionRefused)).context("asking 10.0.0.7 for the stock")
//! }
//!
//! fn tool() -> Result<u32, Fault> {
//!     Ok(stock()?)
//! }
//!
//! let fault = tool().unwrap_err();
//! assert_eq!(fault.code(), codes::UNAVAILABLE_NETWORK);
//! assert!(!fault.message_text().contains("10.0.0.7"));
//! assert!(fault.report().to_string().contains("asking 10.0.0.7 for the stock"));
//! ```

use std::error::Error as StdError;
use std::fmt;

use anyhow::Error;

use super::{internal, io};
use crate::fault::Fault;

/// A fault in the chain is the result, with the contexts around it as notes. Otherwise the first cause decides that shows
/// an unavailable service: an error of `std::io`, and with their features those of `reqwest` and `hyper`. With none of them
/// it is an internal error.
///
/// An error with `#[derive(Fault)]` is found by its type: [`downcast`].
pub fn fault(error: Error) -> Fault {
    let mut contexts = Vec::new();
    for cause in error.chain().take(MAX_CAUSES) {
        if let Some(fault) = cause.downcast_ref::<Fault>() {
            return noting(fault.clone(), contexts);
        }
        contexts.push(cause.to_string());
    }
    let known = error.chain().take(MAX_CAUSES).find_map(known);
    known.unwrap_or_else(Fault::internal).caused_by(error)
}

/// The fault of an error type that the chain holds, with the contexts around it as notes; or the error, for the next
/// type.
///
/// ```
/// use anyhow::Context;
/// use breakfall::Fault;
/// use breakfall::classify::anyhow::{downcast, fault};
///
/// #[derive(Debug, Fault)]
/// #[fault(code = "SHOP_CLOSED", extends = CONFLICT_INVALID_STATE, message = "The shop is closed")]
/// struct Closed;
///
/// let result: anyhow::Result<()> = Err(Closed).context("ordering tea");
/// let fault = downcast::<Closed>(result.unwrap_err()).unwrap_or_else(fault);
/// assert_eq!(fault.message_text(), "The shop is closed");
/// assert!(fault.report().to_string().contains("ordering tea"));
/// ```
///
/// # Errors
///
/// The error as it was, when it holds no such type.
pub fn downcast<E>(error: Error) -> Result<Fault, Error>
where
    E: Into<Fault> + fmt::Display + fmt::Debug + Send + Sync + 'static,
{
    let contexts: Vec<String> = error.chain().map(ToString::to_string).collect();
    let own = error.downcast::<E>()?;
    let position = contexts.iter().position(|text| *text == own.to_string());
    let around = contexts.into_iter().take(position.unwrap_or_default());
    Ok(noting(own.into(), around))
}

/// Bounds the causes looked at: nothing keeps an error from being its own cause.
const MAX_CAUSES: usize = 64;

fn noting(fault: Fault, contexts: impl IntoIterator<Item = String>) -> Fault {
    contexts.into_iter().fold(fault, Fault::note)
}

/// The fault of a cause that shows by its type what happened, as `?` on that cause would make it.
fn known(cause: &(dyn StdError + 'static)) -> Option<Fault> {
    #[cfg(feature = "reqwest")]
    if let Some(error) = cause.downcast_ref::<::reqwest::Error>() {
        let fault = super::reqwest::of(error);
        return Some(internal::unless_in(internal::OF_A_SERVICE, fault));
    }
    #[cfg(feature = "hyper")]
    if let Some(error) = cause.downcast_ref::<::hyper::Error>() {
        let fault = super::hyper::of(error);
        return Some(internal::unless_in(internal::OF_A_SERVICE, fault));
    }
    let error = cause.downcast_ref::<std::io::Error>()?;
    // A fault that travels inside an I/O error.
    if let Some(fault) = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Fault>())
    {
        return Some(fault.clone());
    }
    let fault = io::of_kind(error.kind());
    Some(internal::unless_in(internal::OF_DATA, fault))
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        fault(error)
    }
}

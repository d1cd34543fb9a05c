//! A panic → a fault: to the caller a defect like any other, to the operator the words of the panic.

use std::any::Any;

use super::excerpt;
use crate::fault::{Confidence, Fault, Provenance};

/// The fault of what `catch_unwind` or a joined thread or task hands over. A fault that was thrown on purpose is itself.
///
/// ```
/// use breakfall::{classify::panic, codes};
///
/// let payload = std::panic::catch_unwind(|| panic!("index 7 of /srv/orders.db")).expect_err("it panics");
/// let fault = panic::fault(payload);
/// assert_eq!(fault.code(), codes::INTERNAL_ERROR);
/// assert_eq!(fault.public().message(), "Internal error");
/// assert!(fault.report().to_string().contains("index 7 of /srv/orders.db"), "the log knows");
/// ```
pub fn fault(payload: Box<dyn Any + Send>) -> Fault {
    let payload = match payload.downcast::<Fault>() {
        Ok(fault) => return *fault,
        Err(payload) => payload,
    };
    let words = payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .and_then(|words| excerpt::text(words, excerpt::NOTE));
    let words = words.as_deref().unwrap_or("without a message");
    Fault::internal()
        .provenance(Provenance::new("panic", Confidence::Structural))
        .note(format!("panicked: {words}"))
}

//! Unknown codes: an envelope around a server's own code, which has no known meaning, and its text, which may have.

use breakfall::classify::Classifier;
use breakfall::read::Reading;
use breakfall::wire::Dialect;
use breakfall::{Fault, codes};

/// Whether the failure rests on an unknown code of the server alone.
pub(super) fn is_unknown(reading: &Reading) -> bool {
    let is_envelope = match reading.dialect {
        Some(Dialect::ResponseV2 | Dialect::McpAql) => true,
        None
        | Some(
            Dialect::Native
            | Dialect::McpError
            | Dialect::ErrorModel
            | Dialect::ToolError
            | Dialect::Problem,
        ) => false,
    };
    let is_unknown = |fault: &Fault| {
        let public = fault.public();
        public.code() == codes::INTERNAL_UNKNOWN && public.domain_code().is_some()
    };
    is_envelope && reading.outcome.fault().is_some_and(is_unknown)
}

/// The fault inferred from the text, with everything else that was read.
pub(super) fn by_words(fault: &Fault, classifier: &Classifier) -> Fault {
    let public = fault.public();
    let words = public.message();
    let mut judged = classifier.text(&words).message(&*words);
    if let Some(name) = public.domain_code() {
        judged = judged.domain_code(name);
    }
    if let Some(id) = public.correlation_id() {
        judged = judged.correlation_id(id.clone());
    }
    if let Some(at) = public.timestamp() {
        judged = judged.at(at);
    }
    if let Some(wait) = public.retry_after() {
        judged = judged.retry_after(wait);
    }
    if let Some(status) = public.http_status() {
        judged = judged.http_status(status);
    }
    for (key, value) in public.details().iter() {
        judged = judged.detail(key.to_owned(), value.clone());
    }
    for violation in public.violations() {
        judged = judged.violation(violation.clone());
    }
    judged
}

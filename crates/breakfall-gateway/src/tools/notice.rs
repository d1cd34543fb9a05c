//! Warnings about tools, apart from their arguments and results.

use std::time::Duration;

use breakfall::Warning;
use breakfall::catalog::warning::{self, slow_query_severity};

/// A warning about a deprecated tool. `instead` is the advice of the operator, `replacement` the tool to call instead
/// if the advice is a name.
///
/// ```
/// use breakfall_gateway::tools::notice::deprecated;
///
/// let warning = deprecated("find", "search", Some("search"));
/// assert_eq!(warning.text(), "'find' is deprecated");
/// assert_eq!(warning.facts().text("replacement"), Some("search"));
/// assert_eq!(deprecated("find", "ends in May", None).text(), "'find' is deprecated: ends in May");
/// ```
pub fn deprecated(tool: &str, instead: &str, replacement: Option<&str>) -> Warning {
    let warning = Warning::new(warning::DEPRECATION_WARNING)
        .context("type", "operation")
        .context("deprecated_item", tool);
    match replacement {
        Some(replacement) => warning.context("replacement", replacement),
        None => warning.message(format!("'{tool}' is deprecated: {instead}")),
    }
}

/// A warning about a slow call, if it was slow.
///
/// ```
/// use std::time::Duration;
/// use breakfall_gateway::tools::notice::slow;
///
/// let second = Duration::from_secs(1);
/// assert!(slow("find", second, 2 * second).is_none());
/// let warning = slow("find", 5 * second, 2 * second).expect("it was slow");
/// assert_eq!(warning.text(), "Operation 'find' was slow: '5000' ms");
/// ```
pub fn slow(tool: &str, took: Duration, should_take: Duration) -> Option<Warning> {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (took, should_take) = (millis(took), millis(should_take));
    (took > should_take).then(|| {
        Warning::new(warning::PERFORMANCE_SLOW_QUERY_WARNING)
            .severity(slow_query_severity(took, should_take))
            .context("operation", tool)
            .context("duration_ms", took)
            .context("threshold_ms", should_take)
    })
}

/// A warning about a call whose arguments were not validated.
///
/// ```
/// let warning = breakfall_gateway::tools::notice::unchecked("buy", "the server did not list its tools");
/// assert_eq!(warning.text(), "Arguments of 'buy' were not checked");
/// ```
pub fn unchecked(tool: &str, reason: &str) -> Warning {
    Warning::new(warning::ARGUMENTS_UNCHECKED)
        .context("operation", tool)
        .context("reason", reason)
}

/// A warning about a call that was validated with a stale list.
///
/// ```
/// let warning = breakfall_gateway::tools::notice::stale("shop");
/// assert_eq!(warning.text(), "Tools of 'shop' may have changed since they were listed");
/// ```
pub fn stale(upstream: &str) -> Warning {
    Warning::new(warning::TOOL_LIST_STALE).context("upstream", upstream)
}

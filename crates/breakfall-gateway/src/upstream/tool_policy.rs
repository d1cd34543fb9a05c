//! The policy of one tool: its own settings, and those of its upstream where it has none.

use std::time::Duration;

use breakfall::gate::DangerLevel;
use breakfall_mcp::timeouts::Timeouts;

use super::Upstream;
use crate::classify::HiddenFailures;
use crate::config::{
    FallbackTool, HintTrust, Switch, TimeoutSetting, ToolSettings, ToolUsage, UnlistedTools,
    ValidationMode, ValidationModes,
};
use crate::reply::ReplyOptions;
use crate::resilience::breaker::BreakerPolicy;
use crate::resilience::bulkhead::BulkheadScope;
use crate::resilience::retry::RetryPolicy;

/// The settings that apply to the calls of one tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolPolicy {
    /// The timeouts of a call.
    pub timeouts: Timeouts,
    /// When a failed call is retried, if ever.
    pub retry: Option<RetryPolicy>,
    /// When the circuit opens, if ever.
    pub breaker: Option<BreakerPolicy>,
    /// The concurrency limit.
    pub concurrency: BulkheadScope,
    /// How much may be used.
    pub usage: ToolUsage,
    /// What is done about results that claim success and look failed.
    pub hidden_failures: HiddenFailures,
    /// Whether annotations say if repeating a call does harm.
    pub hints: HintTrust,
    /// Whether the operator declares that repeating a call does no harm.
    pub idempotent: Option<bool>,
    /// The tool the operator names in its place.
    pub fallback: Option<FallbackTool>,
    /// What is validated.
    pub validate: ValidationModes,
    /// What happens if the server does not list it.
    pub unlisted: UnlistedTools,
    /// What to use instead of a deprecated tool.
    pub deprecated: Option<String>,
    /// The duration from which a success carries a warning.
    pub slow: Option<Duration>,
    /// The parameters a user can correct.
    pub ask: Vec<String>,
    /// The danger that the operator declares.
    pub danger: Option<DangerLevel>,
    /// Why it is dangerous.
    pub reasons: Vec<String>,
    /// How failures are answered, before the wishes of the request.
    pub reply: ReplyOptions,
}

impl ToolPolicy {
    /// Whether the tool list of the server matters for a call.
    pub(crate) fn needs_tool_list(&self) -> bool {
        self.unlisted == UnlistedTools::Refuse
            || self.validate != ValidationModes::all(ValidationMode::Off)
    }
}

impl Upstream {
    /// The policy of a tool.
    ///
    /// ```
    /// use breakfall_gateway::resilience::bulkhead::BulkheadScope;
    /// use breakfall_gateway::resilience::retry::RetryPolicy;
    /// use breakfall_gateway::upstream::{Origin, Upstream};
    ///
    /// let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    /// let policy = shop.tool_policy("search");
    /// assert_eq!(policy.retry, Some(RetryPolicy::default()));
    /// assert_eq!(policy.concurrency, BulkheadScope::Unlimited);
    /// ```
    pub fn tool_policy(&self, tool: &str) -> ToolPolicy {
        let own: ToolSettings = self.tools.policy(tool);
        let shared = self.concurrency;
        let shared = shared.map_or(BulkheadScope::Unlimited, BulkheadScope::Upstream);
        ToolPolicy {
            timeouts: TimeoutSetting::replacing(own.timeout, self.timeouts),
            retry: own.retry.map_or(self.retry, Switch::on),
            breaker: own.breaker.map_or(self.breaker, Switch::on),
            concurrency: match own.concurrency {
                None => shared,
                Some(Switch::Off) => BulkheadScope::Unlimited,
                Some(Switch::On(policy)) => BulkheadScope::Tool(policy),
            },
            usage: self.tools.usage(tool, &self.gateway_usage, &self.usage),
            hidden_failures: own
                .hidden_failures
                .unwrap_or(self.context.replies.hidden_failures),
            hints: self.hints,
            idempotent: own.idempotent,
            validate: self.tools.modes(tool, self.modes),
            unlisted: own.unlisted.unwrap_or(self.unlisted),
            slow: own.slow,
            reply: self.context.replies.options_for(&own),
            fallback: own.fallback_tool,
            deprecated: own.deprecated,
            ask: own.ask,
            danger: own.danger,
            reasons: own.reasons,
        }
    }
}

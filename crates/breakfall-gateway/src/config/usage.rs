//! How much a server or a tool may be used: the same three keys for the gateway, an upstream, and tools by pattern.

use std::sync::Arc;

use super::cost::CostModel;
use super::kinds::optional;
use super::quota::{Quota, quotas};
use super::rate::RateLimit;
use super::setting::Visitor;
use super::switch::{Switch, switch};

/// How much may be used, as it is set at one place. What is not set is taken from the next wider place.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct UsageLimits {
    /// How many calls may be made in a time.
    pub rate: Option<Switch<RateLimit>>,
    /// How much may be used in calendar windows.
    pub quotas: Option<Arc<[Quota]>>,
    /// What a call costs.
    pub cost: Option<Switch<CostModel>>,
}

/// Declares the keys.
pub(super) fn settings(usage: &mut UsageLimits, visitor: &mut impl Visitor) {
    let text = "How many calls may be made in a time. The nearest setting counts a call: that of the most exact pattern of tools, else that of the upstream, else that of the gateway; `off`: no limit.";
    visitor.setting("rate", text, &mut usage.rate, optional(switch()));
    let text = "How much may be used in a minute, an hour, a day or a month of the calendar. The nearest list counts a call, and an empty one is no limit.";
    visitor.setting("quotas", text, &mut usage.quotas, optional(quotas()));
    let text = "What a call costs, for quotas that count costs. The nearest setting holds.";
    visitor.setting("cost", text, &mut usage.cost, optional(switch()));
}

impl UsageLimits {
    /// What a call costs.
    pub fn cost(&self) -> Option<&CostModel> {
        match &self.cost {
            Some(Switch::On(cost)) => Some(cost),
            Some(Switch::Off) | None => None,
        }
    }
}

/// Where a limit is set, which says whose calls it counts together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the three places of a file")]
pub enum LimitScope {
    /// For the gateway: the calls of all its upstreams.
    Gateway,
    /// For an upstream: the calls of all its tools.
    Upstream,
    /// For a pattern of tools of an upstream: the calls of all tools that fit it.
    Tools(Arc<str>),
}

impl LimitScope {
    /// What it is called for callers of an upstream.
    ///
    /// ```
    /// use breakfall_gateway::config::LimitScope;
    ///
    /// assert_eq!(LimitScope::Upstream.name("shop"), "shop");
    /// assert_eq!(LimitScope::Tools("write_*".into()).name("shop"), "shop/write_*");
    /// ```
    pub fn name(&self, upstream: &str) -> String {
        match self {
            Self::Gateway => "gateway".to_owned(),
            Self::Upstream => upstream.to_owned(),
            Self::Tools(pattern) => format!("{upstream}/{pattern}"),
        }
    }

    /// The same for stores, where the gateway has a name that no upstream can have.
    pub fn key(&self, upstream: &str) -> String {
        match self {
            Self::Gateway => "*".to_owned(),
            Self::Upstream | Self::Tools(_) => self.name(upstream),
        }
    }
}

/// The settings that hold for one tool, each with the place where it is set.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolUsage {
    /// How many calls may be made in a time.
    pub rate: Option<(LimitScope, RateLimit)>,
    /// How much may be used in calendar windows.
    pub quotas: Option<(LimitScope, Arc<[Quota]>)>,
    /// What a call costs.
    pub cost: Option<CostModel>,
}

impl ToolUsage {
    /// Replaces what a nearer place sets.
    pub(super) fn narrow(&mut self, nearer: &UsageLimits, scope: impl Fn() -> LimitScope) {
        match &nearer.rate {
            Some(Switch::On(rate)) => self.rate = Some((scope(), *rate)),
            Some(Switch::Off) => self.rate = None,
            None => {}
        }
        if let Some(quotas) = &nearer.quotas {
            self.quotas = (!quotas.is_empty()).then(|| (scope(), Arc::clone(quotas)));
        }
        match &nearer.cost {
            Some(Switch::On(cost)) => self.cost = Some(cost.clone()),
            Some(Switch::Off) => self.cost = None,
            None => {}
        }
    }
}

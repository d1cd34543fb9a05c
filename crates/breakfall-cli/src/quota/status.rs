//! The status of quotas: what is configured, and what is stored of it.

use breakfall_gateway::config::{
    Config, CountedBy, LimitScope, Quota, RateLimit, Switch, UsageLimits,
};
use breakfall_gateway::resilience::quota::{Amount, CalendarWindow, QuotaUse, metric_key};
use breakfall_gateway::store::StoredCounter;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A place of a configuration that limits something.
#[derive(Debug)]
pub(super) struct LimitedPlace<'a> {
    /// The upstream; `None` for the gateway.
    pub(super) upstream: Option<&'a str>,
    /// What it is called.
    pub(super) name: String,
    /// What it is called in stores.
    pub(super) key: String,
    pub(super) rate: Option<RateLimit>,
    pub(super) quotas: &'a [Quota],
}

/// The places of a configuration, in its order.
pub(super) fn places(config: &Config) -> Vec<LimitedPlace<'_>> {
    let mut places = vec![place(None, &LimitScope::Gateway, &config.usage)];
    for upstream in &config.upstreams {
        let name = upstream.name.as_str();
        places.push(place(Some(name), &LimitScope::Upstream, &upstream.usage));
        for (pattern, tool) in upstream.tools.iter() {
            let scope = LimitScope::Tools(pattern.as_str().into());
            places.push(place(Some(name), &scope, &tool.usage));
        }
    }
    places.retain(|place| place.rate.is_some() || !place.quotas.is_empty());
    places
}

fn place<'a>(
    upstream: Option<&'a str>,
    scope: &LimitScope,
    usage: &'a UsageLimits,
) -> LimitedPlace<'a> {
    let of = upstream.unwrap_or_default();
    LimitedPlace {
        upstream,
        name: scope.name(of),
        key: scope.key(of),
        rate: usage.rate.and_then(Switch::on),
        quotas: usage.quotas.as_deref().unwrap_or_default(),
    }
}

/// The status of every place.
#[derive(Debug)]
pub(super) struct QuotaStatusReport<'a> {
    pub(super) places: Vec<PlaceStatus<'a>>,
}

/// The status of one place.
#[derive(Debug)]
pub(super) struct PlaceStatus<'a> {
    pub(super) place: &'a LimitedPlace<'a>,
    pub(super) uses: Vec<CountedUse>,
}

/// A quota, what is used of it, and whose use that is.
#[derive(Debug)]
pub(super) struct CountedUse {
    /// `None` where all are counted together.
    pub(super) principal: Option<String>,
    pub(super) used: QuotaUse,
}

impl PlaceStatus<'_> {
    /// When the next of its windows is over.
    pub(super) fn next_reset(&self) -> Option<Timestamp> {
        self.uses.iter().map(|one| one.used.resets_at).min()
    }
}

impl<'a> QuotaStatusReport<'a> {
    pub(super) fn new(
        places: &'a [LimitedPlace<'a>],
        stored: &[StoredCounter],
        zone: &TimeZone,
        now: Timestamp,
    ) -> Self {
        let of = |place: &'a LimitedPlace<'a>| {
            let uses = place.quotas.iter();
            let uses = uses.flat_map(|quota| uses_of(quota, &place.key, stored, zone, now));
            PlaceStatus {
                place,
                uses: uses.collect(),
            }
        };
        Self {
            places: places.iter().map(of).collect(),
        }
    }
}

fn uses_of(
    quota: &Quota,
    scope: &str,
    stored: &[StoredCounter],
    zone: &TimeZone,
    now: Timestamp,
) -> Vec<CountedUse> {
    let window = CalendarWindow::at(quota.metric.period(), zone, now);
    let metric = metric_key(quota);
    let by_principal = quota.by == CountedBy::Principal;
    let of_quota = |one: &&StoredCounter| {
        *one.key.scope == *scope
            && *one.key.metric == *metric
            && one.window == window
            && one.key.principal.is_empty() != by_principal
    };
    let counted = |principal: Option<String>, used| CountedUse {
        principal,
        used: QuotaUse::new(quota.clone(), used, window.end),
    };
    let uses: Vec<CountedUse> = stored
        .iter()
        .filter(of_quota)
        .map(|one| {
            counted(
                by_principal.then(|| principal(&one.key.principal)),
                one.used,
            )
        })
        .collect();
    if uses.is_empty() && !by_principal {
        return vec![counted(None, Amount(0))];
    }
    uses
}

/// The name of a principal for readers.
fn principal(stored: &str) -> String {
    match stored {
        "#" => "(without a key)".to_owned(),
        name => name.to_owned(),
    }
}

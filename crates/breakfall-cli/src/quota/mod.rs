//! `breakfall quota`: how much of each quota of a gateway is used.

mod json;
mod page;
mod status;

use breakfall_gateway::config::{Config, ConfigError};
use breakfall_gateway::store::{CounterStore as _, StoreError};
use jiff::Timestamp;

use crate::args::QuotaArgs;
use crate::config::refused;
use crate::report::{CommandError, CommandReport, ReportBody};
use crate::store_file;
use status::QuotaStatusReport;

pub(crate) fn run(
    args: &QuotaArgs,
    terminal: Option<usize>,
) -> Result<CommandReport, CommandError> {
    let refused = |problems: ConfigError| refused(&problems);
    let config = Config::load(&args.config).map_err(refused)?;
    let now = Timestamp::now();
    let places = status::places(&config);
    let has_quotas = places.iter().any(|place| !place.quotas.is_empty());
    let mut stored = Vec::new();
    if has_quotas {
        let file = store_file::of(Some(&config), "counters")?;
        let read = store_file::read(&file, async |store| {
            let mut stored = Vec::new();
            for place in &places {
                stored.extend(store.usage(&place.key, now).await?);
            }
            Ok(stored)
        })?;
        stored = match read {
            Ok(stored) => stored,
            // Nothing has been counted yet.
            Err(StoreError::Missing) => Vec::new(),
            Err(failure) => return Err(store_file::unable(&file, true, &failure)),
        };
    }
    let report = QuotaStatusReport::new(&places, &stored, &config.time_zone, now);
    let body = if args.json {
        ReportBody::Exact(json::answer(&report))
    } else {
        let width = terminal.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
        ReportBody::Page(page::answer(&report, width))
    };
    Ok(CommandReport::new(body))
}

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;

//! The failure or call with a correlation id, from the store of a gateway.

mod page;

use std::path::PathBuf;

use breakfall::CorrelationId;
use breakfall_gateway::config::{
    Config, ConfigError, ProcessEnvironment, Retention, StoreLocation as StoreKind,
};
use breakfall_gateway::record::Report as StoredReport;
use breakfall_gateway::store::{ChainLink, Sqlite, Store as _, StoreError, default_file};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::ExplainArgs;
use crate::config::refused;
use crate::layout::shorten;
use crate::report::{CommandError, CommandReport, ReportBody};

/// What is stored under an id; `None` if the word may be a misspelt code instead.
///
/// # Errors
/// When it is certainly an id and is not found, or the store cannot be read.
pub(super) fn run(
    query: &str,
    args: &ExplainArgs,
    width: usize,
) -> Result<Option<CommandReport>, CommandError> {
    // Foreign ids can have any form; with a store named, the word is an id.
    let is_id = is_uuid(query) || args.config.is_some();
    if CorrelationId::new(query).is_err() {
        return Ok(None);
    }
    let found = IncidentStore::of(args, width).and_then(|store| {
        // Ids of Breakfall are lower case, foreign ids are stored as they came, and users type either.
        for spelling in [
            query.to_owned(),
            query.to_ascii_lowercase(),
            query.to_ascii_uppercase(),
        ] {
            if let Some(found) = store.find(&spelling)? {
                return Ok(found);
            }
        }
        Err(store.not_found(query))
    });
    match found {
        Ok(found) if args.json => Ok(Some(CommandReport::new(ReportBody::Exact(
            found.to_json(query),
        )))),
        Ok(found) => {
            let page = page::answer(query, &found, width);
            Ok(Some(CommandReport::new(ReportBody::Page(page))))
        }
        Err(error) if is_id => Err(error),
        Err(_) => Ok(None),
    }
}

/// What a store has under an id, latest first.
struct Incident {
    reports: Vec<StoredReport>,
    entries: Vec<ChainLink>,
}

impl Incident {
    /// `{query, reports: […], audit: [{seq, hash, entry}]}`.
    fn to_json(&self, query: &str) -> String {
        let audit = self.entries.iter().map(|link| {
            let entry: Value = serde_json::from_str(&link.entry).unwrap_or_default();
            json!({"seq": link.seq, "hash": link.hash.to_string(), "entry": entry})
        });
        let audit: Vec<Value> = audit.collect();
        let answer = json!({"query": query, "reports": self.reports, "audit": audit});
        format!("{answer:#}\n")
    }
}

/// The store to read, and how much it keeps.
struct IncidentStore {
    file: PathBuf,
    retention: Retention,
    is_named: bool,
}

impl IncidentStore {
    fn of(args: &ExplainArgs, width: usize) -> Result<Self, CommandError> {
        let refused = |problems: ConfigError| refused(&problems, width);
        let config = args.config.as_ref().map(Config::load).transpose();
        let config = config.map_err(refused)?;
        let retention = config
            .as_ref()
            .map_or_else(Retention::default, |config| config.retention);
        let file = match config.as_ref().map(|config| &config.store) {
            None | Some(StoreKind::Default) => {
                default_file(&ProcessEnvironment).ok_or_else(|| {
                    let error = CommandError::input("there is no state directory to look in");
                    error.hint(
                    "set XDG_STATE_HOME or HOME, or name the configuration of the gateway with -c",
                )
                })?
            }
            Some(StoreKind::Sqlite(file)) => file.clone(),
            Some(kind) => {
                let error = CommandError::input(format!(
                    "this gateway keeps reports in {kind}, which other processes cannot read"
                ));
                return Err(error.hint("store: sqlite keeps it in a file"));
            }
        };
        Ok(Self {
            file,
            retention,
            is_named: config.is_some(),
        })
    }

    fn find(&self, id: &str) -> Result<Option<Incident>, CommandError> {
        let unable = |failure: StoreError| self.unable(&failure);
        let store = Sqlite::existing(&self.file).map_err(unable)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.map_err(|error| CommandError::runtime(&error))?;
        let reports = runtime.block_on(store.find(id)).map_err(unable)?;
        let entries = runtime.block_on(store.audited(id)).map_err(unable)?;
        // Rows that other programs wrote are skipped.
        let reports = reports
            .iter()
            .filter_map(|kept| StoredReport::from_json(&kept.text).ok());
        let found = Incident {
            reports: reports.collect(),
            entries,
        };
        let is_any = !found.reports.is_empty() || !found.entries.is_empty();
        Ok(is_any.then_some(found))
    }

    fn unable(&self, failure: &StoreError) -> CommandError {
        let error = CommandError::input(failure.about(&self.file));
        if *failure == StoreError::Missing && !self.is_named {
            return error.hint("a gateway makes one when it first runs; -c names the configuration of one that keeps it elsewhere");
        }
        error.hint(failure.fix())
    }

    fn not_found(&self, id: &str) -> CommandError {
        let Retention { reports, audit, .. } = self.retention;
        let error = CommandError::input(format!("nothing is known about '{}'", shorten(id)))
            .fact("looked in", self.file.display().to_string())
            .fact("kept of failures", reports.to_string())
            .fact("kept of all calls", audit.to_string());
        let error = match made(id) {
            Some(at) => error.fact("the id was made", format!("{at:.0}")),
            None => error,
        };
        let error = error.hint("what a gateway refused by itself, such as a message that is not JSON, is in its log only");
        if self.is_named {
            return error;
        }
        error.hint("-c names the configuration of a gateway that keeps what happened elsewhere")
    }
}

/// When a UUID of version 7 was made: it begins with the time.
fn made(id: &str) -> Option<Timestamp> {
    let digits: String = id.chars().filter(|c| *c != '-').collect();
    if !is_uuid(id) || digits.as_bytes().get(12) != Some(&b'7') {
        return None;
    }
    let millis = i64::from_str_radix(&digits[..12], 16).ok()?;
    Timestamp::from_millisecond(millis).ok()
}

/// Five groups of hexadecimal digits: 8-4-4-4-12.
fn is_uuid(text: &str) -> bool {
    let mut groups = text.split('-');
    let fits = [8, 4, 4, 4, 12].iter().all(|length| {
        groups.next().is_some_and(|group| {
            group.len() == *length && group.bytes().all(|b| b.is_ascii_hexdigit())
        })
    });
    fits && groups.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_version_7_has_the_time_it_was_made() {
        let at = made("019bffac-42fb-7a31-8c5a-0e6f0d1f7c11").map(|at| at.to_string());
        assert_eq!(at.as_deref(), Some("2026-01-27T13:37:18.075Z"));
        assert_eq!(made("0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11"), None);
        assert_eq!(made("req-7"), None);
    }
}

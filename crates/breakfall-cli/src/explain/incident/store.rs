//! The store of a gateway, read by another process.

use std::path::PathBuf;

use breakfall_gateway::config::{Config, ConfigError, Retention};
use breakfall_gateway::record::Report as StoredReport;
use breakfall_gateway::store::{Document, Sqlite, Store as _, StoreError};

use super::{Incident, made};
use crate::args::ExplainArgs;
use crate::config::refused;
use crate::layout::shorten;
use crate::report::CommandError;
use crate::store_file;

/// The store to read, and how much it keeps.
pub(super) struct IncidentStore {
    pub(super) file: PathBuf,
    retention: Retention,
    is_named: bool,
}

impl IncidentStore {
    pub(super) fn of(args: &ExplainArgs) -> Result<Self, CommandError> {
        let refused = |problems: ConfigError| refused(&problems);
        let config = args.config.as_ref().map(Config::load).transpose();
        let config = config.map_err(refused)?;
        let retention = config
            .as_ref()
            .map_or_else(Retention::default, |config| config.retention);
        let file = store_file::of(config.as_ref(), "reports")?;
        Ok(Self {
            file,
            retention,
            is_named: config.is_some(),
        })
    }

    pub(super) fn find(&self, id: &str) -> Result<Option<Incident>, CommandError> {
        self.read(async |store| {
            let found = Incident {
                reports: reports(&store.find(id).await?),
                entries: store.audited(id).await?,
            };
            let is_any = !found.reports.is_empty() || !found.entries.is_empty();
            Ok(is_any.then_some(found))
        })
    }

    /// The ids with a prefix.
    pub(super) fn ids(&self, prefix: &str, most: usize) -> Result<Vec<Box<str>>, CommandError> {
        self.read(async |store| store.ids(prefix, most).await)
    }

    /// The latest reports, the very latest first.
    pub(super) fn recent(&self, most: usize) -> Result<Vec<StoredReport>, CommandError> {
        self.read(async |store| Ok(reports(&store.recent(most).await?)))
    }

    fn read<T>(
        &self,
        read: impl AsyncFnOnce(&Sqlite) -> Result<T, StoreError>,
    ) -> Result<T, CommandError> {
        let unable = |failure: StoreError| self.unable(&failure);
        store_file::read(&self.file, read)?.map_err(unable)
    }

    fn unable(&self, failure: &StoreError) -> CommandError {
        store_file::unable(&self.file, self.is_named, failure)
    }

    pub(super) fn not_found(&self, id: &str) -> CommandError {
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

/// Rows that other programs wrote are skipped.
fn reports(documents: &[Document]) -> Vec<StoredReport> {
    let reports = documents
        .iter()
        .map(|kept| StoredReport::from_json(&kept.text));
    reports.filter_map(Result::ok).collect()
}

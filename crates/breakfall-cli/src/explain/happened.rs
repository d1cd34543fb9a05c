//! What really happened behind a correlation id: out of the store of a gateway.

mod page;

use std::path::PathBuf;

use breakfall::CorrelationId;
use breakfall_gateway::config::{Config, Machine, Problems, Retention, Store as Kind};
use breakfall_gateway::record::Report as Kept;
use breakfall_gateway::store::{Failure, Link, Sqlite, Store as _, default_file};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::Explain;
use crate::config::refused;
use crate::out;
use crate::report::{Body, Problem, Report};
use crate::text::shorten;

/// What is known about an id; nothing if it may as well be a word that means nothing.
///
/// # Errors
/// When it is an id for sure and nothing is known about it, or nobody can look.
pub(super) fn run(query: &str, args: &Explain, width: usize) -> Result<Option<Report>, Problem> {
    // Ids of others may look like anything, so whoever names the store means an id.
    let is_sure = is_uuid(query) || args.config.is_some();
    if CorrelationId::new(query).is_err() {
        return Ok(None);
    }
    let found = Place::of(args, width).and_then(|place| {
        // Ours are in small letters; those of others are as they came, and people write them as they like.
        for spelling in [
            query.to_owned(),
            query.to_ascii_lowercase(),
            query.to_ascii_uppercase(),
        ] {
            if let Some(found) = place.look(&spelling)? {
                return Ok(found);
            }
        }
        Err(place.nothing(query))
    });
    match found {
        Ok(found) if args.json => Ok(Some(Report::new(Body::Exact(found.to_json(query))))),
        Ok(found) => {
            let page = page::answer(query, &found, width);
            Ok(Some(Report::new(Body::Page(page))))
        }
        Err(problem) if is_sure => Err(problem),
        Err(_) => Ok(None),
    }
}

/// What a store has under an id, the latest first.
struct Found {
    reports: Vec<Kept>,
    entries: Vec<Link>,
}

impl Found {
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

/// Where to look, and how much is kept there.
struct Place {
    file: PathBuf,
    retention: Retention,
    is_named: bool,
}

impl Place {
    fn of(args: &Explain, width: usize) -> Result<Self, Problem> {
        let refused = |problems: Problems| refused(&problems, width);
        let config = args.config.as_ref().map(Config::load).transpose();
        let config = config.map_err(refused)?;
        let retention = config
            .as_ref()
            .map_or_else(Retention::default, |config| config.retention);
        let file = match config.as_ref().map(|config| &config.store) {
            None | Some(Kind::Default) => default_file(&Machine).ok_or_else(|| {
                let problem = Problem::input("there is no state directory to look in");
                problem.hint(
                    "set XDG_STATE_HOME or HOME, or name the configuration of the gateway with -c",
                )
            })?,
            Some(Kind::Sqlite(file)) => file.clone(),
            Some(kind) => {
                let problem = Problem::input(format!(
                    "this gateway keeps what happened in {kind}, where nobody else can look it up"
                ));
                return Err(problem.hint("store: sqlite keeps it in a file"));
            }
        };
        Ok(Self {
            file,
            retention,
            is_named: config.is_some(),
        })
    }

    fn look(&self, id: &str) -> Result<Option<Found>, Problem> {
        let unable = |failure: Failure| self.unable(&failure);
        let store = Sqlite::existing(&self.file).map_err(unable)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime
            .map_err(|error| Problem::internal(format!("cannot start: {}", out::reason(&error))))?;
        let reports = runtime.block_on(store.find(id)).map_err(unable)?;
        let entries = runtime.block_on(store.audited(id)).map_err(unable)?;
        // What somebody else has written there is nothing we know.
        let reports = reports
            .iter()
            .filter_map(|kept| Kept::from_json(&kept.text).ok());
        let found = Found {
            reports: reports.collect(),
            entries,
        };
        let is_any = !found.reports.is_empty() || !found.entries.is_empty();
        Ok(is_any.then_some(found))
    }

    fn unable(&self, failure: &Failure) -> Problem {
        let problem = Problem::input(failure.about(&self.file));
        if *failure == Failure::Missing && !self.is_named {
            return problem.hint("a gateway makes one when it first runs; -c names the configuration of one that keeps it elsewhere");
        }
        problem.hint(failure.fix())
    }

    fn nothing(&self, id: &str) -> Problem {
        let Retention { reports, audit, .. } = self.retention;
        let problem = Problem::input(format!("nothing is known about '{}'", shorten(id)))
            .fact("looked in", self.file.display().to_string())
            .fact("kept of failures", reports.to_string())
            .fact("kept of all calls", audit.to_string());
        let problem = match made(id) {
            Some(at) => problem.fact("the id was made", format!("{at:.0}")),
            None => problem,
        };
        let problem = problem.hint("what a gateway refused by itself, such as a message that is no JSON, is in its log only");
        if self.is_named {
            return problem;
        }
        problem.hint("-c names the configuration of a gateway that keeps what happened elsewhere")
    }
}

/// When an id of ours was made: those of version 7 begin with the time.
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
    fn an_id_of_ours_says_when_it_was_made() {
        let at = made("019bffac-42fb-7a31-8c5a-0e6f0d1f7c11").map(|at| at.to_string());
        assert_eq!(at.as_deref(), Some("2026-01-27T13:37:18.075Z"));
        assert_eq!(made("0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11"), None);
        assert_eq!(made("req-7"), None);
    }
}

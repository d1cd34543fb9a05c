//! The failure or call with a correlation id, and the latest failures, from the store of a gateway.

mod latest;
mod page;
mod store;

use breakfall::CorrelationId;
use breakfall_gateway::record::Report as StoredReport;
use breakfall_gateway::store::ChainLink;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::ExplainArgs;
use crate::layout::shorten;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote};
use store::IncidentStore;

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
    let is_id = is_uuid(query) || is_part_of_uuid(query) || args.config.is_some();
    if CorrelationId::new(query).is_err() {
        return Ok(None);
    }
    let found = IncidentStore::of(args).and_then(|store| find(&store, query));
    match found {
        Ok((id, found)) if args.json => Ok(Some(CommandReport::new(ReportBody::ForeignJson(
            found.to_json(&id),
        )))),
        Ok((id, found)) => {
            let page = page::answer(&id, &found, width);
            Ok(Some(CommandReport::new(ReportBody::Page(page))))
        }
        Err(error) if is_id => Err(error),
        Err(_) => Ok(None),
    }
}

/// The latest failures.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn latest(
    count: u16,
    args: &ExplainArgs,
    terminal: Option<usize>,
) -> Result<CommandReport, CommandError> {
    let store = IncidentStore::of(args)?;
    let reports = store.recent(count.into())?;
    let body = if args.json {
        ReportBody::ForeignJson(format!("{:#}\n", json!({ "reports": reports })))
    } else {
        ReportBody::Page(latest::page(&reports, terminal))
    };
    let mut report = CommandReport::new(body);
    if reports.is_empty() {
        let text = format!("there are no failures in {}", store.file.display());
        report.notes.push(ReportNote::new("note", text));
    }
    Ok(report)
}

/// What is stored under an id, or under the only id that begins so. Ids of Breakfall are lower case, foreign ids are stored as they
/// came, and users type either.
fn find(store: &IncidentStore, query: &str) -> Result<(String, Incident), CommandError> {
    let spellings = [
        query.to_owned(),
        query.to_ascii_lowercase(),
        query.to_ascii_uppercase(),
    ];
    for spelling in &spellings {
        if let Some(found) = store.find(spelling)? {
            return Ok((query.to_owned(), found));
        }
    }
    for prefix in &spellings {
        let ids = store.ids(prefix, MAX_CANDIDATES + 1)?;
        match ids.as_slice() {
            [] => {}
            [id] => {
                let found = store.find(id)?.ok_or_else(|| store.not_found(query))?;
                return Ok((id.to_string(), found));
            }
            ids => return Err(several(query, ids)),
        }
    }
    Err(store.not_found(query))
}

fn several(query: &str, ids: &[Box<str>]) -> CommandError {
    let mut list = ids
        .iter()
        .take(MAX_CANDIDATES)
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    if ids.len() > MAX_CANDIDATES {
        list.push("and others".to_owned());
    }
    CommandError::input(format!("several ids begin with '{}'", shorten(query)))
        .fact("they are", list.join("\n"))
        .hint("type more of it; breakfall explain --last lists the latest failures")
}

/// How many ids with the same beginning are listed.
const MAX_CANDIDATES: usize = 10;

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

/// The beginning of a UUID: so many hexadecimal digits and hyphens in their places that it is neither a word nor a number.
fn is_part_of_uuid(text: &str) -> bool {
    let hyphens = [8, 13, 18, 23];
    let fits = text.bytes().enumerate().all(|(at, byte)| {
        if hyphens.contains(&at) {
            byte == b'-'
        } else {
            byte.is_ascii_hexdigit()
        }
    });
    let is_number = text.parse::<i64>().is_ok();
    (MIN_PREFIX..36).contains(&text.len())
        && fits
        && !is_number
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The shortest beginning of an id that is certainly one.
const MIN_PREFIX: usize = 6;

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

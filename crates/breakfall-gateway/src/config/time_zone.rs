//! The time zone whose calendar quotas follow.

use jiff::tz::{TimeZone, db};
use serde_json::json;

use super::kinds::{mapped, text};
use super::setting::Kind;

/// A time zone by its name in the tz database.
pub(super) fn time_zone() -> impl Kind<Value = TimeZone> {
    mapped(
        text(),
        json!({"minLength": 1, "examples": ["UTC", "Europe/Berlin"]}),
        |name, reader| {
            if name.eq_ignore_ascii_case("utc") {
                return Some(TimeZone::UTC);
            }
            if let Ok(zone) = TimeZone::get(&name) {
                return Some(zone);
            }
            let problem = reader.here();
            reader.report(if db().is_definitively_empty() {
                let problem = problem.problem("this machine has no time zone database");
                problem.hint("install the package tzdata, set TZDIR, or write UTC")
            } else {
                let problem = problem.problem(format!("'{name}' is no time zone"));
                problem.hint("write its name in the tz database, for example Europe/Berlin")
            });
            None
        },
    )
}

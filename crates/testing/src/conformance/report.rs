//! What the suite found.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;

/// Every check of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The checks of each scenario, in the order they were made.
    pub scenarios: BTreeMap<String, Vec<Check>>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Check {
    /// Its name. A scenario may look at one thing several times.
    pub id: String,
    /// What came of it.
    pub status: Status,
    /// Why, if not well.
    pub error_message: Option<String>,
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
#[expect(missing_docs, reason = "the words of the suite")]
pub enum Status {
    Success,
    Failure,
    Warning,
    Skipped,
    Info,
}

impl Report {
    /// Reads what the suite left in its folder: one for each scenario, with the time in its name.
    pub(super) fn read(results: &Path) -> Self {
        let folders = std::fs::read_dir(results).expect("it was made for the suite");
        let scenarios = folders.map(|folder| {
            let folder = folder.expect("a folder that is there can be read");
            let name = folder.file_name().to_string_lossy().into_owned();
            let name = scenario(&name).to_owned();
            let checks = checks(&name, &folder.path().join("checks.json"));
            (name, checks)
        });
        Self {
            scenarios: scenarios.collect(),
        }
    }

    /// How many checks came out like this.
    pub fn count(&self, status: Status) -> usize {
        let checks = self.scenarios.values().flatten();
        checks.filter(|check| check.status == status).count()
    }

    /// What failed, a line for each.
    pub fn failures(&self) -> Vec<String> {
        let all = self.scenarios.iter();
        let all =
            all.flat_map(|(scenario, checks)| checks.iter().map(move |check| (scenario, check)));
        let failed = all.filter(|(_, check)| check.status == Status::Failure);
        failed
            .map(|(scenario, check)| format!("{scenario}: {check}"))
            .collect()
    }

    /// Where another run came out differently, a line for each check. Only the reasons may differ.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let none = Vec::new();
        let mut names: Vec<_> = self
            .scenarios
            .keys()
            .chain(other.scenarios.keys())
            .collect();
        names.sort();
        names.dedup();
        let mut lines = Vec::new();
        for name in names {
            let ours = self.scenarios.get(name).unwrap_or(&none);
            let theirs = other.scenarios.get(name).unwrap_or(&none);
            for number in 0..ours.len().max(theirs.len()) {
                let (one, two) = (ours.get(number), theirs.get(number));
                if one.map(Check::outcome) != two.map(Check::outcome) {
                    lines.push(format!("{name}: {}, but {}", shown(one), shown(two)));
                }
            }
        }
        lines
    }
}

/// The scenario a folder is named after: `server-tools-list-2026-11-15T17-56-12-654Z`.
fn scenario(folder: &str) -> &str {
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    let end = name.len().saturating_sub("-2026-11-15T17-56-12-654Z".len());
    name.get(..end).unwrap_or(name)
}

/// The checks in that file. A scenario that broke leaves none.
fn checks(scenario: &str, file: &Path) -> Vec<Check> {
    let Ok(text) = std::fs::read(file) else {
        return vec![Check {
            id: scenario.to_owned(),
            status: Status::Failure,
            error_message: Some("the scenario did not end".to_owned()),
        }];
    };
    serde_json::from_slice(&text).expect("the suite writes JSON in one shape")
}

impl Check {
    fn outcome(&self) -> (&str, Status) {
        (&self.id, self.status)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {:?}", self.id, self.status)?;
        match &self.error_message {
            Some(why) => write!(out, " ({why})"),
            None => Ok(()),
        }
    }
}

fn shown(check: Option<&Check>) -> String {
    check.map_or_else(|| "no check".to_owned(), Check::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(checks: &[(&str, &str, Status)]) -> Report {
        let mut scenarios = BTreeMap::<_, Vec<_>>::new();
        for &(scenario, id, status) in checks {
            scenarios
                .entry(scenario.to_owned())
                .or_default()
                .push(Check {
                    id: id.to_owned(),
                    status,
                    error_message: (status == Status::Failure).then(|| "so".to_owned()),
                });
        }
        Report { scenarios }
    }

    #[test]
    fn a_folder_tells_its_scenario() {
        assert_eq!(
            scenario("server-tools-list-2026-11-15T17-56-12-654Z"),
            "tools-list"
        );
        assert_eq!(scenario("x"), "");
    }

    #[test]
    fn a_scenario_that_broke_has_failed() {
        let checks = checks("ping", Path::new("/nowhere/checks.json"));
        assert_eq!(checks[0].outcome(), ("ping", Status::Failure));
    }

    #[test]
    fn a_report_counts_and_names_what_failed() {
        let report = report(&[
            ("ping", "ping", Status::Success),
            ("tools", "list", Status::Failure),
            ("tools", "names", Status::Success),
        ]);
        assert_eq!(report.count(Status::Success), 2);
        assert_eq!(report.failures(), ["tools: list Failure (so)"]);
    }

    #[test]
    fn equal_runs_do_not_differ_and_every_other_difference_is_told() {
        let one = report(&[
            ("ping", "ping", Status::Success),
            ("tools", "list", Status::Success),
        ]);
        assert_eq!(one.differences(&one), [""; 0]);
        let two = report(&[
            ("ping", "ping", Status::Failure),
            ("tools", "list", Status::Success),
            ("tools", "list", Status::Success),
            ("zero", "zero", Status::Info),
        ]);
        let differences = one.differences(&two);
        assert_eq!(
            differences,
            [
                "ping: ping Success, but ping Failure (so)",
                "tools: no check, but list Success",
                "zero: no check, but zero Info",
            ]
        );
    }
}

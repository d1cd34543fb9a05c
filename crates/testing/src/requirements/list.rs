//! The tests that really exist: what `cargo nextest list --message-format json` says.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::scan::{Claim, Target};

/// The part of the listing we read.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Listing {
    rust_suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
struct Suite {
    package_name: String,
    binary_name: String,
    kind: String,
    #[serde(default)]
    testcases: BTreeMap<String, Case>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
struct Case {
    ignored: bool,
    filter_match: FilterMatch,
}

#[derive(Deserialize, Debug)]
struct FilterMatch {
    status: String,
}

/// What the listing says about one claim; a test that is there comes with the name of its binary.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Found<'a> {
    Runs(&'a str),
    NotRun,
    Absent,
}

impl Listing {
    /// Looks a claim up in the binaries its file may be compiled into.
    pub(super) fn find(&self, claim: &Claim) -> Found<'_> {
        let case = self
            .rust_suites
            .iter()
            .filter(|(_, suite)| suite.holds(claim))
            .find_map(|(binary, suite)| Some((binary, suite.testcases.get(&claim.path)?)));
        match case {
            Some((binary, case)) if !case.ignored && case.filter_match.status == "matches" => {
                Found::Runs(binary)
            }
            Some(_) => Found::NotRun,
            None => Found::Absent,
        }
    }
}

impl Suite {
    fn holds(&self, claim: &Claim) -> bool {
        self.package_name == claim.home.package
            && match &claim.home.target {
                Target::Source => self.kind != "test",
                Target::Bin(name) => self.kind == "bin" && self.binary_name == *name,
                Target::Test(name) => self.kind == "test" && self.binary_name == *name,
            }
    }
}

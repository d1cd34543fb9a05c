//! The data file: what each requirement asks, and where it stands.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ids::Id;
use super::problem::Flaw;

/// Where the data lies, from the root of the workspace.
pub(super) const DATA: &str = "docs/requirements.json";

/// How strongly a document asks for something. The last four are not about obligation: a stated shape or table
/// row, something only shown, something named as wrong, something announced for later.
pub(super) const FORCES: [&str; 9] = [
    "MUST",
    "MUST NOT",
    "SHOULD",
    "SHOULD NOT",
    "MAY",
    "FACT",
    "EXAMPLE",
    "ANTI-PATTERN",
    "FUTURE",
];

/// The capabilities a requirement can wait for: a closed set.
pub(super) const OWNERS: [(&str, &str); 9] = [
    ("classify", "library: turns any bare failure into a fault"),
    ("disclose", "library: redacts what leaves"),
    ("locale", "library: speaks the user's language"),
    (
        "server",
        "library inside a real server: handlers, panics, hooks, derive",
    ),
    ("gateway", "the pipeline in front of other people's servers"),
    ("limits", "trust, danger, confirmation, rates and quotas"),
    (
        "adapters",
        "REST adapters with codes and mappings of their own",
    ),
    ("checker", "grades a server's error behaviour"),
    ("console", "the web page for operators"),
];

/// One entry as written. Anything may be wrong with it except its shape.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    id: String,
    force: String,
    text: String,
    state: String,
    #[serde(rename = "for")]
    owner: Option<String>,
    issue: Option<u32>,
    why: Option<String>,
}

/// One entry whose parts are known to be sound.
#[derive(Debug)]
pub(super) struct Requirement {
    pub(super) force: String,
    pub(super) text: String,
    pub(super) state: State,
}

/// Where a requirement stands.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Tests name it.
    Proven,
    /// A later capability will prove it.
    Waits {
        owner: &'static str,
        issue: Option<u32>,
    },
    /// It asks nothing of this software.
    NotOurs { why: String },
}

/// The entries that make sense, by id, and what is wrong with the others.
#[derive(Default, Debug)]
pub(super) struct Ledger {
    pub(super) requirements: BTreeMap<Id, Requirement>,
    pub(super) flaws: Vec<Flaw>,
}

impl Ledger {
    /// Checks entries against the ids that exist and against the rules of each state.
    pub(super) fn new(raws: Vec<Raw>) -> Self {
        let mut ledger = Self::default();
        let mut seen: Vec<Id> = Vec::new();
        for raw in raws {
            let Some(id) = Id::parse(&raw.id) else {
                ledger.flaws.push(Flaw::Unknown(raw.id));
                continue;
            };
            if seen.contains(&id) {
                ledger.flaws.push(Flaw::Duplicate(id));
                continue;
            }
            if seen.last().is_some_and(|last| *last > id) {
                ledger.flaws.push(Flaw::OutOfOrder(id));
            }
            seen.push(id);
            let (state, flaws) = raw.state(id);
            ledger.flaws.extend(flaws);
            if let Some(state) = state {
                ledger.requirements.insert(
                    id,
                    Requirement {
                        force: raw.force,
                        text: raw.text,
                        state,
                    },
                );
            }
        }
        ledger
            .flaws
            .extend(Id::all().filter(|id| !seen.contains(id)).map(Flaw::Missing));
        ledger
    }
}

impl Raw {
    /// The state, if it can be told, and all that is wrong with this entry.
    fn state(&self, id: Id) -> (Option<State>, Vec<Flaw>) {
        let mut flaws = Vec::new();
        if self.text.trim().is_empty() {
            flaws.push(Flaw::NoText(id));
        }
        if !FORCES.contains(&self.force.as_str()) {
            flaws.push(Flaw::UnknownForce(id, self.force.clone()));
        }
        let waits = self.state == "waits";
        let not_ours = self.state == "not-ours";
        for (field, given, belongs) in [
            ("for", self.owner.is_some(), waits),
            ("issue", self.issue.is_some(), waits),
            ("why", self.why.is_some(), not_ours),
        ] {
            if given && !belongs {
                flaws.push(Flaw::StrayField(id, field));
            }
        }
        let state = match self.state.as_str() {
            "proven" => Ok(State::Proven),
            "waits" => match OWNERS
                .iter()
                .find(|(name, _)| Some(*name) == self.owner.as_deref())
            {
                Some((owner, _)) => Ok(State::Waits {
                    owner,
                    issue: self.issue,
                }),
                None => Err(Flaw::NoOwner(id, self.owner.clone())),
            },
            "not-ours" => match self.why.as_deref().map(str::trim) {
                Some(why) if !why.is_empty() => Ok(State::NotOurs {
                    why: why.to_owned(),
                }),
                _ => Err(Flaw::NoReason(id)),
            },
            unknown => Err(Flaw::UnknownState(id, unknown.to_owned())),
        };
        match state {
            Ok(state) => (Some(state), flaws),
            Err(flaw) => {
                flaws.push(flaw);
                (None, flaws)
            }
        }
    }
}

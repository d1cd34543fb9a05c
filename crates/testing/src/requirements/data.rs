//! The data file: what each requirement asks, and where it stands.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// Where the data lies, from the root of the workspace.
pub(super) const DATA: &str = "docs/requirements.json";

/// The five documents the requirements come from: the wire format each is known by here, and how many requirements it
/// states. `S0-01` is the first of the first, `S4-81` the last of the last.
pub(super) const DOCUMENTS: [(&str, usize); 5] = [
    ("response-v2", 93),
    ("mcp-error", 46),
    ("error-model", 36),
    ("tool-error", 41),
    ("mcp-aql", 81),
];

/// How strongly a document asks for something. The last four are not about obligation: a stated shape or table
/// row, something only shown, something named as wrong, something announced for later.
const FORCES: [&str; 9] = [
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

/// The states of a requirement: tests name it, a later capability will prove it, or it asks nothing of this software.
pub(super) const STATES: [&str; 3] = ["proven", "waits", "not-ours"];

/// The capabilities a requirement can wait for: a closed set.
#[rustfmt::skip]
pub(super) const OWNERS: [(&str, &str); 9] = [
    ("classify", "library: turns any bare failure into a fault"),
    ("redact", "library: redacts what leaves"),
    ("locale", "library: speaks the user's language"),
    ("server", "library inside a real server: handlers, panics, hooks, derive"),
    ("gateway", "the pipeline in front of other people's servers"),
    ("limits", "trust, danger, confirmation, rates and quotas"),
    ("adapters", "REST adapters with codes and mappings of their own"),
    ("checker", "grades a server's error behaviour"),
    ("console", "the web page for operators"),
];

/// One entry.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Requirement {
    pub(super) id: String,
    pub(super) force: String,
    pub(super) text: String,
    pub(super) state: String,
    #[serde(rename = "for")]
    pub(super) owner: Option<String>,
    pub(super) issue: Option<u32>,
    pub(super) why: Option<String>,
}

/// The entries by id, and what is wrong with the data.
#[derive(Default, Debug)]
pub(super) struct Ledger {
    pub(super) requirements: BTreeMap<String, Requirement>,
    pub(super) flaws: Vec<String>,
}

impl Ledger {
    /// Checks entries against the ids that exist and against the rules of each state.
    pub(super) fn new(entries: Vec<Requirement>) -> Self {
        let mut ledger = Self::default();
        let mut missing: BTreeSet<String> = ids().collect();
        for entry in entries {
            let id = &entry.id;
            let last = ledger.requirements.last_key_value();
            if !missing.remove(id) {
                let flaw = format!(
                    "{id:?}: there is no such requirement, or it has two entries; correct {DATA}"
                );
                ledger.flaws.push(flaw);
                continue;
            }
            if last.is_some_and(|(last, _)| last > id) {
                let flaw =
                    format!("{id}: stands out of order; keep {DATA} in the order of the ids");
                ledger.flaws.push(flaw);
            }
            ledger.flaws.extend(entry.flaws());
            ledger.requirements.insert(id.clone(), entry);
        }
        let missing = missing.iter();
        ledger
            .flaws
            .extend(missing.map(|id| format!("{id}: has no entry; add one to {DATA}")));
        ledger
    }
}

impl Requirement {
    fn flaws(&self) -> Vec<String> {
        let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
        let in_state = |state| self.state == state;
        let owners = OWNERS.map(|(owner, _)| owner);
        let no_owner = !self
            .owner
            .as_deref()
            .is_some_and(|owner| owners.contains(&owner));
        let stray = |given: bool, state| given && !in_state(state);
        #[rustfmt::skip]
        let checks = [
            (is_blank(Some(&self.text)), "does not say what is required; fill `text`".to_owned()),
            (!FORCES.contains(&&*self.force), format!("unknown force {:?}; use one of {}", self.force, FORCES.join(", "))),
            (!STATES.contains(&&*self.state), format!("unknown state {:?}; use one of {}", self.state, STATES.join(", "))),
            (in_state("waits") && no_owner, format!("waits for {:?}; set `for` to one of {}", self.owner, owners.join(", "))),
            (in_state("not-ours") && is_blank(self.why.as_deref()), "is not ours without a reason; fill `why`".to_owned()),
            (stray(self.owner.is_some(), "waits"), "`for` means nothing in its state".to_owned()),
            (stray(self.issue.is_some(), "waits"), "`issue` means nothing in its state".to_owned()),
            (stray(self.why.is_some(), "not-ours"), "`why` means nothing in its state".to_owned()),
        ];
        let wrong = checks.into_iter().filter(|(is_wrong, _)| *is_wrong);
        wrong
            .map(|(_, flaw)| format!("{}: {flaw}, in {DATA}", self.id))
            .collect()
    }
}

/// Every id, in order.
pub(super) fn ids() -> impl Iterator<Item = String> {
    let documents = DOCUMENTS.iter().enumerate();
    documents
        .flat_map(|(at, (_, count))| (1..=*count).map(move |number| format!("S{at}-{number:02}")))
}

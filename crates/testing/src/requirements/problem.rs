//! Everything that can be wrong, each with the id or place it concerns and what to do about it.

use std::fmt;

use super::data::{DATA, FORCES, OWNERS};
use super::ids::Id;
use super::page::PAGE;

/// One thing to put right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// The data is unsound.
    Entry(Flaw),
    /// No test that runs names a proven id.
    Unproven(Id),
    /// A test names something other than an id.
    UnknownNamed(String, Place),
    /// A test names an id whose entry does not say proven.
    NotMarkedProven(Id, Place),
    /// The macro sits where no test has a name.
    OutsideTest(Place),
    /// The macro was given something other than string literals.
    NotLiteral(Place),
    /// The macro sits in a function that the list of tests does not have.
    NotListed(String, Place),
    /// The macro sits in a test that is listed but does not run.
    NotRun(String, Place),
    /// The generated page does not say what it would say if written now.
    Stale,
}

/// A line of a source file, relative to the root of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(flaw) => flaw.fmt(f),
            Self::Unproven(id) => write!(
                f,
                "{id}: proven, says {DATA}, but no test that runs names it; \
                 put `testing::proves!(\"{id}\")` into the test that would fail without it, or change its state"
            ),
            Self::UnknownNamed(id, place) => write!(
                f,
                "{id:?}: no requirement has this id; correct `proves!` at {place}"
            ),
            Self::NotMarkedProven(id, place) => write!(
                f,
                "{id}: named by the test at {place}, but its state in {DATA} is not proven; \
                 move it to proven, or take the id out of the test"
            ),
            Self::OutsideTest(place) => {
                write!(
                    f,
                    "{place}: `proves!` outside a named test function; move it into the body of a `#[test]`"
                )
            }
            Self::NotLiteral(place) => write!(
                f,
                "{place}: `proves!` takes ids as string literals and nothing else"
            ),
            Self::NotListed(test, place) => write!(
                f,
                "{place}: `proves!` in `{test}`, which is not in the list of tests; \
                 make the test exist (is its module compiled?), or list the tests afresh"
            ),
            Self::NotRun(test, place) => {
                write!(
                    f,
                    "{place}: `proves!` in `{test}`, which is ignored or filtered out; a test that does not run proves nothing"
                )
            }
            Self::Stale => write!(
                f,
                "{PAGE}: stale; run `cargo run -p testing --bin requirements -- write`"
            ),
        }
    }
}

/// What is wrong with the entry of an id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Flaw {
    /// The data has no entry for an id.
    Missing(Id),
    /// The data has an entry for something other than an id.
    Unknown(String),
    /// The data has two entries for one id.
    Duplicate(Id),
    /// An entry stands after one it should precede.
    OutOfOrder(Id),
    /// An entry says nothing about what is required.
    NoText(Id),
    /// The force of an entry is not one we know.
    UnknownForce(Id, String),
    /// The state of an entry is not one we know.
    UnknownState(Id, String),
    /// A waiting entry lacks an owner, or names an unknown one.
    NoOwner(Id, Option<String>),
    /// An entry that is not ours does not say why.
    NoReason(Id),
    /// An entry has a field that its state has no use for.
    StrayField(Id, &'static str),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(id) => write!(f, "{id}: has no entry; add one to {DATA}"),
            Self::Unknown(id) => write!(
                f,
                "{id:?}: no requirement has this id; correct or remove its entry in {DATA}"
            ),
            Self::Duplicate(id) => write!(f, "{id}: has more than one entry; keep one in {DATA}"),
            Self::OutOfOrder(id) => write!(
                f,
                "{id}: stands out of order; keep {DATA} in the order of the ids"
            ),
            Self::NoText(id) => write!(
                f,
                "{id}: does not say what is required; fill `text` in {DATA}"
            ),
            Self::UnknownForce(id, force) => {
                write!(
                    f,
                    "{id}: unknown force {force:?}; use one of {} in {DATA}",
                    FORCES.join(", ")
                )
            }
            Self::UnknownState(id, state) => {
                write!(
                    f,
                    "{id}: unknown state {state:?}; use one of proven, waits, not-ours in {DATA}"
                )
            }
            Self::NoOwner(id, owner) => {
                match owner {
                    Some(owner) => write!(f, "{id}: waits for {owner:?}, which nobody builds")?,
                    None => write!(f, "{id}: waits, but not for anything")?,
                }
                let owners: Vec<&str> = OWNERS.iter().map(|(name, _)| *name).collect();
                write!(f, "; set `for` in {DATA} to one of {}", owners.join(", "))
            }
            Self::NoReason(id) => write!(
                f,
                "{id}: is not ours without a reason; fill `why` in {DATA}"
            ),
            Self::StrayField(id, field) => {
                write!(
                    f,
                    "{id}: `{field}` means nothing in its state; remove it or change the state in {DATA}"
                )
            }
        }
    }
}

//! Holds the data, the claims of the sources and the list of tests against each other.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{Ledger, State};
use super::ids::Id;
use super::list::{Found, Listing};
use super::problem::Problem;
use super::scan::Scan;

/// The tests that prove each id.
pub(super) type Proofs = BTreeMap<Id, BTreeSet<Proof>>;

/// A test that runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Proof {
    /// Binary and path, as the test runner prints them.
    pub(super) test: String,
    pub(super) file: String,
}

/// Sorts claims into proofs and problems. Problems of the data itself are the ledger's.
pub(super) fn judge(ledger: &Ledger, scan: &Scan, listing: &Listing) -> (Proofs, Vec<Problem>) {
    let mut proofs = Proofs::new();
    let mut problems = scan.problems.clone();
    for claim in &scan.claims {
        let place = || claim.place.clone();
        let proof = match listing.find(claim) {
            Found::Runs(binary) => Some(Proof {
                test: format!("{binary} {}", claim.path),
                file: claim.place.file.clone(),
            }),
            Found::NotRun => {
                problems.push(Problem::NotRun(claim.path.clone(), place()));
                None
            }
            Found::Absent => {
                problems.push(Problem::NotListed(claim.path.clone(), place()));
                None
            }
        };
        for name in &claim.ids {
            let Some(id) = Id::parse(name) else {
                problems.push(Problem::UnknownNamed(name.clone(), place()));
                continue;
            };
            // An id without a sound entry is already a problem of the data.
            if ledger
                .requirements
                .get(&id)
                .is_some_and(|requirement| requirement.state != State::Proven)
            {
                problems.push(Problem::NotMarkedProven(id, place()));
            }
            proofs.entry(id).or_default().extend(proof.clone());
        }
    }
    problems.extend(unproven(ledger, &proofs).map(Problem::Unproven));
    (proofs, problems)
}

/// The proven ids that no test proves, in order.
pub(super) fn unproven<'a>(
    ledger: &'a Ledger,
    proofs: &'a Proofs,
) -> impl Iterator<Item = Id> + 'a {
    ledger
        .requirements
        .iter()
        .filter(|(id, requirement)| {
            requirement.state == State::Proven && proofs.get(id).is_none_or(BTreeSet::is_empty)
        })
        .map(|(id, _)| *id)
}

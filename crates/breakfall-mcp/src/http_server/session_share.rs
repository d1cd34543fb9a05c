//! The share of each key in the sessions: a client that opens as many as it can leaves room for the others.

use std::collections::HashMap;

use crate::access::Principal;

/// How the sessions are shared: half of them is for any client, the other half is kept in equal parts for each
/// of the parties.
#[derive(Debug, Clone, Copy)]
pub(super) struct SessionShares {
    /// The number of sessions at the same time.
    pub(super) max: usize,
    /// The number of keys, and one for clients without a key if there are such clients.
    pub(super) parties: usize,
}

impl SessionShares {
    /// Whether a principal may open one more session, beside those that are open.
    pub(super) fn has_room<'a>(
        self,
        principal: &Principal,
        open: impl ExactSizeIterator<Item = &'a Principal>,
    ) -> bool {
        let count = open.len();
        let kept = self.max / (2 * self.parties.max(1));
        if count >= self.max || self.parties <= 1 || count < self.max / 2 {
            return count < self.max;
        }
        let mut held: HashMap<Option<&str>, usize> = HashMap::new();
        for principal in open {
            *held.entry(party(principal)).or_default() += 1;
        }
        let own = held.remove(&party(principal)).unwrap_or_default();
        let used: usize = held.values().map(|held| kept.min(*held)).sum();
        let unused = (kept * (self.parties - 1)).saturating_sub(used);
        own < kept || count + unused < self.max
    }
}

/// The name of the key. Clients without one are one party, because anyone can make up unverified credentials.
pub(super) fn party(principal: &Principal) -> Option<&str> {
    match principal {
        Principal::Named(name) => Some(name),
        Principal::Anonymous | Principal::Unverified(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(shares: SessionShares, requests: &[(&str, usize)]) -> Vec<usize> {
        let mut open: Vec<Principal> = Vec::new();
        let open_for = |&(name, requests): &(&str, usize)| {
            let principal = match name {
                "" => Principal::Anonymous,
                name => Principal::Named(name.into()),
            };
            let before = open.len();
            for _ in 0..requests {
                if shares.has_room(&principal, open.iter()) {
                    open.push(principal.clone());
                }
            }
            open.len() - before
        };
        requests.iter().map(open_for).collect()
    }

    #[test]
    fn a_key_that_opens_all_it_can_leaves_the_others_their_share() {
        let shares = |max, parties| SessionShares { max, parties };
        for (shares, requests, want) in [
            (shares(10, 1), &[("", 99), ("", 1)][..], &[10, 0][..]),
            (shares(8, 2), &[("a", 99), ("b", 99), ("a", 1)], &[6, 2, 0]),
            (shares(8, 2), &[("a", 3), ("b", 99)], &[3, 5]),
            (shares(12, 3), &[("a", 99), ("b", 99), ("", 99)], &[8, 2, 2]),
            (shares(12, 3), &[("", 99), ("a", 1), ("b", 3)], &[8, 1, 2]),
            // Less than one for each: the first to come are served.
            (shares(3, 9), &[("a", 99), ("b", 1)], &[3, 0]),
            (shares(0, 2), &[("a", 1)], &[0]),
        ] {
            assert_eq!(opened(shares, requests), want, "{shares:?} {requests:?}");
        }
    }
}

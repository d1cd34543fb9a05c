//! When requests are late, the first one first.
//!
//! Most have the same patience, so the next deadline is nearly always the last, and the next answer is that to one of
//! the first requests. So they stand in line as they came: one that goes leaves a gap, and gaps are closed up before
//! they are many. The few that would have to push in are kept apart.

use std::collections::{BTreeSet, VecDeque};

use tokio::time::Instant;

/// The deadlines of requests, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Due {
    /// In order. Neither the first nor the last is a gap.
    line: VecDeque<Waits>,
    /// How many gaps there are.
    gaps: usize,
    /// Those that came when a later one stood in line already.
    apart: BTreeSet<At>,
}

/// A deadline, and whose it is.
pub(super) type At = (Instant, u64);

#[derive(Debug)]
struct Waits {
    at: At,
    is_gone: bool,
}

impl Due {
    pub(super) fn insert(&mut self, at: At) {
        match self.line.back() {
            Some(last) if last.at > at => {
                self.apart.insert(at);
            }
            Some(_) | None => self.line.push_back(Waits { at, is_gone: false }),
        }
    }

    pub(super) fn remove(&mut self, at: At) {
        if self.line.front().is_some_and(|first| first.at == at) {
            self.line.pop_front();
        } else {
            let place = self.line.partition_point(|waits| waits.at < at);
            match self.line.get_mut(place) {
                Some(waits) if waits.at == at && !waits.is_gone => waits.is_gone = true,
                Some(_) | None => {
                    self.apart.remove(&at);
                    return;
                }
            }
            self.gaps += 1;
        }
        if self.gaps > 0 {
            self.close_up();
        }
        if self.line.is_empty() {
            self.line.shrink_to(KEPT);
        }
    }

    /// The earliest.
    pub(super) fn first(&self) -> Option<At> {
        let first = self.line.front().map(|waits| waits.at);
        let apart = self.apart.first().copied();
        first.into_iter().chain(apart).min()
    }

    /// All up to some time, in order.
    pub(super) fn until(&self, now: Instant) -> Vec<At> {
        let line = self.in_line().take_while(|at| at.0 <= now);
        let apart = self.apart.range(..=(now, u64::MAX)).copied();
        let mut late: Vec<At> = line.chain(apart).collect();
        late.sort_unstable();
        late
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = At> {
        self.in_line().chain(self.apart.iter().copied())
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn in_line(&self) -> impl Iterator<Item = At> {
        let line = self.line.iter().filter(|waits| !waits.is_gone);
        line.map(|waits| waits.at)
    }

    /// Leaves no gap at the ends, and few between them.
    fn close_up(&mut self) {
        while self.line.pop_front_if(|first| first.is_gone).is_some() {
            self.gaps -= 1;
        }
        while self.line.pop_back_if(|last| last.is_gone).is_some() {
            self.gaps -= 1;
        }
        if self.gaps > self.line.len() / 2 {
            self.line.retain(|waits| !waits.is_gone);
            self.gaps = 0;
        }
    }
}

/// How many have room for good.
const KEPT: usize = 1024;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set_in_order_whatever_comes_and_goes(
            // What happens, to which one, how much later, and how long it may take.
            steps in vec((0..5_u8, any::<Index>(), 0..3_u64, 0..12_usize), 0..400),
        ) {
            let begun = Instant::now();
            let (mut due, mut model) = (Due::default(), BTreeSet::new());
            let mut passed = 0;
            for (number, (what, which, later, kind)) in (0..).zip(steps) {
                passed += later;
                let now = begun + Duration::from_secs(passed);
                // Most have the same patience.
                let patience = [10, 40].get(kind).copied().unwrap_or(20);
                let end = now + Duration::from_secs(patience);
                let all: Vec<At> = model.iter().copied().collect();
                let one = (!all.is_empty()).then(|| *which.get(&all));
                let (goes, comes) = match (what, one) {
                    (0 | 1, _) | (_, None) => (None, Some((end, number))),
                    (2, Some(one)) => (Some(one), Some((end, one.1))),
                    // To where it was.
                    (3, Some(one)) => (Some(one), Some(one)),
                    (_, Some(one)) => (Some(one), None),
                };
                if let Some(one) = goes {
                    due.remove(one);
                    model.remove(&one);
                }
                if let Some(one) = comes {
                    due.insert(one);
                    model.insert(one);
                }
                prop_assert_eq!(due.first(), model.first().copied());
                let all: BTreeSet<At> = due.iter().collect();
                prop_assert_eq!(&all, &model);
                prop_assert_eq!(due.iter().count(), model.len());
                let soon = now + Duration::from_secs(15);
                let late = model.range(..=(soon, u64::MAX)).copied();
                prop_assert!(due.until(soon).into_iter().eq(late));
                prop_assert!(due.line.len() + due.apart.len() <= 2 * model.len());
            }
        }
    }

    #[test]
    fn what_is_gone_takes_no_room_behind_one_that_stays() {
        let begun = Instant::now();
        let at = |number| (begun + Duration::from_millis(number), number);
        let mut due = Due::default();
        due.insert(at(0));
        for number in 1..10_000 {
            due.insert(at(number));
            due.insert(at(number + 10_000));
            due.remove(at(number));
            due.remove(at(number + 10_000));
            assert!(due.line.len() <= 2, "{due:?}");
        }
        assert_eq!(due.first(), Some(at(0)));
    }
}

//! Several results under one call. Some may have failed, some may wait for a confirmation; the batch says which.

use std::collections::HashMap;

use serde_json::Value;

use crate::catalog::codes;
use crate::fault::Fault;
use crate::phrase::Phrase;
use crate::warning::Warning;

/// A batch of items, each with its own result.
#[derive(Debug, PartialEq, Default)]
#[must_use]
pub struct Batch {
    pub(crate) items: Vec<Item>,
    pub(crate) verb: Option<(Box<str>, Box<str>)>,
    pub(crate) message: Option<Box<str>>,
    pub(crate) halted: bool,
    pub(crate) warnings: Vec<Warning>,
}

/// One item of a batch.
#[derive(Debug)]
#[non_exhaustive]
pub struct Item {
    /// The caller's name for it.
    pub id: Option<Box<str>>,
    /// The operation, where items differ in it.
    pub operation: Option<Box<str>>,
    /// What it came to.
    pub result: ItemResult,
}

/// What an item came to.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "an item is done, failed or waiting; there is no fourth"
)]
pub enum ItemResult {
    /// Done, with its data.
    Done(Value),
    /// Failed.
    Failed(Fault),
    /// Waiting for a person's confirmation: neither done nor failed.
    Pending(Fault),
}

/// How many items came to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// All of them.
    pub total: usize,
    /// Those that are done.
    pub succeeded: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that wait for a confirmation.
    pub pending: usize,
}

/// What a batch as a whole came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the three branches of partial success"
)]
pub enum Verdict {
    /// Nothing failed.
    Complete,
    /// Some failed, some did not.
    Partial,
    /// Everything failed.
    Failed,
}

impl Batch {
    /// An empty batch. What it did to its items is a verb in two forms: `("delete", "deleted")`.
    pub fn new(verb: &str, done: &str) -> Self {
        Self {
            verb: Some((verb.into(), done.into())),
            ..Self::default()
        }
    }

    /// An item that is done.
    pub fn done(self, id: impl Into<Box<str>>, data: impl Into<Value>) -> Self {
        self.item(Some(id.into()), None, ItemResult::Done(data.into()))
    }

    /// An item that failed.
    pub fn failed(self, id: impl Into<Box<str>>, fault: Fault) -> Self {
        self.item(Some(id.into()), None, ItemResult::Failed(fault))
    }

    /// An item that waits for a confirmation.
    pub fn pending(self, id: impl Into<Box<str>>, fault: Fault) -> Self {
        self.item(Some(id.into()), None, ItemResult::Pending(fault))
    }

    /// An item in full.
    pub fn item(
        mut self,
        id: Option<Box<str>>,
        operation: Option<Box<str>>,
        result: ItemResult,
    ) -> Self {
        self.items.push(Item {
            id,
            operation,
            result,
        });
        self
    }

    /// The batch stopped at its first pending item; the rest was not tried.
    pub fn halted(mut self) -> Self {
        self.halted = true;
        self
    }

    /// Announces something about the batch as a whole.
    pub fn warning(mut self, warning: Warning) -> Self {
        self.warnings.push(warning);
        self
    }

    /// The items, in the order they were asked for.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// What was announced about the batch as a whole.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether the batch stopped at its first pending item.
    pub fn is_halted(&self) -> bool {
        self.halted
    }

    /// How many came to what.
    pub fn tally(&self) -> Tally {
        let count = |want: fn(&ItemResult) -> bool| {
            self.items.iter().filter(|item| want(&item.result)).count()
        };
        Tally {
            total: self.items.len(),
            succeeded: count(|result| matches!(result, ItemResult::Done(_))),
            failed: count(|result| matches!(result, ItemResult::Failed(_))),
            pending: count(|result| matches!(result, ItemResult::Pending(_))),
        }
    }

    /// What the batch as a whole came to.
    pub fn verdict(&self) -> Verdict {
        let tally = self.tally();
        match tally.failed {
            0 => Verdict::Complete,
            failed if failed == tally.total => Verdict::Failed,
            _ => Verdict::Partial,
        }
    }

    /// The faults of failed items, with their positions.
    pub fn faults(&self) -> impl Iterator<Item = (usize, &Fault)> {
        self.items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| match &item.result {
                ItemResult::Failed(fault) => Some((index, fault)),
                ItemResult::Done(_) | ItemResult::Pending(_) => None,
            })
    }

    /// One sentence on the batch as a whole, if anything failed.
    pub fn sentence(&self) -> Option<String> {
        let tally = self.tally();
        let (verb, done) = self
            .verb
            .as_ref()
            .map_or(("process", "processed"), |(verb, done)| (verb, done));
        let sentence = match self.verdict() {
            Verdict::Complete => return None,
            Verdict::Partial => format!(
                "{} of {} items could not be {done}",
                tally.failed, tally.total
            ),
            Verdict::Failed => format!("Failed to {verb} all {} items", tally.failed),
        };
        Some(self.message.as_deref().map_or(sentence, str::to_owned))
    }

    /// The failure that stands for all when everything failed: the commonest code, the earliest among equals. One
    /// that asks for a confirmation stands only for itself.
    pub(crate) fn dominant(&self) -> Option<&Fault> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let asks = |fault: &Fault| fault.code().entry().names.needs_input.is_some();
        for (_, fault) in self.faults() {
            *counts.entry(fault.code().name()).or_default() += 1;
        }
        let mut best: Option<(&Fault, usize)> = None;
        for (_, fault) in self.faults().filter(|(_, fault)| !asks(fault)) {
            let count = counts[fault.code().name()];
            if best.is_none_or(|(_, most)| count > most) {
                best = Some((fault, count));
            }
        }
        best.map(|(fault, _)| fault)
    }

    /// Makes the items agree with counts that were claimed beside them: what is said to have failed and is not
    /// listed has failed all the same.
    pub(crate) fn claim(&mut self, total: Option<u64>, failed: Option<u64>) {
        let tally = self.tally();
        let limit = |count: Option<u64>| {
            count.map_or(0, |count| {
                usize::try_from(count.min(MAX_CLAIMED)).unwrap_or(0)
            })
        };
        let mut missing = limit(failed).saturating_sub(tally.failed);
        let room = limit(total).saturating_sub(tally.total);
        for _ in 0..missing.min(room) {
            self.items.push(Item {
                id: None,
                operation: None,
                result: ItemResult::Failed(unlisted()),
            });
            missing -= 1;
        }
        let blank =
            |item: &&mut Item| matches!(&item.result, ItemResult::Done(data) if data.is_null());
        for item in self.items.iter_mut().filter(blank).take(missing) {
            item.result = ItemResult::Failed(unlisted());
        }
    }
}

/// The most items that are made up to agree with a claim.
const MAX_CLAIMED: u64 = 10_000;

fn unlisted() -> Fault {
    Fault::new(codes::INTERNAL_UNKNOWN).say(Phrase::CALL_UNTOLD)
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.operation == other.operation && self.result == other.result
    }
}

impl PartialEq for ItemResult {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Done(a), Self::Done(b)) => a == b,
            (Self::Failed(a), Self::Failed(b)) | (Self::Pending(a), Self::Pending(b)) => {
                a.public() == b.public()
            }
            (Self::Done(_) | Self::Failed(_) | Self::Pending(_), _) => false,
        }
    }
}

//! Whether the other end still owes an answer to a request that is past its deadline.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use tokio::time::{Instant, sleep_until};

use super::{PendingRequest, PendingRequests, PendingTable};

impl PendingRequests {
    /// Takes a request out that the other end has not answered.
    pub(in crate::connection) fn abandon(&self, number: u64) -> Option<Box<PendingRequest>> {
        let mut open = self.open.lock();
        let request = open.abandon(number);
        self.notify_oldest(&open, number);
        request
    }

    /// Takes a request out that the other end has answered; `None` if it is not pending. An end that answers later requests
    /// does not hang on earlier ones.
    pub(in crate::connection) fn take_answered(&self, number: u64) -> Option<Box<PendingRequest>> {
        let mut open = self.open.lock();
        if let Some(unanswered) = &mut open.unanswered {
            while let Some(oldest) = unanswered.first_entry()
                && *oldest.key() <= number
            {
                oldest.remove();
                self.oldest.notify_one();
            }
        }
        open.take(number)
    }

    /// A request is abandoned. One that was sent after the oldest of them does not matter.
    pub(super) fn notify_oldest(&self, open: &PendingTable, number: u64) {
        let oldest = open.unanswered.as_ref().and_then(BTreeMap::first_key_value);
        if oldest.is_some_and(|(&oldest, _)| number <= oldest) {
            self.oldest.notify_one();
        }
    }

    /// Waits until the oldest request that ended without an answer is past its deadline, whether the caller still waits for
    /// it or not. Such requests are remembered from the first use on.
    pub(in crate::connection) async fn until_overdue(&self) {
        loop {
            let at = {
                let mut open = self.open.lock();
                open.unanswered.get_or_insert_default();
                open.overdue_at()
            };
            match at {
                Some(at) if at <= Instant::now() => return,
                Some(at) => tokio::select! {
                    () = sleep_until(at) => {}
                    () = self.oldest.notified() => {}
                },
                None => self.oldest.notified().await,
            }
        }
    }

    /// Whether the oldest request that ended without an answer is past its deadline.
    pub(in crate::connection) fn is_overdue(&self) -> bool {
        let at = self.open.lock().overdue_at();
        at.is_some_and(|at| at <= Instant::now())
    }

    /// Forgets the requests that are past their deadline.
    pub(in crate::connection) fn forget_overdue(&self) {
        let now = Instant::now();
        if let Some(unanswered) = &mut self.open.lock().unanswered {
            unanswered.retain(|_, deadline| *deadline > now);
        }
    }

    /// The number that the next request will have.
    pub(in crate::connection) fn next_number(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Waits until all written requests with lower numbers that the other end has not answered are past their deadlines.
    pub(in crate::connection) async fn until_past_deadlines(&self, next: u64) {
        loop {
            let last = self.open.lock().last_deadline(next);
            match last {
                // It may move meanwhile.
                Some(at) if at > Instant::now() => sleep_until(at).await,
                Some(_) | None => return,
            }
        }
    }
}

impl PendingTable {
    /// Takes a request out that the other end has not answered, and remembers it if that matters: it was written, and it
    /// has an end.
    pub(super) fn abandon(&mut self, number: u64) -> Option<Box<PendingRequest>> {
        let request = self.take(number)?;
        if let (Some(unanswered), true, Some(deadline)) =
            (&mut self.unanswered, request.is_written, &request.deadline)
            && unanswered.len() < MAX_UNANSWERED
        {
            unanswered.insert(number, deadline.at());
        }
        Some(request)
    }

    /// The deadline of the oldest request that ended without an answer.
    fn overdue_at(&self) -> Option<Instant> {
        let oldest = self.unanswered.as_ref()?.first_key_value();
        oldest.map(|(_, deadline)| *deadline)
    }

    /// The last deadline of all written requests with lower numbers, pending or ended without an answer.
    fn last_deadline(&self, next: u64) -> Option<Instant> {
        // What is not written does not keep the other end busy.
        let pending = self
            .requests
            .iter()
            .filter(|(_, request)| request.is_written);
        let pending = pending
            .filter_map(|(number, request)| Some((*number, request.deadline.as_ref()?.at())));
        let ended = self.unanswered.iter().flatten();
        let all = pending.chain(ended.map(|(number, deadline)| (*number, *deadline)));
        let earlier = all.filter(|(number, _)| *number < next);
        earlier.map(|(_, deadline)| deadline).max()
    }
}

/// How many requests are remembered that ended without an answer: the oldest matter.
const MAX_UNANSWERED: usize = 1000;

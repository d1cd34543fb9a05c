//! Whether the other end still owes an answer to a request that is past its deadline.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use tokio::time::{Instant, sleep_until};

use super::{PendingRequest, PendingRequests, PendingTable};

impl PendingRequests {
    /// Takes a request out that the other end has not answered.
    pub(in crate::connection) fn abandon(&self, number: u64) -> Option<Box<PendingRequest>> {
        let mut open = self.open.lock();
        let request = open.abandon(number, Some(self.next.load(Ordering::Relaxed)));
        self.notify_oldest(&open, number);
        request
    }

    /// Takes a request out that the other end has answered; `None` if it is not pending. An end that answers later requests
    /// does not hang on earlier ones.
    pub(in crate::connection) fn take_answered(&self, number: u64) -> Option<Box<PendingRequest>> {
        let mut open = self.open.lock();
        self.notify_oldest(&open, number);
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

    /// A request is answered or abandoned. Those sent after the oldest unanswered one do not matter to it.
    pub(super) fn notify_oldest(&self, open: &PendingTable, number: u64) {
        let oldest = open.unanswered.as_ref().and_then(BTreeMap::first_key_value);
        if oldest.is_some_and(|(&oldest, _)| number <= oldest) {
            self.oldest.notify_one();
        }
    }

    /// Waits until the oldest request that the other end has not answered is past its deadline, whether the caller still
    /// waits for it or not. Such requests are remembered from the first use on.
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

    /// Whether the oldest request that the other end has not answered is past its deadline.
    pub(in crate::connection) fn is_overdue(&self) -> bool {
        let at = self.open.lock().overdue_at();
        at.is_some_and(|at| at <= Instant::now())
    }

    /// Forgets the requests that are past their deadline.
    pub(in crate::connection) fn forget_overdue(&self) {
        let now = Instant::now();
        if let Some(unanswered) = &mut self.open.lock().unanswered {
            unanswered.retain(|_, request| request.deadline > now);
        }
    }
}

impl PendingTable {
    /// Takes a request out that the other end has not answered, and remembers it if that matters: it was written, and it
    /// has an end. `next` is the next number if it is cancelled, `None` if it is late.
    pub(super) fn abandon(
        &mut self,
        number: u64,
        next: Option<u64>,
    ) -> Option<Box<PendingRequest>> {
        let request = self.take(number)?;
        if let (Some(unanswered), true, Some(deadline)) =
            (&mut self.unanswered, request.is_written, &request.deadline)
            && unanswered.len() < MAX_UNANSWERED
        {
            let deadline = deadline.at();
            unanswered.insert(number, UnansweredRequest { deadline, next });
        }
        Some(request)
    }

    /// When the oldest request that ended without an answer, and all that were sent before it, are past their deadlines.
    /// An earlier one that is not may keep the other end busy. A cancelled one may never be answered, so the other end may
    /// be busy with what was sent up to the cancellation, or with the first request after it.
    fn overdue_at(&self) -> Option<Instant> {
        let unanswered = self.unanswered.as_ref()?;
        let (&oldest, request) = unanswered.first_key_value()?;
        // What is not written does not keep the other end busy.
        let written = self
            .requests
            .iter()
            .filter(|(_, request)| request.is_written);
        let pending = written
            .filter_map(|(number, request)| Some((*number, request.deadline.as_ref()?.at())));
        let ended = unanswered.iter();
        let all = pending.chain(ended.map(|(number, request)| (*number, request.deadline)));
        let last = match request.next {
            Some(next) => {
                let after = all.clone().map(|(number, _)| number);
                after.filter(|number| *number >= next).min().unwrap_or(next)
            }
            None => oldest,
        };
        let counted = all.filter(|(number, _)| *number <= last);
        counted.map(|(_, deadline)| deadline).max()
    }
}

/// A request that ended here before the other end answered it.
#[derive(Debug)]
pub(super) struct UnansweredRequest {
    deadline: Instant,
    /// The next number when it was cancelled; `None` if it was late.
    next: Option<u64>,
}

/// How many requests are remembered that ended without an answer: the oldest matter.
const MAX_UNANSWERED: usize = 1000;

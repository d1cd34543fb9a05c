//! Requests that were sent here and are not answered yet.

mod overdue;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::RandomState;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

use super::deadline::Deadline;
use super::listener::RelatedRequest;
use super::{AskOutcome, Peer, ReplyChannel, RequestSummary, RpcMethod, Ticket};
use crate::jsonrpc::Id;
use crate::sync::Mutex;

/// The requests that were sent, by the number that is their id.
#[derive(Debug, Default)]
pub(super) struct PendingRequests {
    next: AtomicU64,
    open: Mutex<PendingTable>,
    /// Notified when the earliest deadline may have changed.
    earlier: Notify,
    /// Notified when the oldest request that ended without an answer may be another one.
    oldest: Notify,
}

#[derive(Debug, Default)]
struct PendingTable {
    /// The connection is over: no request is taken.
    is_over: bool,
    requests: HashMap<u64, Box<PendingRequest>, RandomState>,
    /// The deadline of each request, with its number.
    deadlines: BTreeSet<(Instant, u64)>,
    /// The requests that began tasks, oldest first, whose progress goes on after the answer: number, caller, token.
    tasks: VecDeque<(u64, Peer, Id)>,
    /// Questions of the other end that may belong to any request sent before them: the next number at that time, lowest
    /// first.
    questions: Vec<u64>,
    /// When the task that waits for deadlines wakes: never later than the earliest deadline.
    next_look: Option<Instant>,
    /// The deadlines of the requests that ended here before the other end answered them, late or cancelled. Only kept where
    /// [`PendingRequests::until_overdue`] is used.
    unanswered: Option<BTreeMap<u64, Instant>>,
}

#[derive(Debug)]
pub(super) struct PendingRequest {
    pub(super) asked: RequestSummary,
    pub(super) sink: AnswerSink,
    pub(super) is_written: bool,
    /// Where it was sent, if it belongs to a request of the other end.
    pub(super) channel: Option<Arc<dyn ReplyChannel>>,
    pub(super) deadline: Option<Deadline>,
    /// How many questions of the other end belong to it.
    pub(super) questions: usize,
}

/// Where the answer goes. An answer, a deadline, a cancellation and the end of the connection can come at once; only the first
/// of them finds the request in the table.
#[derive(Debug)]
pub(super) enum AnswerSink {
    /// To another connection, as it came.
    Ticket {
        ticket: Ticket,
        progress: Option<Id>,
    },
    /// To a task of this process.
    Waiter(oneshot::Sender<AskOutcome>),
}

impl PendingRequests {
    /// A new number.
    pub(super) fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// The connection is over: takes all requests out, oldest first, and no more in.
    pub(super) fn end(&self) -> impl Iterator<Item = Box<PendingRequest>> {
        let mut requests: Vec<(u64, Box<PendingRequest>)> = {
            let mut open = self.open.lock();
            open.is_over = true;
            open.deadlines.clear();
            open.tasks.clear();
            open.requests.drain().collect()
        };
        self.earlier.notify_one();
        requests.sort_unstable_by_key(|(number, _)| *number);
        requests.into_iter().map(|(_, request)| request)
    }

    /// The id a request had where it came from, and its reply channel.
    pub(super) fn caller(&self, number: u64) -> Option<(Id, Option<Arc<dyn ReplyChannel>>)> {
        match &self.open.lock().requests.get(&number)?.sink {
            AnswerSink::Ticket { ticket, .. } => {
                Some((ticket.id().clone(), ticket.channel().cloned()))
            }
            AnswerSink::Waiter(_) => None,
        }
    }

    /// Waits until a deadline passes; false if the connection is over.
    pub(super) async fn until_late(&self) -> bool {
        loop {
            let (next, is_over) = {
                let mut open = self.open.lock();
                open.next_look = open.deadlines.first().map(|(at, _)| *at);
                (open.next_look, open.is_over)
            };
            match next {
                _ if is_over => return false,
                Some(at) if at <= Instant::now() => return true,
                Some(at) => tokio::select! {
                    () = sleep_until(at) => {}
                    () = self.earlier.notified() => {}
                },
                None => self.earlier.notified().await,
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.open.lock().requests.len()
    }

    /// Whether a request is pending.
    pub(super) fn has(&self, number: u64) -> bool {
        self.open.lock().requests.contains_key(&number)
    }

    pub(super) fn may_repeat(&self, number: u64) -> bool {
        let open = self.open.lock();
        let request = open.requests.get(&number);
        request.is_some_and(|request| request.asked.method.is_safe_to_repeat())
    }

    /// Marks a request as written; false if it is not pending.
    pub(super) fn mark_written(&self, number: u64) -> bool {
        match self.open.lock().requests.get_mut(&number) {
            Some(request) => {
                request.is_written = true;
                true
            }
            None => false,
        }
    }

    /// Takes a request in, unless the connection is over.
    pub(super) fn insert(
        &self,
        number: u64,
        request: Box<PendingRequest>,
    ) -> Result<(), Box<PendingRequest>> {
        let mut open = self.open.lock();
        if open.is_over {
            return Err(request);
        }
        if let Some(deadline) = &request.deadline {
            open.deadlines.insert((deadline.at(), number));
            // Hardly ever: deadlines mostly come in order.
            if open.next_look.is_none_or(|at| deadline.at() < at) {
                self.earlier.notify_one();
            }
        }
        open.requests.insert(number, request);
        Ok(())
    }

    /// Takes a request out.
    pub(super) fn take(&self, number: u64) -> Option<Box<PendingRequest>> {
        self.open.lock().take(number)
    }

    pub(super) fn take_stream(&self, number: u64) -> Option<Box<PendingRequest>> {
        let mut open = self.open.lock();
        let is_stream = open.requests.get(&number)?.asked.method == RpcMethod::Listen;
        is_stream.then(|| open.take(number))?
    }

    pub(super) fn take_late(&self, now: Instant) -> Vec<(u64, Box<PendingRequest>)> {
        let mut open = self.open.lock();
        let late = open.deadlines.range(..=(now, u64::MAX)).copied();
        let late: Vec<_> = late.collect();
        let late: Vec<_> = late
            .into_iter()
            .filter_map(|(_, number)| Some((number, open.abandon(number)?)))
            .collect();
        for (number, _) in &late {
            self.notify_oldest(&open, *number);
        }
        late
    }

    pub(super) fn take_all_of(&self, gone: &Peer) -> Vec<(u64, Box<PendingRequest>)> {
        let mut open = self.open.lock();
        let of_gone = |request: &PendingRequest| match &request.sink {
            AnswerSink::Ticket { ticket, .. } => ticket.peer().is(gone),
            AnswerSink::Waiter(_) => false,
        };
        let requests = open.requests.iter();
        let mut numbers: Vec<u64> = requests
            .filter_map(|(number, request)| of_gone(request).then_some(*number))
            .collect();
        numbers.sort_unstable();
        let numbers = numbers.into_iter();
        let requests: Vec<_> = numbers
            .filter_map(|number| Some((number, open.abandon(number)?)))
            .collect();
        for (number, _) in &requests {
            self.notify_oldest(&open, *number);
        }
        requests
    }

    /// Forwards progress after the answer. The oldest task is forgotten if there are too many.
    pub(super) fn remember_task(&self, number: u64, to: Peer, token: Id) {
        let mut open = self.open.lock();
        if open.is_over {
            return;
        }
        if open.tasks.len() == MAX_TASKS {
            open.tasks.pop_front();
        }
        open.tasks.push_back((number, to, token));
    }

    /// Moves the deadline of a request, and gives where its progress goes.
    pub(super) fn progress(&self, number: u64) -> Option<ProgressTarget> {
        let mut open = self.open.lock();
        let open = &mut *open;
        if !open.requests.contains_key(&number) {
            let task = open.tasks.iter().find(|(task, ..)| *task == number);
            return task.map(|(_, to, token)| (to.clone(), None, token.clone()));
        }
        open.set_deadline(number, Instant::now());
        let request = open.requests.get(&number)?;
        match &request.sink {
            AnswerSink::Ticket { ticket, progress } => {
                let channel = ticket.channel().cloned();
                Some((ticket.peer().clone(), channel, progress.clone()?))
            }
            AnswerSink::Waiter(_) => None,
        }
    }

    /// Suspends the idle timeout of a request, or of all sent so far, until [`Self::resume`].
    pub(super) fn pause(&self, about: RelatedRequest) -> PausedRequests {
        let mut open = self.open.lock();
        let now = Instant::now();
        if let Some(number) = about {
            if let Some(request) = open.requests.get_mut(&number) {
                request.questions += 1;
                open.set_deadline(number, now);
            }
            return PausedRequests::One(number);
        }
        let next = self.next.load(Ordering::Relaxed);
        let asked = open.asked();
        open.questions.push(next);
        open.set_deadlines(asked..next, now);
        PausedRequests::Before(next)
    }

    /// Resumes idle timeouts.
    pub(super) fn resume(&self, paused: PausedRequests) {
        let mut open = self.open.lock();
        let now = Instant::now();
        match paused {
            PausedRequests::One(number) => {
                if let Some(request) = open.requests.get_mut(&number) {
                    request.questions = request.questions.saturating_sub(1);
                    open.set_deadline(number, now);
                }
            }
            PausedRequests::Before(next) => {
                if let Ok(at) = open.questions.binary_search(&next) {
                    open.questions.remove(at);
                }
                let asked = open.asked();
                open.set_deadlines(asked..next, now);
            }
        }
        drop(open);
        self.earlier.notify_one();
    }
}

impl PendingTable {
    fn take(&mut self, number: u64) -> Option<Box<PendingRequest>> {
        let request = self.requests.remove(&number)?;
        if let Some(deadline) = request.deadline {
            self.deadlines.remove(&(deadline.at(), number));
        }
        Some(request)
    }

    /// A question may belong to any request with a lower number.
    fn asked(&self) -> u64 {
        self.questions.last().copied().unwrap_or_default()
    }

    fn set_deadlines(&mut self, which: Range<u64>, now: Instant) {
        if which.is_empty() {
            return;
        }
        let numbers = self.deadlines.iter().map(|(_, number)| *number);
        let numbers: Vec<u64> = numbers.filter(|number| which.contains(number)).collect();
        for number in numbers {
            self.set_deadline(number, now);
        }
    }

    /// Sets the deadline of a request. While it is paused only the total timeout counts.
    fn set_deadline(&mut self, number: u64, now: Instant) {
        let asked = self.asked();
        let Some(request) = self.requests.get_mut(&number) else {
            return;
        };
        let is_paused = request.questions > 0 || number < asked;
        if let Some(deadline) = &mut request.deadline {
            self.deadlines.remove(&(deadline.at(), number));
            if is_paused {
                deadline.pause();
            } else {
                deadline.extend(now);
            }
            self.deadlines.insert((deadline.at(), number));
        }
    }
}

/// The requests that a question pauses.
#[derive(Debug, Clone, Copy)]
pub(super) enum PausedRequests {
    /// The request it belongs to.
    One(u64),
    /// All that were sent before it.
    Before(u64),
}

/// Where progress goes: the caller, its reply channel, and its token.
type ProgressTarget = (Peer, Option<Arc<dyn ReplyChannel>>, Id);

/// How many tasks are kept.
const MAX_TASKS: usize = 1000;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::timeouts::Timeouts;

    fn request() -> Box<PendingRequest> {
        let timeouts = Timeouts {
            idle: SECOND * 10,
            total: SECOND * 60,
        };
        Box::new(PendingRequest {
            asked: RequestSummary::unread(),
            sink: AnswerSink::Waiter(oneshot::channel().0),
            is_written: true,
            channel: None,
            deadline: Some(Deadline::new(Instant::now(), timeouts)),
            questions: 0,
        })
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_pauses_only_the_request_it_belongs_to() {
        let pending = PendingRequests::default();
        for _ in 0..2 {
            let number = pending.number();
            pending.insert(number, request()).expect("it is open");
        }
        let begun = Instant::now();
        let late = |seconds| -> Vec<u64> {
            let late = pending.take_late(begun + SECOND * seconds);
            late.into_iter().map(|(number, _)| number).collect()
        };
        // Of two questions one is answered: the request is still paused.
        let first = pending.pause(Some(0));
        let second = pending.pause(Some(0));
        tokio::time::advance(SECOND * 5).await;
        pending.resume(second);
        assert!(pending.progress(0).is_none(), "the request has no token");
        assert_eq!(late(11), [1]);
        pending.resume(first);
        // One that may belong to any request, and one of a request that is not pending.
        let any = pending.pause(None);
        let gone = pending.pause(Some(7));
        assert_eq!(late(16), [0; 0]);
        pending.resume(gone);
        pending.resume(any);
        assert_eq!(late(14), [0; 0]);
        assert_eq!(late(15), [0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_does_not_pause_later_requests() {
        let pending = PendingRequests::default();
        let begun = Instant::now();
        let late = |seconds| -> Vec<u64> {
            let late = pending.take_late(begun + SECOND * seconds);
            late.into_iter().map(|(number, _)| number).collect()
        };
        let ask = || {
            let number = pending.number();
            pending.insert(number, request()).expect("it is open");
        };
        ask();
        let first = pending.pause(None);
        ask();
        assert_eq!(late(10), [1]);
        ask();
        let second = pending.pause(None);
        ask();
        assert_eq!(late(10), [3]);
        // The order of the answers does not matter.
        pending.resume(first);
        assert_eq!(late(10), [0; 0]);
        pending.resume(second);
        assert_eq!(late(10), [0, 2]);
    }

    const SECOND: Duration = Duration::from_secs(1);
}

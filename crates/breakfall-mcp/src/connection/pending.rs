//! Requests that went out here and are not answered yet.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use foldhash::fast::RandomState;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

use super::deadline::Deadline;
use super::hear::RelatedRequest;
use super::{AskOutcome, Peer, ReplyChannel, RequestSummary, RpcMethod, Ticket};
use crate::jsonrpc::Id;

/// The requests that have gone out, by the number we gave them as an id.
#[derive(Debug, Default)]
pub(super) struct Pending {
    next: AtomicU64,
    open: Mutex<Open>,
    /// Told when the earliest deadline may have changed.
    earlier: Notify,
}

#[derive(Debug, Default)]
struct Open {
    /// Set when the connection is over: nothing more will be answered.
    is_over: bool,
    slots: HashMap<u64, Box<Slot>, RandomState>,
    /// The deadline of each slot, with its number.
    deadlines: BTreeSet<(Instant, u64)>,
    /// Whose progress goes on after the answer, oldest first: a task goes on in the background.
    tasks: VecDeque<(u64, Peer, Id)>,
    /// Questions of the other end that nobody can say which request they belong to: each with the first number that was
    /// not given away yet, lowest first. What is asked later has nothing to do with it.
    questions: Vec<u64>,
    /// When whoever waits for the first of them looks again, which may be too early but never too late.
    next_look: Option<Instant>,
}

#[derive(Debug)]
pub(super) struct Slot {
    pub(super) asked: RequestSummary,
    pub(super) sink: Sink,
    pub(super) is_written: bool,
    /// Which way it went, if it is part of what belongs to a request of the other end.
    pub(super) way: Option<Arc<dyn ReplyChannel>>,
    pub(super) deadline: Option<Deadline>,
    /// Questions of the other end that belong to it.
    pub(super) questions: usize,
}

/// Who gets the answer. Whoever takes a slot out of the table has it alone: an answer, a deadline, a cancellation and
/// the end of the connection can come at once, and only one of them finds it.
#[derive(Debug)]
pub(super) enum Sink {
    /// Somebody at another end: it is passed on as it came.
    Ticket {
        ticket: Ticket,
        progress: Option<Id>,
    },
    /// Somebody in here.
    Waiter(oneshot::Sender<AskOutcome>),
}

impl Pending {
    /// A number nobody had before.
    pub(super) fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// The connection is over: nothing more is taken in, and what is there is given out, oldest first.
    pub(super) fn end(&self) -> impl Iterator<Item = Box<Slot>> {
        let mut slots: Vec<(u64, Box<Slot>)> = {
            let mut open = self.lock();
            open.is_over = true;
            open.deadlines.clear();
            open.tasks.clear();
            open.slots.drain().collect()
        };
        self.earlier.notify_one();
        slots.sort_unstable_by_key(|(number, _)| *number);
        slots.into_iter().map(|(_, slot)| slot)
    }

    /// Who made a request: the id it gave it, and the way back to it.
    pub(super) fn caller(&self, number: u64) -> Option<(Id, Option<Arc<dyn ReplyChannel>>)> {
        match &self.lock().slots.get(&number)?.sink {
            Sink::Ticket { ticket, .. } => Some((ticket.id().clone(), ticket.way().cloned())),
            Sink::Waiter(_) => None,
        }
    }

    /// Waits until something is late; false if nothing will be, because the connection is over.
    pub(super) async fn until_late(&self) -> bool {
        loop {
            let (next, is_over) = {
                let mut open = self.lock();
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
        self.lock().slots.len()
    }

    /// Whether a request is in here.
    pub(super) fn has(&self, number: u64) -> bool {
        self.lock().slots.contains_key(&number)
    }

    /// Marks a request as written; false if nobody waits for it any more.
    pub(super) fn mark_written(&self, number: u64) -> bool {
        match self.lock().slots.get_mut(&number) {
            Some(slot) => {
                slot.is_written = true;
                true
            }
            None => false,
        }
    }

    /// Takes a request in, unless the connection is over.
    pub(super) fn insert(&self, number: u64, slot: Box<Slot>) -> Result<(), Box<Slot>> {
        let mut open = self.lock();
        if open.is_over {
            return Err(slot);
        }
        if let Some(deadline) = &slot.deadline {
            open.deadlines.insert((deadline.at(), number));
            // Most calls are answered long before the deadline of an earlier one, so hardly any has to wake somebody.
            if open.next_look.is_none_or(|at| deadline.at() < at) {
                self.earlier.notify_one();
            }
        }
        open.slots.insert(number, slot);
        Ok(())
    }

    /// Takes a request out. Whoever gets it is the only one.
    pub(super) fn take(&self, number: u64) -> Option<Box<Slot>> {
        self.lock().take(number)
    }

    pub(super) fn take_stream(&self, number: u64) -> Option<Box<Slot>> {
        let mut open = self.lock();
        let is_stream = open.slots.get(&number)?.asked.method == RpcMethod::Listen;
        is_stream.then(|| open.take(number))?
    }

    pub(super) fn take_late(&self, now: Instant) -> Vec<(u64, Box<Slot>)> {
        let mut open = self.lock();
        let late = open.deadlines.range(..=(now, u64::MAX)).copied();
        let late: Vec<_> = late.collect();
        late.into_iter()
            .filter_map(|(_, number)| Some((number, open.take(number)?)))
            .collect()
    }

    pub(super) fn take_all_of(&self, gone: &Peer) -> Vec<(u64, Box<Slot>)> {
        let mut open = self.lock();
        let of_gone = |slot: &Slot| match &slot.sink {
            Sink::Ticket { ticket, .. } => ticket.peer().is(gone),
            Sink::Waiter(_) => false,
        };
        let slots = open.slots.iter();
        let mut numbers: Vec<u64> = slots
            .filter_map(|(number, slot)| of_gone(slot).then_some(*number))
            .collect();
        numbers.sort_unstable();
        let numbers = numbers.into_iter();
        numbers
            .filter_map(|number| Some((number, open.take(number)?)))
            .collect()
    }

    /// Passes progress on although there is an answer already. The oldest is forgotten if there are too many.
    pub(super) fn remember_task(&self, number: u64, to: Peer, token: Id) {
        let mut open = self.lock();
        if open.is_over {
            return;
        }
        if open.tasks.len() == MOST_TASKS {
            open.tasks.pop_front();
        }
        open.tasks.push_back((number, to, token));
    }

    /// Moves the deadline of a request and says where its progress goes, and under which token.
    pub(super) fn progress(&self, number: u64) -> Option<Onward> {
        let mut open = self.lock();
        let open = &mut *open;
        if !open.slots.contains_key(&number) {
            let task = open.tasks.iter().find(|(task, ..)| *task == number);
            return task.map(|(_, to, token)| (to.clone(), None, token.clone()));
        }
        open.set_deadline(number, Instant::now());
        let slot = open.slots.get(&number)?;
        match &slot.sink {
            Sink::Ticket { ticket, progress } => {
                let way = ticket.way().cloned();
                Some((ticket.peer().clone(), way, progress.clone()?))
            }
            Sink::Waiter(_) => None,
        }
    }

    /// The other end asks something that belongs to a request, or to any of those it has: they may be quiet until
    /// [`Self::go_on`].
    pub(super) fn pause(&self, about: RelatedRequest) -> Quiet {
        let mut open = self.lock();
        let now = Instant::now();
        if let Some(number) = about {
            if let Some(slot) = open.slots.get_mut(&number) {
                slot.questions += 1;
                open.set_deadline(number, now);
            }
            return Quiet::One(number);
        }
        let next = self.next.load(Ordering::Relaxed);
        let asked = open.asked();
        open.questions.push(next);
        open.set_deadlines(asked..next, now);
        Quiet::Before(next)
    }

    /// A question is answered.
    pub(super) fn go_on(&self, quiet: Quiet) {
        let mut open = self.lock();
        let now = Instant::now();
        match quiet {
            Quiet::One(number) => {
                if let Some(slot) = open.slots.get_mut(&number) {
                    slot.questions = slot.questions.saturating_sub(1);
                    open.set_deadline(number, now);
                }
            }
            Quiet::Before(next) => {
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

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Open {
    fn take(&mut self, number: u64) -> Option<Box<Slot>> {
        let slot = self.slots.remove(&number)?;
        if let Some(deadline) = slot.deadline {
            self.deadlines.remove(&(deadline.at(), number));
        }
        Some(slot)
    }

    /// Any lower number may be one a question belongs to.
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

    /// Sets when a request is late. As long as it may be quiet only the hard maximum counts.
    fn set_deadline(&mut self, number: u64, now: Instant) {
        let asked = self.asked();
        let Some(slot) = self.slots.get_mut(&number) else {
            return;
        };
        let is_paused = slot.questions > 0 || number < asked;
        if let Some(deadline) = &mut slot.deadline {
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

/// Which requests may be quiet as long as a question is open.
#[derive(Debug, Clone, Copy)]
pub(super) enum Quiet {
    /// The one it belongs to.
    One(u64),
    /// Those that had gone out when it came.
    Before(u64),
}

/// Where progress goes: to whom, by which way, under which token.
type Onward = (Peer, Option<Arc<dyn ReplyChannel>>, Id);

/// How many tasks are remembered.
const MOST_TASKS: usize = 1000;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::timeouts::Timeouts;

    fn slot() -> Box<Slot> {
        let patience = Timeouts {
            idle: SECOND * 10,
            total: SECOND * 60,
        };
        Box::new(Slot {
            asked: RequestSummary::unread(),
            sink: Sink::Waiter(oneshot::channel().0),
            is_written: true,
            way: None,
            deadline: Some(Deadline::new(Instant::now(), patience)),
            questions: 0,
        })
    }

    #[tokio::test(start_paused = true)]
    async fn only_the_request_a_question_belongs_to_may_be_quiet() {
        let pending = Pending::default();
        for _ in 0..2 {
            let number = pending.number();
            pending.insert(number, slot()).expect("it is open");
        }
        let begun = Instant::now();
        let late = |seconds| -> Vec<u64> {
            let late = pending.take_late(begun + SECOND * seconds);
            late.into_iter().map(|(number, _)| number).collect()
        };
        // Two questions, of which one is answered: it waits still.
        let first = pending.pause(Some(0));
        let second = pending.pause(Some(0));
        tokio::time::advance(SECOND * 5).await;
        pending.go_on(second);
        assert!(pending.progress(0).is_none(), "nobody wants to know");
        assert_eq!(late(11), [1]);
        pending.go_on(first);
        // One of nobody in particular, and one of somebody who is gone.
        let any = pending.pause(None);
        let gone = pending.pause(Some(7));
        assert_eq!(late(16), [0; 0]);
        pending.go_on(gone);
        pending.go_on(any);
        assert_eq!(late(14), [0; 0]);
        assert_eq!(late(15), [0]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_asked_after_a_question_may_not_be_quiet() {
        let pending = Pending::default();
        let begun = Instant::now();
        let late = |seconds| -> Vec<u64> {
            let late = pending.take_late(begun + SECOND * seconds);
            late.into_iter().map(|(number, _)| number).collect()
        };
        let ask = || {
            let number = pending.number();
            pending.insert(number, slot()).expect("it is open");
        };
        ask();
        let first = pending.pause(None);
        ask();
        assert_eq!(late(10), [1]);
        ask();
        let second = pending.pause(None);
        ask();
        assert_eq!(late(10), [3]);
        // They are answered in whichever order.
        pending.go_on(first);
        assert_eq!(late(10), [0; 0]);
        pending.go_on(second);
        assert_eq!(late(10), [0, 2]);
    }

    const SECOND: Duration = Duration::from_secs(1);
}

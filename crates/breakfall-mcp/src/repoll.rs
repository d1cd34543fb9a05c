//! Polls a future again when it wakes itself.
//!
//! Both ends of an HTTP/1.1 connection and of its bodies wake each other in the task that polls them. The runtime treats a
//! task that wakes itself as one that yields, and wakes another thread to take it over, which costs more than what the
//! task has left to do.

use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};

/// A future that is polled again at once when it wakes itself, a bounded number of times.
#[derive(Debug)]
pub(crate) struct Repoll<F> {
    future: Pin<Box<F>>,
    state: Arc<RepollState>,
    waker: Waker,
}

impl<F: Future> Repoll<F> {
    pub(crate) fn new(future: F) -> Self {
        let state = Arc::<RepollState>::default();
        let waker = Arc::clone(&state).into();
        Self {
            future: Box::pin(future),
            state,
            waker,
        }
    }
}

impl<F: Future> Future for Repoll<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        this.state.set_task(context.waker());
        for _ in 0..MAX_POLLS {
            this.state.phase.store(POLLING, Ordering::Release);
            let mut inner = Context::from_waker(&this.waker);
            if let Poll::Ready(output) = this.future.as_mut().poll(&mut inner) {
                return Poll::Ready(output);
            }
            if this.state.phase.swap(WAITING, Ordering::AcqRel) == POLLING {
                return Poll::Pending;
            }
        }
        // Other tasks have their turn.
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

#[derive(Debug, Default)]
struct RepollState {
    phase: AtomicU8,
    task: Mutex<Option<Waker>>,
}

impl RepollState {
    fn set_task(&self, waker: &Waker) {
        let mut task = self.task();
        match &mut *task {
            Some(task) => task.clone_from(waker),
            None => *task = Some(waker.clone()),
        }
    }

    fn task(&self) -> MutexGuard<'_, Option<Waker>> {
        self.task.lock().expect("no panic while this lock is held")
    }
}

impl Wake for RepollState {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let if_polled = |phase| (phase != WAITING).then_some(WOKEN);
        let phase = &self.phase;
        let was_polled = phase.fetch_update(Ordering::AcqRel, Ordering::Acquire, if_polled);
        if was_polled.is_err()
            && let Some(task) = &*self.task()
        {
            task.wake_by_ref();
        }
    }
}

/// The future is not being polled: a wake goes to its task.
const WAITING: u8 = 0;
const POLLING: u8 = 1;
/// Woken while it is polled.
const WOKEN: u8 = 2;

/// How often the future is polled before other tasks have their turn. More than two are rare.
const MAX_POLLS: u32 = 8;

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[derive(Default)]
    struct WakeCounter(AtomicU32);

    impl Wake for WakeCounter {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Polls a future once that wakes itself in its first polls. Returns how often it was polled and its task woken.
    fn poll_once(self_wakes: u32) -> (u32, u32) {
        let counter = Arc::new(WakeCounter::default());
        let waker = Waker::from(Arc::clone(&counter));
        let mut polls = 0;
        let mut repoll = Repoll::new(poll_fn(|context| {
            polls += 1;
            if polls <= self_wakes {
                context.waker().wake_by_ref();
            }
            Poll::<()>::Pending
        }));
        let polled = Pin::new(&mut repoll).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
        drop(repoll);
        (polls, counter.0.load(Ordering::Relaxed))
    }

    #[test]
    fn a_future_that_wakes_itself_is_polled_again_without_its_task() {
        assert_eq!(poll_once(0), (1, 0));
        assert_eq!(poll_once(2), (3, 0));
    }

    #[test]
    fn one_that_never_stops_lets_other_tasks_run() {
        assert_eq!(poll_once(u32::MAX), (MAX_POLLS, 1));
    }

    #[test]
    fn a_later_wake_goes_to_the_task() {
        let counter = Arc::new(WakeCounter::default());
        let waker = Waker::from(Arc::clone(&counter));
        let mut kept = None;
        let mut repoll = Repoll::new(poll_fn(|context| {
            kept = Some(context.waker().clone());
            Poll::<()>::Pending
        }));
        let polled = Pin::new(&mut repoll).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
        drop(repoll);
        kept.expect("it was polled").wake();
        assert_eq!(counter.0.load(Ordering::Relaxed), 1);
    }
}

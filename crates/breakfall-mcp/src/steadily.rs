//! A task that wakes itself goes on at once.
//!
//! The two halves of a connection of HTTP wake each other while they are polled: whoever reads a body asks for it, and
//! whoever has it is told so. To the runtime such a task is one that wants others to go first, and for that it wakes
//! another thread, which takes the task away to another core. That costs several times what the task has left to do.

use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

/// Goes on with a future as long as it wakes itself, within bounds.
#[derive(Debug)]
pub(crate) struct Steadily<F> {
    future: F,
    call: Arc<Call>,
    waker: Waker,
}

impl<F: Future + Unpin> Steadily<F> {
    pub(crate) fn new(future: F) -> Self {
        let call = Arc::<Call>::default();
        let waker = Arc::clone(&call).into();
        Self {
            future,
            call,
            waker,
        }
    }
}

impl<F: Future + Unpin> Future for Steadily<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        this.call.goes_to(context.waker());
        for _ in 0..MOST {
            this.call.state.store(POLLED, Ordering::Release);
            let mut inner = Context::from_waker(&this.waker);
            if let Poll::Ready(output) = Pin::new(&mut this.future).poll(&mut inner) {
                return Poll::Ready(output);
            }
            if this.call.state.swap(WAITS, Ordering::AcqRel) == POLLED {
                return Poll::Pending;
            }
        }
        // Others are to go first after all.
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Hears that the future can go on.
#[derive(Debug, Default)]
struct Call {
    state: AtomicU8,
    /// Whoever polls.
    task: Mutex<Option<Waker>>,
}

impl Call {
    fn goes_to(&self, waker: &Waker) {
        let mut task = self.task();
        match &mut *task {
            Some(task) => task.clone_from(waker),
            None => *task = Some(waker.clone()),
        }
    }

    fn task(&self) -> std::sync::MutexGuard<'_, Option<Waker>> {
        self.task
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Whoever polls it sees this before leaving.
        let is_polled = |state| (state != WAITS).then_some(WOKEN);
        let seen = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, is_polled);
        if seen.is_err()
            && let Some(task) = &*self.task()
        {
            task.wake_by_ref();
        }
    }
}

/// Nobody polls: who wakes tells the task.
const WAITS: u8 = 0;
/// Somebody polls.
const POLLED: u8 = 1;
/// Woken while somebody polls.
const WOKEN: u8 = 2;

/// How often to go on before others get their turn. Hardly anything takes more than two.
const MOST: u32 = 8;

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Polls once; how often the future was polled by that, and how often the task was woken.
    fn poll(wakes: u32) -> (Poll<()>, u32, u32) {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut polls = 0;
        let mut steadily = Steadily::new(poll_fn(|context| {
            polls += 1;
            if polls > wakes {
                return Poll::Pending;
            }
            context.waker().wake_by_ref();
            Poll::<()>::Pending
        }));
        let polled = Pin::new(&mut steadily).poll(&mut Context::from_waker(&waker));
        (polled, polls, count.0.load(Ordering::Relaxed))
    }

    #[test]
    fn a_future_that_wakes_itself_goes_on_without_the_task() {
        assert_eq!(poll(0), (Poll::Pending, 1, 0));
        assert_eq!(poll(2), (Poll::Pending, 3, 0));
    }

    #[test]
    fn one_that_never_stops_lets_others_go_first() {
        assert_eq!(poll(u32::MAX), (Poll::Pending, MOST, 1));
    }

    #[test]
    fn who_wakes_it_later_wakes_the_task() {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut kept = None;
        let mut steadily = Steadily::new(poll_fn(|context| {
            kept = Some(context.waker().clone());
            Poll::<()>::Pending
        }));
        assert!(
            Pin::new(&mut steadily)
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
        drop(steadily);
        kept.expect("it was polled").wake();
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
    }
}

//! Begins a piece of work at once.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Wake, Waker};

use tokio::runtime::Handle;

/// Runs a future right here as far as it goes without waiting, and what is left of it in a task.
///
/// Calls are passed on in the order they came because of this, and one that need not wait at all never becomes a task. One
/// that waits becomes a task when it can go on and not before: what it waits for is mostly a task that was begun a moment
/// ago, and to the runtime two of them are a reason to wake another thread, which takes one away to another core.
pub(super) fn begin(work: impl Future<Output = ()> + Send + 'static) {
    let mut work: Work = Box::pin(work);
    let later = Arc::new(Later {
        runtime: Handle::current(),
        stage: Mutex::new(Stage::Polled),
    });
    let waker = Waker::from(Arc::clone(&later));
    if work
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
        .is_pending()
    {
        later.put(work);
    }
}

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Makes a task of what is left when it is woken. The task looks again first of all, and is woken itself from then on.
struct Later {
    runtime: Handle,
    stage: Mutex<Stage>,
}

enum Stage {
    /// Somebody runs it.
    Polled,
    /// Woken while somebody runs it, or a task already.
    Woken,
    Waits(Work),
}

impl Later {
    /// Leaves what is left until it is woken.
    fn put(&self, work: Work) {
        let mut stage = self.stage();
        match &*stage {
            Stage::Polled => *stage = Stage::Waits(work),
            Stage::Woken | Stage::Waits(_) => drop(self.runtime.spawn(work)),
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Wake for Later {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let before = std::mem::replace(&mut *self.stage(), Stage::Woken);
        if let Stage::Waits(work) = before {
            drop(self.runtime.spawn(work));
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn what_waits_goes_on_when_it_is_woken() {
        let (go, wait) = oneshot::channel::<()>();
        let (done, ended) = oneshot::channel();
        begin(async {
            wait.await.expect("somebody says go");
            // As a task it is woken as tasks are.
            yield_now().await;
            done.send(()).expect("somebody waits");
        });
        go.send(()).expect("it waits");
        ended.await.expect("it goes on");
    }

    #[tokio::test]
    async fn what_is_woken_before_it_waits_is_not_forgotten() {
        let (done, ended) = oneshot::channel();
        begin(async {
            yield_now().await;
            done.send(()).expect("somebody waits");
        });
        ended.await.expect("it goes on");
    }

    #[tokio::test]
    async fn what_need_not_wait_is_done_at_once() {
        let (done, mut ended) = oneshot::channel();
        begin(async { done.send(()).expect("somebody waits") });
        ended.try_recv().expect("it is done");
    }
}

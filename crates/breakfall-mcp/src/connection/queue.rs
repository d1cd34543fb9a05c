//! What waits to be written, in order: many put one in, one takes all of them out at once.

use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Poll, Waker};

use super::{OutgoingMessage, SendError};

/// The end where messages are put in. The queue is closed when it is dropped.
#[derive(Debug)]
pub(super) struct Puts(Arc<Queue>);

/// The end where they are taken out. Nothing more is put in when it is dropped.
#[derive(Debug)]
pub(super) struct Takes(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    parcels: Vec<OutgoingMessage>,
    /// Nothing comes after what is there.
    is_closed: bool,
    /// Who waits for something to be put in.
    waits: Option<Waker>,
}

/// A queue, by its ends.
pub(super) fn queue() -> (Puts, Takes) {
    let queue = Arc::default();
    (Puts(Arc::clone(&queue)), Takes(queue))
}

impl Puts {
    /// Puts a message in.
    pub(super) fn put(&self, parcel: OutgoingMessage) -> Result<(), SendError> {
        let mut state = self.0.lock();
        if state.is_closed {
            return Err(SendError::Over);
        }
        state.parcels.push(parcel);
        let waits = state.waits.take();
        drop(state);
        if let Some(waits) = waits {
            waits.wake();
        }
        Ok(())
    }

    /// What is there is taken out still.
    pub(super) fn close(&self) {
        self.0.close();
    }
}

impl Drop for Puts {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Takes {
    /// Takes out what is there, as soon as there is something; false if nothing will be.
    pub(super) async fn all(&self, into: &mut Vec<OutgoingMessage>) -> bool {
        poll_fn(|cx| {
            let mut state = self.0.lock();
            if !state.parcels.is_empty() {
                mem::swap(&mut state.parcels, into);
                return Poll::Ready(true);
            }
            if state.is_closed {
                return Poll::Ready(false);
            }
            state.waits = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
}

impl Drop for Takes {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        let parcels = mem::take(&mut state.parcels);
        drop(state);
        // Outside the lock, because they may hold the last handle on something.
        drop(parcels);
    }
}

impl Queue {
    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let waits = state.waits.take();
        drop(state);
        if let Some(waits) = waits {
            waits.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Context;

    use super::*;

    fn parcel(number: u64) -> OutgoingMessage {
        OutgoingMessage {
            message: Vec::new().into(),
            request: Some(number),
            extra: None,
        }
    }

    /// What can be taken out at once.
    fn taken(takes: &Takes) -> Option<Vec<u64>> {
        let mut parcels = Vec::new();
        let mut cx = Context::from_waker(Waker::noop());
        let polled = pin!(takes.all(&mut parcels)).poll(&mut cx);
        let Poll::Ready(is_some) = polled else {
            return None;
        };
        assert_eq!(is_some, !parcels.is_empty());
        Some(parcels.into_iter().filter_map(|one| one.request).collect())
    }

    #[test]
    fn what_was_put_in_before_the_end_is_taken_out_in_order() {
        let (puts, takes) = queue();
        assert_eq!(taken(&takes), None);
        for number in 0..3 {
            puts.put(parcel(number)).expect("it is open");
        }
        assert_eq!(taken(&takes), Some(vec![0, 1, 2]));
        assert_eq!(taken(&takes), None);
        puts.put(parcel(3)).expect("it is open");
        puts.close();
        assert_eq!(puts.put(parcel(4)), Err(SendError::Over));
        assert_eq!(taken(&takes), Some(vec![3]));
        assert_eq!(taken(&takes), Some(vec![]));
    }

    #[test]
    fn either_end_closes_it() {
        let (puts, takes) = queue();
        puts.put(parcel(0)).expect("it is open");
        drop(puts);
        assert_eq!(taken(&takes), Some(vec![0]));
        assert_eq!(taken(&takes), Some(vec![]));
        let (puts, takes) = queue();
        drop(takes);
        assert_eq!(puts.put(parcel(0)), Err(SendError::Over));
    }

    #[tokio::test]
    async fn who_waits_is_woken_by_what_comes_and_by_the_end() {
        let (puts, takes) = queue();
        let taker = tokio::spawn(async move {
            let (mut parcels, mut count) = (Vec::new(), 0);
            while takes.all(&mut parcels).await {
                count += parcels.drain(..).count();
            }
            count
        });
        for number in 0..5 {
            tokio::task::yield_now().await;
            puts.put(parcel(number)).expect("it is open");
        }
        tokio::task::yield_now().await;
        drop(puts);
        assert_eq!(taker.await.expect("it ends"), 5);
    }
}

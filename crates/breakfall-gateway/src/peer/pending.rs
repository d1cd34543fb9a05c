//! Requests of ours that are not answered yet.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Notify, oneshot};

use super::{Full, Peer};
use crate::envelope::{Failure, Frame, Id, rewrite};

/// The requests that have gone out, by the id we gave them.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    next: AtomicU64,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// Set when the connection is over: nothing more will be answered.
    over: bool,
    slots: HashMap<u64, Slot>,
}

#[derive(Debug)]
struct Slot {
    answer: oneshot::Sender<Answer>,
    written: bool,
    progress: Option<Progress>,
    beat: Arc<Notify>,
}

/// Where the progress of a request goes, and under which token.
#[derive(Debug, Clone)]
struct Progress {
    token: Box<str>,
    to: Peer,
}

/// What became of a request.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum Answer {
    /// It was answered, well or badly.
    Reply(Frame),
    /// It was answered in a way nobody can read.
    Unreadable(Failure),
    /// The connection ended first.
    Gone(Gone),
}

/// The other end went away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gone {
    /// Whether any of the request was written by then. If so, nobody knows whether it was carried out.
    pub written: bool,
}

/// A request that has gone out. Whoever drops it does not care for the answer any more.
#[derive(Debug)]
#[must_use = "an answer nobody waits for is thrown away"]
pub struct Waiting {
    number: u64,
    peer: Peer,
    answer: oneshot::Receiver<Answer>,
    beat: Arc<Notify>,
}

impl Peer {
    /// Asks: the frame of a request goes out under an id of ours. Its progress goes to `progress`, under the token
    /// the frame had.
    ///
    /// # Errors
    /// When the other end has not read for so long that nothing more may wait for it, or is gone.
    pub fn request(&self, frame: &Frame, progress: &Self) -> Result<Waiting, Full> {
        let number = self.0.pending.next.fetch_add(1, Ordering::Relaxed);
        let (bytes, token) = rewrite::request(frame, &Id::number(number));
        let (sender, answer) = oneshot::channel();
        let beat = Arc::new(Notify::new());
        let to = || progress.clone();
        let slot = Slot {
            answer: sender,
            written: false,
            progress: token.map(|token| Progress { token, to: to() }),
            beat: Arc::clone(&beat),
        };
        let waiting = Waiting {
            number,
            peer: self.clone(),
            answer,
            beat,
        };
        {
            let mut open = self.0.pending.lock();
            if open.over {
                return Err(Full);
            }
            open.slots.insert(number, slot);
        }
        // If this fails, dropping `waiting` takes the slot away again.
        self.0.outbox.put(bytes, Some(number))?;
        Ok(waiting)
    }
}

impl Waiting {
    /// The answer. Safe to drop and call again.
    pub async fn answer(&mut self) -> Answer {
        match (&mut self.answer).await {
            Ok(answer) => answer,
            Err(_) => Answer::Gone(Gone { written: true }),
        }
    }

    /// Waits until the other end reports progress on this request.
    pub async fn progress(&self) {
        self.beat.notified().await;
    }

    /// Withdraws the request. `note` is the caller's own cancellation, whose reason is passed on.
    pub fn cancel(self, note: Option<&Frame>) {
        let id = Id::number(self.number);
        let told = note.and_then(|note| rewrite::cancelled(note, &id));
        let told = told.unwrap_or_else(|| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
            )
            .into_bytes()
        });
        // An end that does not read any more is not told either.
        let _ = self.peer.notify(told);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.peer.0.pending.lock().slots.remove(&self.number);
    }
}

impl Pending {
    pub(super) fn len(&self) -> usize {
        self.lock().slots.len()
    }

    pub(super) fn mark_written(&self, number: u64) {
        if let Some(slot) = self.lock().slots.get_mut(&number) {
            slot.written = true;
        }
    }

    /// Hands an answer to whoever waits for it; false if nobody does.
    pub(super) fn answer(&self, id: Option<&Id>, answer: Answer) -> bool {
        let number = id.and_then(|id| id.as_json().parse().ok());
        let slot = number.and_then(|number: u64| self.lock().slots.remove(&number));
        slot.is_some_and(|slot| slot.answer.send(answer).is_ok())
    }

    /// Passes progress on; false if it belongs to nobody.
    pub(super) fn progress(&self, frame: &Frame) -> bool {
        let number = rewrite::token_of(frame).and_then(|token| token.parse::<u64>().ok());
        let found = number.and_then(|number| {
            let open = self.lock();
            let slot = open.slots.get(&number)?;
            slot.beat.notify_one();
            slot.progress.clone()
        });
        let Some(progress) = found else { return false };
        match rewrite::progress(frame, &progress.token) {
            Some(bytes) => progress.to.notify(bytes).is_ok(),
            None => false,
        }
    }

    /// The connection is over: whoever waits is told at once.
    pub(super) fn end(&self) {
        let slots = {
            let mut open = self.lock();
            open.over = true;
            std::mem::take(&mut open.slots)
        };
        let mut numbers: Vec<_> = slots.into_iter().collect();
        numbers.sort_unstable_by_key(|(number, _)| *number);
        for (_, slot) in numbers {
            let gone = Gone {
                written: slot.written,
            };
            // Whoever stopped waiting meanwhile need not be told.
            let _ = slot.answer.send(Answer::Gone(gone));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        self.open
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

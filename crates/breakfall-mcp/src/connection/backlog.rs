//! Messages that wait until the other end is ready to take them.

use std::collections::VecDeque;

use tokio::time::Instant;

/// A bounded queue of messages, each with its deadline. The order is kept, so that no message overtakes a handshake.
#[derive(Debug)]
pub struct Backlog<T> {
    waiting: VecDeque<WaitingMessage<T>>,
    bytes: usize,
    limits: BacklogLimits,
}

#[derive(Debug)]
struct WaitingMessage<T> {
    message: T,
    bytes: usize,
    deadline: Option<Instant>,
}

/// How much may wait at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair of bounds")]
pub struct BacklogLimits {
    /// How many messages.
    pub messages: usize,
    /// How many bytes in all. A single message is taken whatever its size.
    pub bytes: usize,
}

impl Default for BacklogLimits {
    /// 10 000 messages, 64 MiB.
    fn default() -> Self {
        Self {
            messages: 10_000,
            bytes: 64 << 20,
        }
    }
}

impl<T> Default for Backlog<T> {
    fn default() -> Self {
        Self::new(BacklogLimits::default())
    }
}

impl<T> Backlog<T> {
    /// An empty backlog.
    pub fn new(limits: BacklogLimits) -> Self {
        Self {
            waiting: VecDeque::new(),
            bytes: 0,
            limits,
        }
    }

    /// Appends a message of a size.
    ///
    /// # Errors
    /// Gives the message back when the backlog is full.
    pub fn push(&mut self, message: T, bytes: usize, deadline: Option<Instant>) -> Result<(), T> {
        let fits = self.waiting.len() < self.limits.messages
            && self.bytes.saturating_add(bytes) <= self.limits.bytes;
        if !fits && !self.waiting.is_empty() {
            return Err(message);
        }
        self.bytes = self.bytes.saturating_add(bytes);
        self.waiting.push_back(WaitingMessage {
            message,
            bytes,
            deadline,
        });
        Ok(())
    }

    /// Takes out the first message.
    pub fn pop(&mut self) -> Option<T> {
        self.take_at(0)
    }

    /// Takes out the first message if it is the wanted one.
    pub fn pop_if(&mut self, is_wanted: impl FnOnce(&T) -> bool) -> Option<T> {
        let first = &self.waiting.front()?.message;
        is_wanted(first).then(|| self.take_at(0))?
    }

    /// Takes out the first wanted message, wherever it waits.
    pub fn remove(&mut self, mut is_wanted: impl FnMut(&T) -> bool) -> Option<T> {
        let mut messages = self.waiting.iter();
        let at = messages.position(|waiting| is_wanted(&waiting.message))?;
        self.take_at(at)
    }

    /// Takes out the messages whose deadline has passed, in order.
    pub fn take_late(&mut self, now: Instant) -> Vec<T> {
        let is_late = |waiting: &WaitingMessage<T>| waiting.deadline.is_some_and(|at| at <= now);
        if !self.waiting.iter().any(is_late) {
            return Vec::new();
        }
        let mut late = Vec::new();
        for waiting in std::mem::take(&mut self.waiting) {
            if is_late(&waiting) {
                self.bytes -= waiting.bytes;
                late.push(waiting.message);
            } else {
                self.waiting.push_back(waiting);
            }
        }
        late
    }

    /// The earliest deadline.
    pub fn next_deadline(&self) -> Option<Instant> {
        let deadlines = self.waiting.iter();
        deadlines.filter_map(|waiting| waiting.deadline).min()
    }

    /// Every message, in order.
    pub fn into_messages(self) -> impl Iterator<Item = T> {
        self.waiting.into_iter().map(|waiting| waiting.message)
    }

    /// Whether no message waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Appends another backlog, whatever its size.
    pub fn append(&mut self, mut other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.waiting.append(&mut other.waiting);
    }

    fn take_at(&mut self, at: usize) -> Option<T> {
        let waiting = self.waiting.remove(at)?;
        self.bytes -= waiting.bytes;
        Some(waiting.message)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn small() -> Backlog<u32> {
        Backlog::new(BacklogLimits {
            messages: 3,
            bytes: 10,
        })
    }

    #[test]
    fn what_waits_is_bounded_by_count_and_bytes_and_keeps_its_order() {
        let mut backlog = small();
        assert_eq!(backlog.push(1, 100, None), Ok(()), "one always fits");
        assert_eq!(backlog.push(2, 1, None), Err(2));
        assert_eq!(backlog.pop(), Some(1));
        for message in 1..=3 {
            assert_eq!(backlog.push(message, 1, None), Ok(()));
        }
        assert_eq!(backlog.push(4, 1, None), Err(4));
        assert_eq!(backlog.remove(|message| *message == 2), Some(2));
        assert_eq!(backlog.push(5, 8, None), Ok(()));
        assert_eq!(backlog.push(6, 1, None), Err(6));
        assert_eq!(backlog.pop_if(|message| *message == 3), None);
        assert_eq!(backlog.into_messages().collect::<Vec<_>>(), [1, 3, 5]);
    }

    #[test]
    fn what_is_late_is_taken_out_and_makes_room() {
        let (now, mut backlog) = (Instant::now(), small());
        let at = |seconds| Some(now + Duration::from_secs(seconds));
        assert_eq!(backlog.push(1, 5, at(9)), Ok(()));
        assert_eq!(backlog.push(2, 5, None), Ok(()));
        assert_eq!(backlog.next_deadline(), at(9));
        assert_eq!(backlog.take_late(now), [0; 0]);
        assert_eq!(backlog.take_late(now + Duration::from_secs(9)), [1]);
        assert_eq!(backlog.next_deadline(), None);
        assert_eq!(backlog.push(3, 5, at(1)), Ok(()));
        let mut both = small();
        both.append(backlog);
        assert_eq!(both.push(4, 1, None), Err(4));
        assert_eq!(both.next_deadline(), at(1));
    }
}

//! A bound on the memory of all answers that clients have not read: each may be big, but not all at once. Beyond it the
//! client with the most unread bytes is closed.

use std::collections::HashMap;
use std::mem;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use hyper::body::Bytes;

use super::connection_state::ConnectionState;
use super::session_share::party;
use crate::access::Principal;
use crate::sync::Mutex;

/// The bytes of all answers that are held for clients.
#[derive(Debug)]
pub(super) struct AnswerBudget {
    held: AtomicUsize,
    max: AtomicUsize,
    readers: Mutex<ReaderList>,
}

#[derive(Debug, Default)]
struct ReaderList {
    readers: Vec<Weak<UnreadAnswers>>,
    /// The length at which the list is searched for readers that are gone.
    prune_at: usize,
}

/// The answers one client has not read: those of a session, or the answer to one request without a session.
#[derive(Debug)]
pub(super) struct UnreadAnswers {
    budget: Arc<AnswerBudget>,
    principal: Principal,
    state: Mutex<UnreadState>,
}

#[derive(Debug, Default)]
struct UnreadState {
    bytes: usize,
    is_listed: bool,
    is_closed: bool,
    /// The connections that carry its responses, once for each response.
    connections: Vec<Weak<ConnectionState>>,
}

/// Bytes that count until they are dropped.
#[derive(Debug, Default)]
pub(super) struct HeldBytes {
    bytes: Bytes,
    /// The size that was counted.
    counted: usize,
    of: Option<Arc<UnreadAnswers>>,
}

/// The response a connection carries for a client. Closing the client closes the connection.
#[derive(Debug)]
pub(super) struct CarriedResponse {
    of: Arc<UnreadAnswers>,
    connection: Weak<ConnectionState>,
}

impl AnswerBudget {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self {
            held: AtomicUsize::new(0),
            max: AtomicUsize::new(max),
            readers: Mutex::default(),
        })
    }

    /// Uses another bound. What is held stays.
    pub(super) fn set_max(&self, max: usize) {
        self.max.store(max, Ordering::Relaxed);
    }

    /// Makes room for a new answer, which is counted already. Any answer fits if nothing else is held.
    fn make_room(&self, reader: &Arc<UnreadAnswers>, bytes: usize) {
        let list = self.readers.lock();
        while self.is_exceeded()
            && let Some(largest) = list.largest(reader, bytes)
        {
            largest.close();
        }
    }

    fn is_exceeded(&self) -> bool {
        self.held.load(Ordering::Relaxed) > self.max.load(Ordering::Relaxed)
    }

    fn list(&self, reader: &Arc<UnreadAnswers>) {
        let mut list = self.readers.lock();
        if list.readers.len() >= list.prune_at {
            list.readers.retain(|reader| reader.strong_count() > 0);
            list.prune_at = (2 * list.readers.len()).max(MIN_PRUNE_LENGTH);
        }
        list.readers.push(Arc::downgrade(reader));
    }
}

impl ReaderList {
    /// The largest reader on the connection that carries the most, of the key that holds the most: many small answers weigh
    /// as much as a big one. The new answer of a reader does not count.
    fn largest(&self, new: &Arc<UnreadAnswers>, new_bytes: usize) -> Option<Arc<UnreadAnswers>> {
        let readers = self.readers.iter().filter_map(Weak::upgrade);
        let sized = readers.map(|reader| {
            let (bytes, connection) = reader.weight();
            let new_bytes = if Arc::ptr_eq(&reader, new) {
                new_bytes
            } else {
                0
            };
            (bytes.saturating_sub(new_bytes), connection, reader)
        });
        let sized: Vec<_> = sized.filter(|(bytes, ..)| *bytes > 0).collect();
        let mut parties: HashMap<Option<&str>, usize> = HashMap::new();
        let mut connections: HashMap<_, usize> = HashMap::new();
        for (bytes, connection, reader) in &sized {
            *parties.entry(party(&reader.principal)).or_default() += bytes;
            *connections.entry(*connection).or_default() += bytes;
        }
        let parties = parties.into_iter();
        let (heaviest, _) = parties.max_by_key(|(name, bytes)| (*bytes, *name))?;
        let of_heaviest = |reader: &UnreadAnswers| party(&reader.principal) == heaviest;
        let readers = sized.iter().filter(|(.., reader)| of_heaviest(reader));
        let largest = readers.max_by_key(|(bytes, connection, _)| {
            // Without a connection yet, it weighs as much as it holds.
            let carried = connection.map_or(*bytes, |_| connections[connection]);
            (carried, *bytes)
        });
        largest.map(|(.., reader)| Arc::clone(reader))
    }
}

impl UnreadAnswers {
    pub(super) fn new(budget: &Arc<AnswerBudget>, principal: Principal) -> Arc<Self> {
        Arc::new(Self {
            budget: Arc::clone(budget),
            principal,
            state: Mutex::default(),
        })
    }

    /// Counts an answer until it is dropped; `None` once the client is closed.
    pub(super) fn hold(self: &Arc<Self>, bytes: Bytes) -> Option<HeldBytes> {
        self.count(bytes.len()).then(|| self.held(bytes))
    }

    /// Counts an answer in pieces, each until it is dropped; `None` once the client is closed.
    pub(super) fn hold_pieces(self: &Arc<Self>, pieces: Vec<Bytes>) -> Option<Vec<HeldBytes>> {
        let is_counted = self.count(pieces.iter().map(Bytes::len).sum());
        let held = || pieces.into_iter().map(|piece| self.held(piece)).collect();
        is_counted.then(held)
    }

    fn held(self: &Arc<Self>, bytes: Bytes) -> HeldBytes {
        HeldBytes {
            counted: bytes.len(),
            bytes,
            of: Some(Arc::clone(self)),
        }
    }

    fn count(self: &Arc<Self>, bytes: usize) -> bool {
        // Before it can be found and released.
        self.budget.held.fetch_add(bytes, Ordering::Relaxed);
        let mut state = self.state.lock();
        if state.is_closed {
            self.budget.held.fetch_sub(bytes, Ordering::Relaxed);
            return false;
        }
        state.bytes += bytes;
        let is_listed = mem::replace(&mut state.is_listed, true);
        drop(state);
        if !is_listed {
            self.budget.list(self);
        }
        if self.budget.is_exceeded() {
            self.budget.make_room(self, bytes);
            return !self.is_closed();
        }
        true
    }

    /// How much it holds, and the connection that carries it.
    fn weight(&self) -> (usize, Option<*const ConnectionState>) {
        let state = self.state.lock();
        let connection = state.connections.first().map(Weak::as_ptr);
        (state.bytes, connection)
    }

    /// A connection carries a response of this client.
    pub(super) fn carry(self: &Arc<Self>, connection: &Arc<ConnectionState>) -> CarriedResponse {
        let mut state = self.state.lock();
        let is_closed = state.is_closed;
        state.connections.push(Arc::downgrade(connection));
        drop(state);
        if is_closed {
            connection.close();
        }
        CarriedResponse {
            of: Arc::clone(self),
            connection: Arc::downgrade(connection),
        }
    }

    /// Whether it was closed because too much was unread.
    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().is_closed
    }

    /// Closes the connections of the client. What is held for it counts no more.
    fn close(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        let unread_bytes = mem::take(&mut state.bytes);
        // Each stays listed until its response is dropped.
        let connections = state.connections.clone();
        drop(state);
        self.budget.held.fetch_sub(unread_bytes, Ordering::Relaxed);
        let client = party(&self.principal).unwrap_or("anonymous");
        tracing::warn!(
            client,
            unread_bytes,
            "session closed: the client does not read its answers"
        );
        for connection in connections.iter().filter_map(Weak::upgrade) {
            connection.close();
        }
    }

    fn release(&self, bytes: usize) {
        let mut state = self.state.lock();
        if !state.is_closed {
            state.bytes -= bytes;
            self.budget.held.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

impl HeldBytes {
    /// Bytes that do not count: they are few, or exist only when the client has room.
    pub(super) fn uncounted(bytes: Bytes) -> Self {
        Self {
            bytes,
            counted: 0,
            of: None,
        }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut Bytes {
        &mut self.bytes
    }
}

impl Deref for HeldBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        if let Some(of) = &self.of {
            of.release(self.counted);
        }
    }
}

impl Drop for CarriedResponse {
    fn drop(&mut self) {
        let mut state = self.of.state.lock();
        let mut carried = state.connections.iter();
        if let Some(at) = carried.position(|one| Weak::ptr_eq(one, &self.connection)) {
            state.connections.swap_remove(at);
        }
    }
}

const MIN_PRUNE_LENGTH: usize = 64;

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::super::connection_state::ConnectionClock;
    use super::*;

    fn answer(size: usize) -> Bytes {
        vec![b'x'; size].into()
    }

    #[test]
    fn beyond_the_budget_the_client_with_the_most_unread_bytes_is_closed() {
        let budget = AnswerBudget::new(100);
        let [small, big, new] = [(); 3].map(|()| UnreadAnswers::new(&budget, Principal::Anonymous));
        let kept = small.hold(answer(30)).expect("there is room");
        let mut lost = vec![big.hold(answer(40)).expect("there is room")];
        lost.push(big.hold(answer(30)).expect("there is room"));
        assert!(!big.is_closed());
        let fresh = new.hold_pieces(vec![answer(40), answer(10)]);
        assert_eq!(
            fresh.as_ref().map(Vec::len),
            Some(2),
            "a new answer counts last"
        );
        assert!(big.is_closed() && !small.is_closed());
        assert!(big.hold(answer(1)).is_none());
        assert_eq!(budget.held.load(Ordering::Relaxed), 80);
        drop(lost);
        assert_eq!(
            budget.held.load(Ordering::Relaxed),
            80,
            "not given back twice"
        );
        drop((kept, fresh));
        assert_eq!(budget.held.load(Ordering::Relaxed), 0);
        let huge = small.hold(answer(1000));
        assert!(huge.is_some(), "any answer fits if nothing else is held");
        assert!(new.hold(answer(1)).is_some());
        assert!(small.is_closed());
    }

    #[test]
    fn many_small_unread_answers_of_a_key_count_together() {
        let budget = AnswerBudget::new(100);
        let of = |name: &str| UnreadAnswers::new(&budget, Principal::Named(name.into()));
        let hold = |reader: &Arc<UnreadAnswers>, size| reader.hold(answer(size));
        let honest = of("honest");
        let kept = hold(&honest, 40);
        let many: Vec<_> = (1..=6).map(|_| of("greedy")).collect();
        let held: Vec<_> = many.iter().map(|reader| hold(reader, 10)).collect();
        let next = of("other");
        assert!(hold(&next, 10).is_some());
        assert!(!honest.is_closed(), "one answer is bigger, one key is not");
        let closed = many.iter().filter(|reader| reader.is_closed());
        assert_eq!(closed.count(), 1);
        drop((kept, held));
    }

    #[test]
    fn many_small_unread_answers_of_a_connection_count_together() {
        let budget = AnswerBudget::new(100);
        let reader = || UnreadAnswers::new(&budget, Principal::Anonymous);
        let clock = Arc::<ConnectionClock>::default();
        let [honest, greedy] = [(); 2].map(|()| ConnectionState::new(Arc::clone(&clock)));
        let session = reader();
        let kept = (session.hold(answer(40)), session.carry(&honest));
        let many: Vec<_> = (1..=6).map(|_| reader()).collect();
        let held: Vec<_> = many
            .iter()
            .map(|reader| (reader.hold(answer(10)), reader.carry(&greedy)))
            .collect();
        assert!(reader().hold(answer(10)).is_some());
        assert!(
            !session.is_closed(),
            "one answer is bigger, one connection is not"
        );
        let closed = many.iter().filter(|reader| reader.is_closed());
        assert_eq!(closed.count(), 1);
        drop((kept, held));
    }

    #[test]
    fn the_budget_holds_for_answers_that_come_at_once() {
        for _ in 0..50 {
            let budget = AnswerBudget::new(100);
            let barrier = Barrier::new(8);
            let hold = || {
                let reader = UnreadAnswers::new(&budget, Principal::Anonymous);
                barrier.wait();
                let held = reader.hold(answer(30));
                barrier.wait();
                let total = budget.held.load(Ordering::Relaxed);
                barrier.wait();
                drop(held);
                total
            };
            let totals: Vec<usize> = thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(hold)).collect();
                let threads = threads.into_iter();
                threads
                    .map(|thread| thread.join().expect("no panic"))
                    .collect()
            });
            assert!(totals.iter().all(|total| *total <= 100), "{totals:?}");
            assert_eq!(budget.held.load(Ordering::Relaxed), 0);
        }
    }
}

//! Whether pipes are looked at: one decision for all of them. If one were waited for while another is looked at, nobody
//! would hear of it for long.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::task::Waker;
use std::thread;
use std::time::Duration;

use tokio::time::Instant;

/// Looks at pipes as long as that pays.
#[derive(Debug, Default)]
pub(super) struct Eyes {
    is_open: AtomicBool,
    sight: Mutex<Sight>,
}

#[derive(Debug)]
struct Sight {
    /// When something was read last, not counting what others made of our core since.
    since: Instant,
    /// How often somebody has looked since.
    looks: u32,
    /// How often looking has to pay before it is trusted again, once others have wanted the core.
    distrust: u32,
    /// Who has said something last.
    last: Speaker,
    /// Whether to look for what comes after a client has spoken, and after a server has.
    trust: [Trust; 2],
    /// Those who wait, and are told when looking begins.
    waiting: Vec<Waker>,
}

/// Who is at the other end of a pipe. What one of them says is followed by something of the other, as a rule, and how soon
/// depends on who it is: a server may take long for each answer though its client is back at once.
#[derive(Clone, Copy, Debug, Default)]
pub enum Speaker {
    /// A client.
    #[default]
    Client,
    /// A server.
    Server,
}

/// What looking has been good for.
#[derive(Debug, Default)]
struct Trust {
    /// After how many messages looking is tried again.
    skip: u32,
    /// The same for the next time looking does not pay.
    penalty: u32,
}

impl Default for Sight {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            looks: 0,
            distrust: 0,
            last: Speaker::default(),
            trust: [Trust::default(), Trust::default()],
            waiting: Vec::new(),
        }
    }
}

impl Eyes {
    pub(super) fn are_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// Looking has paid; true if the next message is to be looked for.
    pub(super) fn have_seen(&self, speaker: Speaker) -> bool {
        let mut sight = self.sight();
        sight.distrust = sight.distrust.saturating_sub(1);
        if sight.distrust == 0 {
            sight.trust().penalty = 0;
        }
        let look_on = sight.have_read(speaker);
        if !look_on {
            self.is_open.store(false, Ordering::Release);
        }
        look_on
    }

    /// There was nothing to see; true if it is to be looked for once more.
    pub(super) fn look_on(&self) -> bool {
        let mut sight = self.sight();
        sight.looks += 1;
        let before = Instant::now();
        if sight.looks > MOST || before - sight.since >= MOMENT {
            return self.shut(sight);
        }
        if sight.looks.is_multiple_of(PIPES) {
            // Whoever has something to do before there is anything to see may sit on this very core.
            drop(sight);
            thread::yield_now();
            let gone = before.elapsed();
            sight = self.sight();
            sight.since += gone;
            // Others want the core. Who waits is let in as soon as something comes; who looks, when it is their turn.
            if gone >= LONG {
                sight.distrust = DISTRUST;
                return self.shut(sight);
            }
        }
        true
    }

    /// Looking does not pay.
    fn shut(&self, mut sight: MutexGuard<'_, Sight>) -> bool {
        sight.trust().lose();
        self.is_open.store(false, Ordering::Release);
        false
    }

    /// Something was read that was waited for; true if the next one is to be looked for.
    pub(super) fn have_waited(&self, speaker: Speaker) -> bool {
        let mut sight = self.sight();
        if !sight.have_read(speaker) {
            return false;
        }
        self.is_open.store(true, Ordering::Release);
        let waiting = mem::take(&mut sight.waiting);
        drop(sight);
        waiting.into_iter().for_each(Waker::wake);
        true
    }

    pub(super) fn wake_later(&self, waker: &Waker) {
        let mut sight = self.sight();
        if !sight.waiting.iter().any(|other| other.will_wake(waker)) {
            sight.waiting.push(waker.clone());
        }
        drop(sight);
        // Looking may have begun meanwhile.
        if self.are_open() {
            waker.wake_by_ref();
        }
    }

    /// After how many messages looking is tried again.
    #[cfg(test)]
    pub(super) fn skipped(&self, speaker: Speaker) -> u32 {
        self.sight().trust[speaker as usize].skip
    }

    fn sight(&self) -> MutexGuard<'_, Sight> {
        self.sight
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Sight {
    /// True if what comes next is to be looked for.
    fn have_read(&mut self, speaker: Speaker) -> bool {
        self.since = Instant::now();
        self.looks = 0;
        self.last = speaker;
        self.trust().is_there()
    }

    fn trust(&mut self) -> &mut Trust {
        &mut self.trust[self.last as usize]
    }
}

impl Trust {
    fn is_there(&mut self) -> bool {
        let is_there = self.skip == 0;
        self.skip = self.skip.saturating_sub(1);
        is_there
    }

    fn lose(&mut self) {
        self.penalty = (2 * self.penalty + 1).min(WORST);
        self.skip = self.penalty;
    }
}

/// How many pipes there are to look at, as a rule: what clients say, and what a child says.
const PIPES: u32 = 2;
/// For how long to look: a quick server has answered by then, and a few times as long as it takes to wake a core. Hypervisors
/// look as long.
const MOMENT: Duration = Duration::from_micros(200);
/// How often, where time stands still.
pub(super) const MOST: u32 = 1000 * PIPES;
/// From here on who had the core meanwhile is not about to be done.
const LONG: Duration = Duration::from_micros(200);
/// How often looking has to pay then, before it is trusted again.
const DISTRUST: u32 = 16;
/// After how many messages looking is tried again at the latest.
const WORST: u32 = 255;

//! Between whoever logs and stderr. A client need not read our stderr; then a write there waits for ever, and whoever
//! waits for it answers nobody. So a thread of its own does, and what does not fit in between is counted and lost.

use std::io;
use std::mem;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// A handle to write with.
#[derive(Debug, Clone)]
pub(super) struct Queue(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// What is to be written.
    lines: Vec<u8>,
    /// How many bytes are being written.
    writing: usize,
    /// How many lines did not fit.
    lost: usize,
    /// Those who want to know when everything before them is written.
    marks: Vec<Sender<()>>,
    /// Whoever writes has nothing to do and has to be woken.
    is_asleep: bool,
}

/// The one in front of stderr.
static STDERR: OnceLock<Queue> = OnceLock::new();

impl Queue {
    /// The one in front of stderr.
    pub(super) fn stderr() -> Self {
        STDERR.get_or_init(|| Self::new(io::stderr())).clone()
    }

    fn new(to: impl io::Write + Send + 'static) -> Self {
        let queue = Self(Arc::default());
        let inner = Arc::clone(&queue.0);
        thread::spawn(move || inner.write(to));
        queue
    }

    /// Waits until everything is written, if it is read.
    fn flush(&self) {
        let (mark, written) = mpsc::channel();
        self.0.lock().marks.push(mark);
        self.0.wake.notify_one();
        // Late is as good as never.
        let _ = written.recv_timeout(PATIENCE);
    }
}

/// Waits until everything that was logged is written, if anybody reads it.
pub(crate) fn flush() {
    if let Some(queue) = STDERR.get() {
        queue.flush();
    }
}

impl io::Write for Queue {
    /// Takes a whole line, or loses it.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock();
        let waiting = state.lines.len() + state.writing;
        if waiting == 0 || waiting + line.len() <= MOST {
            state.lines.extend_from_slice(line);
        } else {
            state.lost += 1;
        }
        // Waking somebody is a call to the system: only the first line after a pause does it.
        let is_woken = mem::take(&mut state.is_asleep);
        drop(state);
        if is_woken {
            self.0.wake.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Inner {
    fn write(&self, mut to: impl io::Write) {
        let mut lines = Vec::new();
        loop {
            let (lost, marks) = self.take(&mut lines);
            // Nobody can be told that a log cannot be written.
            let _ = to.write_all(&lines);
            if lost > 0 {
                let _ = writeln!(
                    to,
                    "breakfall: warn: {lost} lines of the log are lost: nobody read them in time"
                );
            }
            for mark in marks {
                // Whoever stopped waiting need not be told.
                let _ = mark.send(());
            }
        }
    }

    /// Waits for lines. Those that come right after others wait a moment for company; the first one does not.
    fn take(&self, lines: &mut Vec<u8>) -> (usize, Vec<Sender<()>>) {
        lines.clear();
        lines.shrink_to(USUAL);
        let mut state = self.lock();
        state.writing = 0;
        (state, _) = self
            .wake
            .wait_timeout_while(state, GROUP, |state| state.marks.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        state.is_asleep = true;
        state = self
            .wake
            .wait_while(state, |state| state.is_idle())
            .unwrap_or_else(PoisonError::into_inner);
        state.is_asleep = false;
        mem::swap(&mut state.lines, lines);
        state.writing = lines.len();
        (mem::take(&mut state.lost), mem::take(&mut state.marks))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_idle(&self) -> bool {
        self.lines.is_empty() && self.lost == 0 && self.marks.is_empty()
    }
}

/// How many bytes may wait for whoever reads our stderr.
const MOST: usize = 4 << 20;
/// How many are kept room for.
const USUAL: usize = 64 << 10;
/// How long a line waits that comes right after another one.
const GROUP: Duration = Duration::from_millis(5);
/// How long the end waits for them.
const PATIENCE: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, SyncSender};

    /// Writes when it is allowed to.
    struct Slow(Receiver<()>, Arc<Mutex<Vec<u8>>>);

    impl io::Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // When nobody stops it any more it goes on.
            let _ = self.0.recv();
            self.1.lock().expect("whole").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_log_nobody_reads_holds_nobody_up_and_says_later_what_it_lost() {
        let (go, wait): (SyncSender<()>, _) = mpsc::sync_channel(0);
        let written = Arc::default();
        let mut queue = Queue::new(Slow(wait, Arc::clone(&written)));
        let line = vec![b'x'; 1 << 16];
        for _ in 0..100 {
            assert_eq!(queue.write(&line).ok(), Some(line.len()));
        }
        drop(go);
        Queue::flush(&queue);
        let written = written.lock().expect("whole");
        assert!(written.len() < MOST + 1000, "{}", written.len());
        let text = String::from_utf8_lossy(&written);
        assert!(text.contains("lines of the log are lost"));
    }
}

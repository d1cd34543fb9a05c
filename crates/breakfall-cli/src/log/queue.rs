//! The queue between the log and stderr. A client that does not read the stderr of this process must not block its
//! requests: a thread writes the lines, and lines that do not fit in the queue are counted and dropped.

use breakfall_mcp::sync::Mutex;
use std::borrow::Cow;
use std::io;
use std::mem;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Metadata;

use super::limits::{LeftOutLines, LineLimits};
use super::own_line;
use crate::output;

/// A handle to the queue.
#[derive(Debug, Clone)]
pub(super) struct LogQueue(Arc<SharedLogQueue>);

#[derive(Debug, Default)]
struct SharedLogQueue {
    state: Mutex<QueuedLines>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct QueuedLines {
    /// Lines to be written.
    lines: Vec<u8>,
    /// How many bytes are being written.
    writing: usize,
    /// How many lines did not fit.
    lost: usize,
    limits: LineLimits,
    /// Notified once everything queued before them is written.
    marks: Vec<Sender<()>>,
    /// The writing thread waits and has to be woken.
    is_asleep: bool,
}

/// The queue of stderr.
static STDERR: OnceLock<LogQueue> = OnceLock::new();

impl LogQueue {
    /// The queue of stderr.
    pub(super) fn stderr() -> Self {
        STDERR.get_or_init(|| Self::new(io::stderr())).clone()
    }

    fn new(to: impl io::Write + Send + 'static) -> Self {
        let queue = Self(Arc::default());
        let inner = Arc::clone(&queue.0);
        thread::spawn(move || inner.write(to));
        queue
    }

    /// Whether a line about an event may be queued: see [`LineLimits`].
    pub(super) fn admits(&self, event: &Metadata<'_>) -> bool {
        let mut state = self.0.state.lock();
        let is_admitted = state.limits.admits(event, Instant::now());
        // The thread has to tell of it some time.
        let must_wake = !is_admitted && mem::take(&mut state.is_asleep);
        drop(state);
        if must_wake {
            self.0.wake.notify_one();
        }
        is_admitted
    }

    /// Waits until everything is written, at most [`FLUSH_TIMEOUT`].
    fn flush(&self) {
        let (mark, written) = mpsc::channel();
        self.0.state.lock().marks.push(mark);
        self.0.wake.notify_one();
        // After the timeout the rest is lost.
        let _ = written.recv_timeout(FLUSH_TIMEOUT);
    }
}

/// Waits until the log is written, at most half a second.
pub(crate) fn flush() {
    if let Some(queue) = STDERR.get() {
        queue.flush();
    }
}

impl io::Write for LogQueue {
    /// Queues a whole line, or drops it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = if output::is_json() {
            output::printable_json(&String::from_utf8_lossy(bytes))
                .into_bytes()
                .into()
        } else {
            Cow::Borrowed(bytes)
        };
        let mut state = self.0.state.lock();
        let waiting = state.lines.len() + state.writing;
        if waiting == 0 || waiting + line.len() <= MAX_QUEUED_BYTES {
            state.lines.extend_from_slice(&line);
        } else {
            state.lost += 1;
        }
        // Waking the thread is a system call: only the first line after a pause needs it.
        let must_wake = mem::take(&mut state.is_asleep);
        drop(state);
        if must_wake {
            self.0.wake.notify_one();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the thread writes next.
struct TakenLines {
    lost: usize,
    left_out: Vec<LeftOutLines>,
    marks: Vec<Sender<()>>,
}

impl SharedLogQueue {
    fn write(&self, mut to: impl io::Write) {
        let mut lines = Vec::new();
        loop {
            let TakenLines {
                lost,
                left_out,
                marks,
            } = self.take(&mut lines);
            // A failure of stderr cannot be reported anywhere.
            let _ = to.write_all(&lines);
            if lost > 0 {
                let text = format!("{lost} lines of the log are lost: stderr was not read in time");
                let _ = to.write_all(own_line(&text).as_bytes());
            }
            for lines in left_out {
                let _ = to.write_all(own_line(&lines.text()).as_bytes());
            }
            for mark in marks {
                // The receiver may have timed out.
                let _ = mark.send(());
            }
        }
    }

    /// Waits for lines. The first line after a pause is written at once, later ones in groups.
    fn take(&self, lines: &mut Vec<u8>) -> TakenLines {
        lines.clear();
        lines.shrink_to(KEPT_CAPACITY_BYTES);
        let mut state = self.state.lock();
        state.writing = 0;
        (state, _) = self
            .wake
            .wait_timeout_while(state, GROUP_DELAY, |state| state.marks.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        state = self.wait(state);
        mem::swap(&mut state.lines, lines);
        state.writing = lines.len();
        let is_end = !state.marks.is_empty();
        TakenLines {
            lost: mem::take(&mut state.lost),
            left_out: state.limits.take_left_out(Instant::now(), is_end),
            marks: mem::take(&mut state.marks),
        }
    }

    /// Waits until there is something to write.
    fn wait<'a>(&self, mut state: MutexGuard<'a, QueuedLines>) -> MutexGuard<'a, QueuedLines> {
        while state.is_idle() {
            let pause = match state.limits.next_due() {
                None => Duration::MAX,
                Some(due) => due.saturating_duration_since(Instant::now()),
            };
            if pause.is_zero() {
                break;
            }
            state.is_asleep = true;
            (state, _) = self
                .wake
                .wait_timeout(state, pause)
                .unwrap_or_else(PoisonError::into_inner);
            state.is_asleep = false;
        }
        state
    }
}

impl QueuedLines {
    fn is_idle(&self) -> bool {
        self.lines.is_empty() && self.lost == 0 && self.marks.is_empty()
    }
}

/// How many bytes may wait to be written.
const MAX_QUEUED_BYTES: usize = 4 << 20;
/// The capacity the buffer keeps while idle.
const KEPT_CAPACITY_BYTES: usize = 64 << 10;
/// How long lines that follow each other are collected before they are written.
const GROUP_DELAY: Duration = Duration::from_millis(5);
/// How long the end of the program waits for the queue.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::sync::mpsc::{Receiver, SyncSender};

    /// Writes when it is allowed to.
    struct Slow(Receiver<()>, Arc<Mutex<Vec<u8>>>);

    impl io::Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // It writes freely once the sender is dropped.
            let _ = self.0.recv();
            self.1.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_unread_log_does_not_block_and_counts_the_lines_it_lost() {
        let (go, wait): (SyncSender<()>, _) = mpsc::sync_channel(0);
        let written = Arc::default();
        let mut queue = LogQueue::new(Slow(wait, Arc::clone(&written)));
        let line = vec![b'x'; 1 << 16];
        for _ in 0..100 {
            assert_eq!(queue.write(&line).ok(), Some(line.len()));
        }
        drop(go);
        LogQueue::flush(&queue);
        let written = written.lock();
        assert!(written.len() < MAX_QUEUED_BYTES + 1000, "{}", written.len());
        let text = String::from_utf8_lossy(&written);
        assert!(text.contains("lines of the log are lost"));
    }
}

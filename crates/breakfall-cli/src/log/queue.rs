//! Between whoever logs and stderr. A client need not read our stderr; then a write there waits for ever, and whoever
//! waits for it answers nobody. So a thread of its own does, and what does not fit in between is counted and lost.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// A handle to write with.
#[derive(Debug, Clone)]
pub(super) struct Queue(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sender: Sender<Item>,
    /// How many bytes wait.
    waiting: AtomicUsize,
    /// How many lines did not fit.
    lost: AtomicUsize,
}

#[derive(Debug)]
enum Item {
    Line(Vec<u8>),
    /// Everything before it is written.
    Mark(Sender<()>),
}

/// The one in front of stderr.
static STDERR: OnceLock<Queue> = OnceLock::new();

impl Queue {
    /// The one in front of stderr.
    pub(super) fn stderr() -> Self {
        STDERR.get_or_init(|| Self::new(io::stderr())).clone()
    }

    fn new(to: impl io::Write + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        let inner = Arc::new(Inner {
            sender,
            waiting: AtomicUsize::new(0),
            lost: AtomicUsize::new(0),
        });
        let queue = Self(Arc::clone(&inner));
        thread::spawn(move || inner.write(&receiver, to));
        queue
    }

    /// Waits until everything is written, if it is read.
    fn flush(&self) {
        let (mark, written) = mpsc::channel();
        if self.0.sender.send(Item::Mark(mark)).is_ok() {
            // Late is as good as never.
            let _ = written.recv_timeout(PATIENCE);
        }
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
        let before = self.0.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let has_room = before == 0 || before + line.len() <= MOST;
        let is_taken = has_room && self.0.sender.send(Item::Line(line.to_vec())).is_ok();
        if !is_taken {
            self.0.waiting.fetch_sub(line.len(), Ordering::Relaxed);
            self.0.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Inner {
    fn write(&self, lines: &Receiver<Item>, mut to: impl io::Write) {
        while let Ok(item) = lines.recv() {
            match item {
                Item::Line(line) => {
                    // Nobody can be told that a log cannot be written.
                    let _ = to.write_all(&line);
                    self.waiting.fetch_sub(line.len(), Ordering::Relaxed);
                }
                // Whoever stopped waiting need not be told.
                Item::Mark(mark) => drop(mark.send(())),
            }
            let lost = self.lost.swap(0, Ordering::Relaxed);
            if lost > 0 {
                let _ = writeln!(
                    to,
                    "breakfall: warn: {lost} lines of the log are lost: nobody read them in time"
                );
            }
        }
    }
}

/// How many bytes may wait for whoever reads our stderr.
const MOST: usize = 4 << 20;
/// How long the end waits for them.
const PATIENCE: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::sync::Mutex;
    use std::sync::mpsc::SyncSender;

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

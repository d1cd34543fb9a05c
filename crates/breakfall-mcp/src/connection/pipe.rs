//! The end of a pipe we read from, which is looked at rather than waited for while messages come quickly.
//!
//! A reader that sleeps has to be woken, and a core that sleeps with it: that takes several times as long as passing a
//! message on. So for a moment after each message the pipes are looked at again and again. That is given up soon, tried
//! more and more seldom where it does not pay, and never done with a single core, which the others need.

use std::io;
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::thread;

use rustix::io::Errno;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::unix::pipe::Receiver;

use super::eyes::Eyes;
pub use super::eyes::Speaker;

/// A pipe to read from. For one or two of them in a process: as long as they are looked at they keep its thread busy.
#[derive(Debug)]
pub struct Pipe {
    receiver: Receiver,
    speaker: Speaker,
    /// What was read by looking, on its way.
    buffer: Box<[u8]>,
    /// Nothing with a single core.
    eyes: Option<Arc<Eyes>>,
    /// Something was read just now. Whoever passes it on goes first.
    has_read: bool,
}

impl Pipe {
    /// Takes the reading end of a pipe.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(fd: OwnedFd, speaker: Speaker) -> io::Result<Self> {
        Self::with(fd, speaker, eyes())
    }

    fn with(fd: OwnedFd, speaker: Speaker, eyes: Option<Arc<Eyes>>) -> io::Result<Self> {
        widen(&fd);
        Ok(Self {
            receiver: Receiver::from_owned_fd(fd)?,
            speaker,
            buffer: vec![0; PIECE].into(),
            eyes,
            has_read: false,
        })
    }

    /// Looks once; nothing if that is over.
    fn look(
        &mut self,
        eyes: &Eyes,
        cx: &Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Option<Poll<io::Result<()>>> {
        if self.has_read {
            self.has_read = false;
            cx.waker().wake_by_ref();
            return Some(Poll::Pending);
        }
        let room = into.remaining().min(self.buffer.len());
        match rustix::io::read(&self.receiver, &mut self.buffer[..room]) {
            Ok(count) => {
                into.put_slice(&self.buffer[..count]);
                self.has_read = eyes.have_seen(self.speaker);
                Some(Poll::Ready(Ok(())))
            }
            Err(Errno::AGAIN | Errno::INTR) => eyes.look_on().then(|| {
                cx.waker().wake_by_ref();
                Poll::Pending
            }),
            Err(error) => Some(Poll::Ready(Err(error.into()))),
        }
    }

    fn wait(
        &mut self,
        eyes: &Eyes,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.receiver).poll_read(cx, into);
        match &polled {
            Poll::Ready(_) => self.has_read = eyes.have_waited(self.speaker),
            Poll::Pending => eyes.wake_later(cx.waker()),
        }
        polled
    }
}

/// What comes in at one end goes out at another, so they are all looked at or none.
fn eyes() -> Option<Arc<Eyes>> {
    static EYES: LazyLock<Arc<Eyes>> = LazyLock::new(Arc::default);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    (cores > 1).then(|| Arc::clone(&EYES))
}

impl AsyncRead for Pipe {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let Some(eyes) = this.eyes.clone() else {
            return Pin::new(&mut this.receiver).poll_read(cx, into);
        };
        if eyes.are_open()
            && let Some(seen) = this.look(&eyes, cx, into)
        {
            return seen;
        }
        this.wait(&eyes, cx, into)
    }
}

/// Gives a pipe more room than the system does, if it may: who writes a big message need not wait in the middle of it.
pub fn widen(pipe: &impl AsFd) {
    #[cfg(target_os = "linux")]
    if rustix::pipe::fcntl_getpipe_size(pipe).is_ok_and(|size| size < ROOM) {
        // Then it stays as it is.
        let _ = rustix::pipe::fcntl_setpipe_size(pipe, ROOM);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

#[cfg(target_os = "linux")]
const ROOM: usize = 256 << 10;

/// How much is read by looking at a time.
const PIECE: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::{Wake, Waker};

    use tokio::io::AsyncReadExt as _;

    use super::super::eyes;
    use super::*;

    fn pipe(eyes: Option<&Arc<Eyes>>) -> (Pipe, io::PipeWriter) {
        pipe_of(Speaker::Client, eyes)
    }

    fn pipe_of(speaker: Speaker, eyes: Option<&Arc<Eyes>>) -> (Pipe, io::PipeWriter) {
        let (reader, writer) = io::pipe().expect("there are pipes");
        let pipe = Pipe::with(reader.into(), speaker, eyes.cloned()).expect("it is one");
        (pipe, writer)
    }

    /// Counts how often somebody wants to be polled again.
    #[derive(Default)]
    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reads as long as the pipe asks for it, and says how often that was.
    fn looks(pipe: &mut Pipe) -> u32 {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut room = [0; 100];
        let mut polls = 0;
        loop {
            let mut into = ReadBuf::new(&mut room);
            let polled =
                Pin::new(&mut *pipe).poll_read(&mut Context::from_waker(&waker), &mut into);
            assert!(polled.is_pending(), "nothing was written");
            polls += 1;
            if count.0.load(Ordering::Relaxed) < polls {
                return polls - 1;
            }
        }
    }

    #[tokio::test]
    async fn everything_comes_in_order_quickly_or_not() {
        let (mut pipe, mut writer) = pipe(Some(&Arc::default()));
        let wanted: Vec<u8> = (0..300_000_u32).map(|at| (at % 251) as u8).collect();
        let pieces = wanted.clone();
        let writing = thread::spawn(move || {
            for (at, piece) in pieces.chunks(997).enumerate() {
                writer.write_all(piece).expect("it is read");
                // Some come at once, some after others have worked for a while.
                (0..at % 50).for_each(|_| thread::yield_now());
            }
        });
        let mut all = Vec::new();
        pipe.read_to_end(&mut all).await.expect("pipes do not fail");
        writing.join().expect("it does not panic");
        assert_eq!(all, wanted);
    }

    #[tokio::test]
    async fn a_pipe_nobody_writes_to_is_soon_waited_for() {
        let (mut pipe, mut writer) = pipe(Some(&Arc::default()));
        assert_eq!(looks(&mut pipe), 0, "nothing came yet");
        writer.write_all(b"a").expect("there is room");
        assert_eq!(pipe.read_u8().await.expect("it is there"), b'a');
        let looked = looks(&mut pipe);
        assert!((1..=eyes::MOST).contains(&looked), "{looked}");
        assert_eq!(looks(&mut pipe), 0, "once is enough");
        writer.write_all(b"b").expect("there is room");
        assert_eq!(pipe.read_u8().await.expect("it is there"), b'b');
    }

    #[tokio::test]
    async fn what_does_not_pay_is_tried_more_and_more_seldom() {
        let (mut pipe, mut writer) = pipe(Some(&Arc::default()));
        let mut tried = 0;
        for _ in 0..1000 {
            writer.write_all(b"a").expect("there is room");
            pipe.read_u8().await.expect("it is there");
            tried += u32::from(looks(&mut pipe) > 0);
        }
        assert!((2..12).contains(&tried), "{tried}");
    }

    #[tokio::test]
    async fn pipes_are_looked_at_together() {
        let eyes = Arc::default();
        let (mut one, mut writer) = pipe_of(Speaker::Client, Some(&eyes));
        let (mut other, mut another) = pipe_of(Speaker::Server, Some(&eyes));
        // One that waits is told when something comes to the other, and looks too.
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut room = [0; 100];
        let mut poll = |pipe: &mut Pipe| {
            let mut into = ReadBuf::new(&mut room);
            let polled = Pin::new(pipe).poll_read(&mut Context::from_waker(&waker), &mut into);
            polled.is_ready()
        };
        assert!(!poll(&mut other));
        writer.write_all(b"a").expect("there is room");
        assert_eq!(one.read_u8().await.expect("it is there"), b'a');
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
        another.write_all(b"b").expect("there is room");
        assert!(poll(&mut other), "nothing told the runtime of it yet");
        // Both give up when one does, and it counts once.
        let looked = looks(&mut one);
        assert!((1..=eyes::MOST).contains(&looked), "{looked}");
        assert_eq!(looks(&mut other), 0);
        assert_eq!(eyes.skipped(Speaker::Client), 0);
        assert_eq!(eyes.skipped(Speaker::Server), 1, "it was the last to speak");
    }

    #[tokio::test]
    async fn a_slow_server_is_waited_for_though_its_client_is_quick() {
        let eyes = Arc::default();
        let (mut client, mut request) = pipe_of(Speaker::Client, Some(&eyes));
        let (mut server, mut answer) = pipe_of(Speaker::Server, Some(&eyes));
        let mut tried = 0;
        for _ in 0..1000 {
            request.write_all(b"?").expect("there is room");
            client.read_u8().await.expect("it is there");
            tried += u32::from(looks(&mut server) > 0);
            answer.write_all(b"!").expect("there is room");
            server.read_u8().await.expect("it is there");
            assert!(eyes.are_open(), "the client comes back at once");
        }
        assert!((2..12).contains(&tried), "{tried}");
    }

    #[tokio::test]
    async fn a_single_core_is_left_to_the_others() {
        let (mut pipe, mut writer) = pipe(None);
        for _ in 0..10 {
            writer.write_all(b"a").expect("there is room");
            pipe.read_u8().await.expect("it is there");
            assert_eq!(looks(&mut pipe), 0);
        }
    }

    #[tokio::test]
    async fn the_end_is_seen_while_looking() {
        let (mut pipe, mut writer) = pipe(Some(&Arc::default()));
        writer.write_all(b"ab").expect("there is room");
        drop(writer);
        let mut all = Vec::new();
        pipe.read_to_end(&mut all).await.expect("pipes do not fail");
        assert_eq!(all, b"ab");
    }
}

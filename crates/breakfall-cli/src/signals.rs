//! The signals that end a command.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens for SIGTERM, SIGINT, SIGQUIT and SIGHUP.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    hang_up: Signal,
}

/// Which of them came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReceivedSignal {
    /// SIGHUP, on which a service reads its configuration again.
    HangUp,
    /// Any other.
    Stop,
}

impl Signals {
    /// Starts to listen; must be called inside a runtime.
    ///
    /// # Errors
    /// When the system refuses a handler.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn recv(&mut self) -> ReceivedSignal {
        tokio::select! {
            _ = self.terminate.recv() => ReceivedSignal::Stop,
            _ = self.interrupt.recv() => ReceivedSignal::Stop,
            _ = self.quit.recv() => ReceivedSignal::Stop,
            _ = self.hang_up.recv() => ReceivedSignal::HangUp,
        }
    }
}

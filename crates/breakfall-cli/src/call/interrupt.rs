//! Ctrl-C and its relatives.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

pub(super) struct Interrupt {
    ctrl_c: Signal,
    terminate: Signal,
    hangup: Signal,
    quit: Signal,
}

impl Interrupt {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            ctrl_c: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn heard(&mut self) {
        tokio::select! {
            _ = self.ctrl_c.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
            _ = self.quit.recv() => {}
        }
    }
}

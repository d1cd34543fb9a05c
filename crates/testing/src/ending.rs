//! The end of a gateway that a test has started.

use std::process::Child;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Ends a gateway in order, or what it has started would outlive it. Kills it if it does not end.
pub fn end(gateway: &mut Child) {
    for _ in 0..TRIES {
        if !matches!(gateway.try_wait(), Ok(None)) {
            return;
        }
        // Sent again, since it may have been missed. A process that has ended meanwhile is fine.
        let _ended = kill_process(Pid::from_child(gateway), Signal::TERM);
        thread::park_timeout(MOMENT);
    }
    let _ended = gateway.kill();
    let _status = gateway.wait();
}

/// How often it is asked, and how long it has each time: together several times what a gateway gives its servers.
const TRIES: u32 = 200;
const MOMENT: Duration = Duration::from_millis(50);

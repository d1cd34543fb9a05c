//! The bytes of a connection, and how to wait for them without waiting for ever.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use super::hub::Hub;

/// How often somebody who waits looks whether everything is over.
const BEAT: Duration = Duration::from_millis(50);
/// How long a client may take to read.
const PATIENCE: Duration = Duration::from_mins(2);

/// One connection.
#[derive(Debug)]
pub(super) struct Stream {
    tcp: TcpStream,
    pub(super) unread: Vec<u8>,
}

impl Stream {
    pub(super) fn new(tcp: TcpStream) -> io::Result<Self> {
        tcp.set_nodelay(true)?;
        tcp.set_read_timeout(Some(BEAT))?;
        tcp.set_write_timeout(Some(PATIENCE))?;
        let unread = Vec::new();
        Ok(Self { tcp, unread })
    }

    /// Reads more; 0 at the end, and when everything is over.
    pub(super) fn fill(&mut self, hub: &Hub) -> io::Result<usize> {
        let mut some = [0; 1 << 14];
        loop {
            match self.tcp.read(&mut some) {
                Err(error) if is_no_news(&error) => {
                    if hub.is_over() {
                        return Ok(0);
                    }
                }
                Ok(read) => {
                    self.unread.extend_from_slice(&some[..read]);
                    return Ok(read);
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.tcp.write_all(bytes)?;
        self.tcp.flush()
    }

    /// The end, as it should be: everything said arrives, and what the other end still says is read past.
    pub(super) fn close(mut self, hub: &Hub) {
        let _gone = self.tcp.shutdown(Shutdown::Write);
        while self.fill(hub).is_ok_and(|read| read > 0) {
            self.unread.clear();
        }
    }

    /// The end at once.
    pub(super) fn reset(self) {
        let _gone = rustix::net::sockopt::set_socket_linger(&self.tcp, Some(Duration::ZERO));
    }
}

fn is_no_news(error: &io::Error) -> bool {
    let kinds = [
        ErrorKind::WouldBlock,
        ErrorKind::TimedOut,
        ErrorKind::Interrupted,
    ];
    kinds.contains(&error.kind())
}

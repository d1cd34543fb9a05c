//! The bytes of a connection, and how to wait for them without waiting for ever.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::{ServerConnection, StreamOwned};

use super::hub::Hub;
use super::tls::Tls;

/// How often a blocked thread checks whether the server has ended.
const BEAT: Duration = Duration::from_millis(50);
/// How long a client may take to read.
const PATIENCE: Duration = Duration::from_mins(2);

/// One connection.
#[derive(Debug)]
pub(super) struct Stream {
    pipe: Pipe,
    pub(super) unread: Vec<u8>,
}

#[derive(Debug)]
enum Pipe {
    Plain(TcpStream),
    Sealed(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Stream {
    pub(super) fn new(tcp: TcpStream, tls: Option<&Tls>) -> io::Result<Self> {
        tcp.set_nodelay(true)?;
        tcp.set_read_timeout(Some(BEAT))?;
        tcp.set_write_timeout(Some(PATIENCE))?;
        let pipe = match tls {
            None => Pipe::Plain(tcp),
            Some(tls) => {
                let session = ServerConnection::new(Arc::clone(&tls.config));
                let session = session.map_err(io::Error::other)?;
                Pipe::Sealed(Box::new(StreamOwned::new(session, tcp)))
            }
        };
        let unread = Vec::new();
        Ok(Self { pipe, unread })
    }

    /// Reads more; 0 at the end, and when everything is over.
    pub(super) fn fill(&mut self, hub: &Hub) -> io::Result<usize> {
        let mut some = [0; 1 << 14];
        loop {
            match self.pipe.read(&mut some) {
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
        self.pipe.write_all(bytes)?;
        self.pipe.flush()
    }

    /// The end, as it should be: everything said arrives, and what the other end still says is read past.
    pub(super) fn close(mut self, hub: &Hub) {
        if let Pipe::Sealed(sealed) = &mut self.pipe {
            sealed.conn.send_close_notify();
            let _gone = sealed.flush();
        }
        let _gone = self.pipe.tcp().shutdown(Shutdown::Write);
        hub.note(|notes| notes.closed += 1);
        while self.fill(hub).is_ok_and(|read| read > 0) {
            self.unread.clear();
        }
    }

    /// The end at once.
    pub(super) fn reset(self) {
        let _gone = rustix::net::sockopt::set_socket_linger(self.pipe.tcp(), Some(Duration::ZERO));
    }
}

impl Pipe {
    fn tcp(&self) -> &TcpStream {
        match self {
            Self::Plain(tcp) => tcp,
            Self::Sealed(sealed) => &sealed.sock,
        }
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(tcp) => tcp.read(buffer),
            Self::Sealed(sealed) => sealed.read(buffer),
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(tcp) => tcp.write(bytes),
            Self::Sealed(sealed) => sealed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(tcp) => tcp.flush(),
            Self::Sealed(sealed) => sealed.flush(),
        }
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

//! One connection, and what goes over it.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use super::body::{Left, bad, size};
use super::event::{self, Event, find};
use super::request::Request;
use super::response::{Head, Response};
use super::tls;
use crate::wire::PATIENCE;

/// A connection to a server. Nothing is sent that was not asked for, and every wait ends with an error after a while.
pub struct Connection {
    stream: Box<dyn Stream>,
    /// What is below it.
    tcp: TcpStream,
    host: String,
    unread: Vec<u8>,
    left: Left,
    /// The beginning of an event that is not complete yet.
    text: Vec<u8>,
}

trait Stream: Read + Write + Send {}

impl<T: Read + Write + Send> Stream for T {}

impl Connection {
    /// Connects.
    ///
    /// # Panics
    /// When the connection is refused.
    pub fn open(address: SocketAddr) -> Self {
        Self::try_open(address)
            .unwrap_or_else(|error| panic!("cannot connect to {address}: {error}"))
    }

    /// Connects, or tells why not.
    ///
    /// # Errors
    /// When the connection is refused.
    pub fn try_open(address: SocketAddr) -> io::Result<Self> {
        let tcp = TcpStream::connect_timeout(&address, PATIENCE)?;
        tcp.set_nodelay(true)?;
        tcp.set_read_timeout(Some(PATIENCE))?;
        tcp.set_write_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream: Box::new(tcp.try_clone()?),
            tcp,
            host: address.to_string(),
            unread: Vec::new(),
            left: Left::NOTHING,
            text: Vec::new(),
        })
    }

    /// Speaks TLS from now on, to a server of that name for which the owner of the certificate vouches.
    ///
    /// # Errors
    /// When the handshake fails.
    ///
    /// # Panics
    /// When the certificate or the name is invalid.
    pub fn sealed(mut self, name: &str, authority: &str) -> io::Result<Self> {
        self.stream = Box::new(tls::stream(self.tcp.try_clone()?, name, authority)?);
        Ok(self)
    }

    /// Waits no longer than this for a byte, or for room for one.
    ///
    /// # Panics
    /// When the time is zero.
    #[must_use]
    pub fn patience(self, time: Duration) -> Self {
        let set = self.tcp.set_read_timeout(Some(time));
        set.and_then(|()| self.tcp.set_write_timeout(Some(time)))
            .expect("a time above zero");
        self
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// When the other end does not take them.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream
            .write_all(bytes)
            .and_then(|()| self.stream.flush())
    }

    /// Sends a request.
    ///
    /// # Errors
    /// When the other end does not take it.
    pub fn request(&mut self, request: &Request) -> io::Result<()> {
        let bytes = request.bytes(&self.host);
        self.send(&bytes)
    }

    /// Sends a request and reads the whole response.
    ///
    /// # Errors
    /// Without a whole response.
    pub fn ask(&mut self, request: &Request) -> io::Result<Response> {
        self.request(request)?;
        self.response()
    }

    /// Reads a response, after any number of interim ones.
    ///
    /// # Errors
    /// Without a whole response.
    pub fn response(&mut self) -> io::Result<Response> {
        let mut head = self.head()?;
        while head.status < 200 {
            head = self.head()?;
        }
        let body = self.body()?;
        let status = head.status;
        Ok(Response { status, head, body })
    }

    /// Reads the head of a response, interim or not.
    ///
    /// # Errors
    /// Without a response.
    pub fn head(&mut self) -> io::Result<Head> {
        let bytes = self.until(b"\r\n\r\n")?;
        let head = Head::read(&bytes)?;
        self.left = Left::of(&head)?;
        self.text.clear();
        Ok(head)
    }

    /// Reads what is left of the body.
    ///
    /// # Errors
    /// When it does not all come.
    pub fn body(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece()? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    /// Reads the next event of the body; none at its end.
    ///
    /// # Errors
    /// When the body ends where it should not.
    pub fn event(&mut self) -> io::Result<Option<Event>> {
        loop {
            if let Some(event) = event::take(&mut self.text) {
                return Ok(Some(event));
            }
            match self.piece()? {
                Some(piece) => self.text.extend_from_slice(&piece),
                None => return Ok(None),
            }
        }
    }

    /// Reads some of the body; none at its end.
    ///
    /// # Errors
    /// When it ends where it should not.
    pub fn piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.left {
            Left::Bytes(0) => Ok(None),
            Left::Bytes(left) => self.some(left, Left::Bytes).map(Some),
            Left::Chunk(left) => {
                let piece = self.some(left, Left::Chunk)?;
                if self.left == Left::Chunk(0) {
                    self.end_of_chunk(Left::Size)?;
                }
                Ok(Some(piece))
            }
            Left::Size => {
                let line = self.until(b"\r\n")?;
                match size(&line)? {
                    0 => {
                        self.end_of_chunk(Left::NOTHING)?;
                        Ok(None)
                    }
                    left => {
                        self.left = Left::Chunk(left);
                        self.piece()
                    }
                }
            }
            Left::Everything => {
                if self.unread.is_empty() && self.fill()? == 0 {
                    self.left = Left::NOTHING;
                    return Ok(None);
                }
                Ok(Some(std::mem::take(&mut self.unread)))
            }
        }
    }

    /// Reads so many bytes as they are, or all there are up to the end of the connection.
    ///
    /// # Errors
    /// When they do not come.
    pub fn raw(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        while self.unread.len() < bytes {
            if self.fill()? == 0 {
                break;
            }
        }
        let now = bytes.min(self.unread.len());
        Ok(self.unread.drain(..now).collect())
    }

    /// Ends what we say, and goes on listening.
    ///
    /// # Errors
    /// When the connection is over already.
    pub fn hang_up(&mut self) -> io::Result<()> {
        self.tcp.shutdown(Shutdown::Write)
    }

    /// Ends the connection at once, so that the other end sees a reset.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn reset(self) -> io::Result<()> {
        rustix::net::sockopt::set_socket_linger(&self.tcp, Some(Duration::ZERO))?;
        Ok(())
    }

    /// Waits for the other end to end the connection; whatever comes before is read past.
    ///
    /// # Errors
    /// When it stays open.
    pub fn ended(&mut self) -> io::Result<()> {
        loop {
            self.unread.clear();
            match self.fill() {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn end_of_chunk(&mut self, then: Left) -> io::Result<()> {
        let line = self.until(b"\r\n")?;
        self.left = then;
        if line.is_empty() {
            Ok(())
        } else {
            Err(bad("a chunk is longer than its size"))
        }
    }

    /// Some of so many bytes.
    fn some(&mut self, left: u64, rest: fn(u64) -> Left) -> io::Result<Vec<u8>> {
        if self.unread.is_empty() && self.fill()? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let now =
            usize::try_from(left).map_or(self.unread.len(), |left| left.min(self.unread.len()));
        self.left = rest(left - now as u64);
        Ok(self.unread.drain(..now).collect())
    }

    /// The bytes up to a mark, which is read as well.
    fn until(&mut self, mark: &[u8]) -> io::Result<Vec<u8>> {
        loop {
            if let Some(end) = find(&self.unread, mark) {
                let mut bytes: Vec<u8> = self.unread.drain(..end + mark.len()).collect();
                bytes.truncate(end);
                return Ok(bytes);
            }
            if self.fill()? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        let mut some = vec![0; 1 << 16];
        let read = self.stream.read(&mut some)?;
        self.unread.extend_from_slice(&some[..read]);
        Ok(read)
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

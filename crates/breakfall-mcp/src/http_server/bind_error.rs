//! Why a server cannot listen at an address.

use std::fmt;
use std::io;
use std::net::SocketAddr;

/// The address cannot be used.
#[derive(Debug)]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

impl BindError {
    pub(super) fn new(address: SocketAddr, source: io::Error) -> Self {
        Self { address, source }
    }

    /// What to do about it.
    pub fn fix(&self) -> &'static str {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "for every other kind of error the advice is the same"
        )]
        match self.source.kind() {
            io::ErrorKind::AddrInUse => {
                "stop the other program, or listen elsewhere: --listen 127.0.0.1:0 takes any free port"
            }
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 are for the administrator; take a higher one"
            }
            _ => "listen at an address of this machine; it always has 127.0.0.1",
        }
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, source } = self;
        write!(f, "cannot listen at {address}: ")?;
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "every other kind has the text of the system"
        )]
        match source.kind() {
            io::ErrorKind::AddrInUse => f.write_str("address already in use"),
            io::ErrorKind::AddrNotAvailable => {
                f.write_str("this machine does not have that address")
            }
            io::ErrorKind::PermissionDenied => f.write_str("permission denied"),
            _ => write!(f, "{source}"),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

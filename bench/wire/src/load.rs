//! What is called.

/// A call, the same every time.
pub(crate) struct Call {
    /// What it is called in the report.
    pub(crate) name: String,
    /// The parameters of `tools/call`.
    pub(crate) params: String,
    /// How many bytes its answer has at least.
    pub(crate) size: usize,
    /// How many of the calls of a plan are made: big answers take longer.
    pub(crate) share: u32,
    pub(crate) server: Server,
}

/// What kind of server is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    /// The one of this bench, which does nothing: it shows where the time goes, and has no bars.
    Empty,
    /// The least a real one can be.
    Minimal,
    /// The reference server of the protocol, on Node.js.
    Everything,
    /// One that somebody names.
    Named,
}

impl Call {
    /// Something for the child of this bench that is answered with so many bytes of text.
    pub(crate) fn sized(name: &str, size: usize, share: u32) -> Self {
        Self {
            name: format!("empty server, {name}"),
            params: format!(r#"{{"name":"echo","arguments":{{"size":{size}}}}}"#),
            size,
            share,
            server: Server::Empty,
        }
    }

    /// Something for `examples/minimal`, the least a server on the official SDK can be.
    pub(crate) fn minimal() -> Self {
        Self {
            name: "official SDK".to_owned(),
            params: r#"{"name":"share","arguments":{"article":"tea","people":2}}"#.to_owned(),
            size: 0,
            share: 2,
            server: Server::Minimal,
        }
    }

    /// Something for `server-everything`, the reference server of the protocol.
    pub(crate) fn everything() -> Self {
        Self {
            name: "server-everything".to_owned(),
            params: r#"{"name":"echo","arguments":{"message":"hi"}}"#.to_owned(),
            size: 0,
            share: 2,
            server: Server::Everything,
        }
    }

    /// Something for a server somebody names.
    pub(crate) fn of(params: &str) -> Self {
        Self {
            name: "your server".to_owned(),
            params: params.to_owned(),
            size: 0,
            share: 2,
            server: Server::Named,
        }
    }
}

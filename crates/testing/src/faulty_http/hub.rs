//! What the server remembers, and how its threads wait for more of it.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::MutexGuard;

use serde_json::Value;

use super::options::Options;
use super::request::Request;
use super::tls::Tls;
use crate::board::Board;

/// Shared by all threads.
#[derive(Debug)]
pub(super) struct Hub {
    pub(super) options: Options,
    /// Where redirects to another host lead.
    pub(super) elsewhere: Option<SocketAddr>,
    /// What it shows to clients who want to know who it is.
    pub(super) tls: Option<Tls>,
    board: Board<Notes>,
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Everybody is to go home.
    pub(super) over: bool,
    pub(super) sessions: BTreeSet<String>,
    pub(super) begun: u64,
    pub(super) executed: BTreeMap<String, u64>,
    /// Calls that were refused before they will be executed.
    pub(super) refused: BTreeSet<String>,
    pub(super) seen: Vec<Seen>,
    /// Connections that are open now, and all there ever were.
    pub(super) open: usize,
    pub(super) accepted: u64,
    /// Connections we have closed.
    pub(super) closed: u64,
    /// Calls that wait to be released, and how many may go.
    pub(super) parked: u64,
    pub(super) released: u64,
    /// Exchanges the client ended while we held them.
    pub(super) abandoned: u64,
    /// What comes after an event, by its id.
    pub(super) resumable: BTreeMap<String, Value>,
}

/// A request as it came.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Seen {
    /// The method of HTTP.
    pub method: String,
    /// Its target.
    pub target: String,
    /// Names in lower case and values, in their order.
    pub headers: Vec<(String, String)>,
    /// The method of the message in it.
    pub rpc: Option<String>,
}

impl Seen {
    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

impl Hub {
    pub(super) fn new(options: Options, elsewhere: Option<SocketAddr>) -> Self {
        Self {
            options,
            elsewhere,
            tls: options.start.and_then(Tls::of),
            board: Board::default(),
        }
    }

    pub(super) fn look(&self) -> MutexGuard<'_, Notes> {
        self.board.look()
    }

    /// Changes the notes and wakes those who wait for them.
    pub(super) fn note<T>(&self, change: impl FnOnce(&mut Notes) -> T) -> T {
        self.board.note(change)
    }

    /// Waits until there is something to take; none if everything is over first.
    pub(super) fn wait<T>(&self, mut take: impl FnMut(&mut Notes) -> Option<T>) -> Option<T> {
        self.board.wait(|notes| {
            let found = take(notes);
            (found.is_some() || notes.over).then_some(found)
        })
    }

    pub(super) fn is_over(&self) -> bool {
        self.look().over
    }

    pub(super) fn saw(&self, request: &Request, message: &Value) {
        self.note(|notes| {
            if notes.seen.len() < MAX_SEEN {
                notes.seen.push(Seen {
                    method: request.method.clone(),
                    target: request.target.clone(),
                    headers: request.headers.clone(),
                    rpc: message["method"].as_str().map(str::to_owned),
                });
            }
        });
    }
}

/// A client that asks for ever does not fill our memory.
const MAX_SEEN: usize = 10_000;

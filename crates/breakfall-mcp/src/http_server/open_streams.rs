//! The open `subscriptions/listen` streams. They have no end of their own, so a shutdown ends them.

use std::sync::{Arc, Weak};

use super::exchange::Exchange;
use crate::connection::{FinalReply, ReplyChannel as _};
use crate::jsonrpc::Id;
use crate::sync::Mutex;

/// The open streams of clients without a session.
#[derive(Debug, Default)]
pub(super) struct OpenStreams(Mutex<StreamList>);

#[derive(Debug, Default)]
struct StreamList {
    streams: Vec<(Weak<Exchange>, Id)>,
    /// The length at which the list is searched for streams that are gone.
    prune_at: usize,
    is_closed: bool,
}

impl OpenStreams {
    /// Adds a stream, with the id of the request that opened it.
    pub(super) fn add(&self, exchange: &Arc<Exchange>, id: Id) {
        let mut list = self.0.lock();
        if list.is_closed {
            drop(list);
            return close(exchange, &id);
        }
        if list.streams.len() >= list.prune_at {
            list.streams.retain(|(stream, _)| stream.strong_count() > 0);
            list.prune_at = (2 * list.streams.len()).max(MIN_PRUNE_LENGTH);
        }
        list.streams.push((Arc::downgrade(exchange), id));
    }

    /// Ends all streams, and any that is added later.
    pub(super) fn close(&self) {
        let mut list = self.0.lock();
        list.is_closed = true;
        let streams = std::mem::take(&mut list.streams);
        drop(list);
        for (stream, id) in streams {
            if let Some(stream) = stream.upgrade() {
                close(&stream, &id);
            }
        }
    }
}

/// Answers the request that opened the stream, which ends it regularly.
fn close(exchange: &Exchange, id: &Id) {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    );
    exchange.answer(FinalReply {
        message: text.into_bytes().into(),
        code: None,
        challenge: None,
        retry_after: None,
    });
}

const MIN_PRUNE_LENGTH: usize = 64;

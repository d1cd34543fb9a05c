//! Streams of the modern era that go on for as long as both ends like: they must not hold up our end.

use std::sync::{Arc, Mutex, Weak};

use super::exchange::Exchange;
use crate::connection::{FinalReply, ReplyChannel as _};
use crate::jsonrpc::Id;

/// The streams there are, until everything ends.
#[derive(Debug, Default)]
pub(super) struct Lasting(Mutex<All>);

#[derive(Debug, Default)]
struct All {
    streams: Vec<(Weak<Exchange>, Id)>,
    /// How many there may be before it is worth looking which are over.
    room: usize,
    is_over: bool,
}

impl Lasting {
    /// A stream begins, under the id of the request for it.
    pub(super) fn add(&self, exchange: &Arc<Exchange>, id: Id) {
        let mut all = self.lock();
        if all.is_over {
            drop(all);
            return close(exchange, &id);
        }
        if all.streams.len() >= all.room {
            all.streams.retain(|(stream, _)| stream.strong_count() > 0);
            all.room = (2 * all.streams.len()).max(FEW);
        }
        all.streams.push((Arc::downgrade(exchange), id));
    }

    /// Ends all of them, and all that begin from now on.
    pub(super) fn end(&self) {
        let mut all = self.lock();
        all.is_over = true;
        let streams = std::mem::take(&mut all.streams);
        drop(all);
        for (stream, id) in streams {
            if let Some(stream) = stream.upgrade() {
                close(&stream, &id);
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, All> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// The result of a stream that ends in peace.
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

const FEW: usize = 64;

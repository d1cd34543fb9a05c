//! Answering a request, which consumes its ticket.

use std::ops::Range;

use breakfall::Fault;
use breakfall::wire::Rpc;
use serde::Serialize;
use serde_json::{Map, Value};

use super::super::{
    AuthChallenge, FinalReply, ForwardFailure, ForwardOutcome, OutgoingMessage, RpcMethod,
};
use super::{Continuation, Ticket};
use crate::error::{REDACTOR, ReplyOptions, code_in, rpc_message, rpc_reply};
use crate::jsonrpc::{Frame, Kind, RawMessage, subscription_id};

impl Ticket {
    /// Answers with the answer of a server, under the id the caller used.
    pub fn answer(mut self, frame: Frame, to: RpcMethod) {
        if let Some(more) = &mut self.more {
            if let Some(watched) = more.watched.take() {
                // If the receiver is gone, dropping the ticket answers.
                return drop(watched.send(ForwardOutcome::Answer(Box::new((frame, self)))));
            }
            if let Some(Continuation(then)) = more.then.pop() {
                return then(frame, self, to);
            }
        }
        let code = (frame.kind() == Kind::Error).then(|| code_of(&frame));
        // The end of a subscription names it once more.
        let stream = (to == RpcMethod::Listen).then(|| subscription_id(&frame));
        let stream: Option<Range<usize>> = stream.flatten().map(|(at, _)| at);
        let at = frame.id_place();
        let message = RawMessage::changed_twice(frame, [at, stream], self.id.clone());
        self.send(
            message,
            ReplyMetadata {
                code: code.flatten(),
                ..ReplyMetadata::default()
            },
        );
    }

    /// Answers with a JSON-RPC error.
    pub fn fail(mut self, fault: &Fault, rpc: Option<Rpc>) {
        let (bytes, code) = rpc_reply(Some(&self.id), fault, rpc, &self.reply_options());
        self.send(bytes.into(), ReplyMetadata::of(code, fault));
    }

    /// Answers with a JSON-RPC error that has a code of MCP, and the members of `data` that the protocol requires with it.
    pub fn fail_as(mut self, fault: &Fault, code: i32, data: &Map<String, Value>) {
        let options = self.reply_options();
        let shown = options.finished(REDACTOR.shown(fault));
        let error = options.protocol_error(shown, code, data);
        let bytes = rpc_message(Some(&self.id), &error);
        self.send(bytes.into(), ReplyMetadata::of(code.into(), fault));
    }

    /// Answers that the server demands credentials.
    pub fn challenge(mut self, fault: &Fault, challenge: AuthChallenge) {
        let (bytes, code) = rpc_reply(Some(&self.id), fault, None, &self.reply_options());
        let challenge = Some(challenge);
        self.send(
            bytes.into(),
            ReplyMetadata {
                challenge,
                ..ReplyMetadata::of(code, fault)
            },
        );
    }

    /// Answers with a result.
    ///
    /// # Panics
    /// When the result cannot be serialized.
    pub fn result(mut self, result: &impl Serialize) {
        let body = serde_json::to_string(result).expect("a result is serializable");
        let text = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{body}}}"#, self.id);
        self.send(text.into_bytes().into(), ReplyMetadata::default());
    }

    /// How the caller is answered by this process: as its listener says, in the language of the request.
    fn reply_options(&self) -> ReplyOptions {
        let options = self.peer.0.replies.clone();
        match self.languages() {
            Some(languages) => options.locale(&languages),
            None => options,
        }
    }

    /// Does not answer, because the caller cancelled the request.
    pub fn withdraw(mut self) {
        let was_open = self.close();
        if let Some(channel) = self.channel() {
            channel.end();
        }
        if was_open {
            self.peer.0.tickets.left();
        }
    }

    /// Passes a failure to the receiver of the outcome; without one it is given back.
    ///
    /// # Errors
    /// The request, when it is not watched.
    pub fn lose(
        mut self,
        fault: Fault,
        is_written: bool,
        challenge: Option<AuthChallenge>,
    ) -> Result<(), Box<ForwardFailure>> {
        let watched = self.more.as_mut().and_then(|more| more.watched.take());
        let loss = Box::new(ForwardFailure {
            ticket: self,
            fault,
            is_written,
            challenge,
        });
        let Some(watched) = watched else {
            return Err(loss);
        };
        match watched.send(ForwardOutcome::Lost(loss)) {
            Ok(()) => Ok(()),
            Err(ForwardOutcome::Lost(loss)) => Err(loss),
            Err(ForwardOutcome::Answer(..)) => unreachable!("a loss was sent"),
        }
    }

    fn send(&mut self, message: RawMessage, outer: ReplyMetadata) {
        // The id is free before the answer is sent: the caller may use it again at once.
        if self.close() {
            self.deliver(message, outer);
            self.peer.0.tickets.left();
        }
    }

    fn deliver(&mut self, message: RawMessage, outer: ReplyMetadata) {
        if let Some(channel) = self.channel() {
            let ReplyMetadata {
                code,
                challenge,
                retry_after,
            } = outer;
            return channel.answer(FinalReply {
                message,
                code,
                challenge,
                retry_after,
            });
        }
        // A caller that is gone cannot be answered.
        let _ = self.peer.0.outbox.put_anyway(OutgoingMessage {
            message,
            request: None,
            extra: None,
        });
    }

    /// False if it was answered already, by [`super::Peer::fail_open_requests`].
    fn close(&mut self) -> bool {
        self.is_due = false;
        self.peer.0.tickets.close(self.key())
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_due {
            let fault = Fault::internal().maybe_executed();
            let (bytes, code) = rpc_reply(Some(&self.id), &fault, None, &self.reply_options());
            self.send(bytes.into(), ReplyMetadata::of(code, &fault));
        }
    }
}

/// What an HTTP response needs of an answer.
#[derive(Debug, Default)]
struct ReplyMetadata {
    code: Option<i64>,
    challenge: Option<AuthChallenge>,
    retry_after: Option<u64>,
}

impl ReplyMetadata {
    fn of(code: i64, fault: &Fault) -> Self {
        Self {
            code: Some(code),
            challenge: None,
            retry_after: fault.public().retry_after_seconds(),
        }
    }
}

/// The code of an error.
fn code_of(frame: &Frame) -> Option<i64> {
    code_in(frame.body()?)
}

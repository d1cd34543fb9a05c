//! Passing a request on, and whatever comes of it back.

use std::ops::Range;
use std::sync::{Arc, Weak};

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::deadline::Deadline;
use super::isolate::isolate;
use super::pending::{Sink, Slot};
use super::{
    AskOutcome, Inner, Listener, LossReason, LostRequest, OutgoingMessage, Peer, ReplyChannel,
    RequestSummary, RpcMethod, SendError, Ticket, TransportHeaders,
};
use crate::jsonrpc::{
    BoxedFrameError, Frame, Id, RawMessage, RequestParams, may_mention, progress_token,
};
use crate::timeouts::Timeouts;

/// Asking.
impl Peer {
    /// Passes a request on that came at some time. Its answer goes to whoever holds the ticket's other end, its progress too.
    ///
    /// # Errors
    /// When it could not be sent.
    pub fn forward(
        &self,
        frame: Frame,
        params: RequestParams,
        ticket: Ticket,
        patience: impl FnOnce(&RequestSummary) -> Timeouts,
        since: Instant,
    ) -> Result<(), Box<LostRequest>> {
        self.forward_via(None, frame, params, ticket, patience, since)
    }

    /// Passes a request on as part of what belongs to another one, if there is a way to it.
    ///
    /// # Errors
    /// When it could not be sent.
    pub fn forward_via(
        &self,
        way: Option<Arc<dyn ReplyChannel>>,
        frame: Frame,
        mut params: RequestParams,
        ticket: Ticket,
        patience: impl FnOnce(&RequestSummary) -> Timeouts,
        since: Instant,
    ) -> Result<(), Box<LostRequest>> {
        let asked = RequestSummary::taking(&frame, &mut params);
        let deadline = Deadline::new(since, patience(&asked));
        let number = self.0.pending.number();
        let (token_place, token) = params.token.unzip();
        let id_place = frame.id_place();
        let message = RawMessage::changed_twice(frame, [id_place, token_place], Id::number(number));
        if !ticket.sent_to(self, number) {
            ticket.withdraw();
            return Ok(());
        }
        let out = Out {
            number,
            message,
            extra: ticket.extra(),
            way,
        };
        let sink = Sink::Ticket {
            ticket,
            progress: token,
        };
        self.send(out, asked, sink, deadline)
            .map_err(|(slot, unsent): (Box<Slot>, _)| {
                let Sink::Ticket { ticket, .. } = slot.sink else {
                    unreachable!("made above")
                };
                Box::new(LostRequest::unsent(ticket, slot.asked, unsent))
            })
    }

    /// Asks for ourselves, at once. The id of the frame is replaced; nobody is told of its progress. Whoever stops waiting
    /// takes the question back.
    pub fn ask(
        &self,
        frame: Frame,
        patience: Timeouts,
    ) -> impl Future<Output = AskOutcome> + use<> {
        self.ask_via(None, frame, patience)
    }

    /// Asks for ourselves as part of what belongs to a request, if there is a way to it.
    pub fn ask_via(
        &self,
        way: Option<Arc<dyn ReplyChannel>>,
        frame: Frame,
        patience: Timeouts,
    ) -> impl Future<Output = AskOutcome> + use<> {
        let asked = RequestSummary::of(&frame, &RequestParams::default());
        let number = self.0.pending.number();
        let id_place = frame.id_place();
        let message = RawMessage::changed(frame, id_place, Id::number(number));
        let (sender, answer) = oneshot::channel();
        let deadline = Deadline::new(Instant::now(), patience);
        let out = Out {
            number,
            message,
            extra: None,
            way,
        };
        let sent = self.send(out, asked, Sink::Waiter(sender), deadline);
        let sent = sent.map_err(|(_, unsent)| AskOutcome::Lost(LossReason::Unsent(unsent)));
        let waiting = Waiting(Arc::downgrade(&self.0), number);
        async move {
            let _waiting = waiting;
            match sent {
                Ok(()) => answer.await.unwrap_or(AskOutcome::Lost(LossReason::Gone)),
                Err(lost) => lost,
            }
        }
    }

    fn send(
        &self,
        out: Out,
        asked: RequestSummary,
        sink: Sink,
        deadline: Deadline,
    ) -> Result<(), (Box<Slot>, SendError)> {
        let Out {
            number,
            message,
            extra,
            way,
        } = out;
        let way = way.or_else(|| self.detour());
        let has_end = asked.method != RpcMethod::Listen;
        let slot = Box::new(Slot {
            asked,
            sink,
            is_written: way.is_some(),
            way: way.clone(),
            deadline: has_end.then_some(deadline),
            questions: 0,
        });
        let inserted = self.0.pending.insert(number, slot);
        inserted.map_err(|slot| (slot, SendError::Over))?;
        let sent = match way {
            Some(way) => way.tell(message),
            None => self.0.outbox.put(OutgoingMessage {
                message,
                request: Some(number),
                extra,
            }),
        };
        match sent {
            Ok(()) => Ok(()),
            // If the slot is gone the connection has just ended, and its end has told of it.
            Err(unsent) => match self.0.pending.take(number) {
                Some(slot) => Err((slot, unsent)),
                None => Ok(()),
            },
        }
    }

    /// Tells what belongs to no request. If nobody hears that now, the latest request of the same client takes it along.
    ///
    /// # Errors
    /// When it could not be sent.
    pub fn tell_loose(&self, message: impl Into<RawMessage>) -> Result<(), SendError> {
        match self.detour() {
            Some(way) => way.tell(message.into()),
            None => self.notify(message),
        }
    }

    fn detour(&self) -> Option<Arc<dyn ReplyChannel>> {
        let carrier = self.0.outbox.carrier();
        if carrier.is_heard() {
            return None;
        }
        if carrier.is_of_one() {
            self.0.tickets.latest_way()
        } else {
            self.0.tickets.only_way()
        }
    }

    /// Takes back a request that was passed on, because its sender did. `note` is the cancellation as it came; it
    /// goes on under the id the request has here. A sender that is simply gone has left none. False if there is nothing to
    /// take back: something has come of the request, and is on its way to whoever passed it on.
    pub(super) fn take_back(&self, number: u64, note: Option<(Frame, Range<usize>)>) -> bool {
        let Some(slot) = self.0.pending.take(number) else {
            return false;
        };
        // What was not written yet never will be.
        if slot.is_written && !self.0.outbox.carrier().abort(number) {
            match note {
                Some((note, at)) => {
                    self.tell_of(&slot, || {
                        RawMessage::changed(note.clone(), Some(at.clone()), Id::number(number))
                    });
                }
                None => self.say_cancelled(number, &slot),
            }
        }
        if let Sink::Ticket { ticket, .. } = slot.sink {
            ticket.withdraw();
        }
        true
    }

    /// Takes back what another end asked here, because it is gone.
    pub fn take_back_all_of(&self, gone: &Self) {
        for (number, slot) in self.0.pending.take_all_of(gone) {
            self.cancel(number, &slot);
            if let Sink::Ticket { ticket, .. } = slot.sink {
                ticket.withdraw();
            }
        }
    }

    /// Makes the other end stop: nobody waits for an answer any more.
    fn cancel(&self, number: u64, slot: &Slot) {
        let carrier = self.0.outbox.carrier();
        // The handshake must not be cancelled in words, and what was not written yet never will be.
        if slot.asked.method == RpcMethod::Initialize {
            carrier.abort(number);
        } else if slot.is_written && !carrier.abort(number) {
            self.say_cancelled(number, slot);
        }
    }

    fn say_cancelled(&self, number: u64, slot: &Slot) {
        self.tell_of(slot, || {
            let note = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{number}}}}}"#
            );
            note.into_bytes().into()
        });
    }

    /// Tells something about a request where it was made: over HTTP, who hears one stream need not hear another.
    fn tell_of(&self, slot: &Slot, note: impl Fn() -> RawMessage) {
        let way = slot.way.as_ref();
        if way.is_none_or(|way| way.tell(note()).is_err()) {
            // An end that does not read any more is not told either.
            let _ = self.notify(note());
        }
    }
}

/// Somebody in here waits for the answer to a request. If they stop, so does whoever was asked.
struct Waiting(Weak<Inner>, u64);

impl Drop for Waiting {
    fn drop(&mut self) {
        let Self(peer, number) = self;
        let Some(peer) = peer.upgrade().map(Peer) else {
            return;
        };
        if let Some(slot) = peer.0.pending.take(*number) {
            peer.cancel(*number, &slot);
        }
    }
}

/// Hearing.
impl Peer {
    /// An answer came in; false if nobody waits for it.
    pub(super) fn answered(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let number = frame.id().and_then(Id::as_number);
        let Some(slot) = number.and_then(|number| self.0.pending.take(number)) else {
            return false;
        };
        match slot.sink {
            Sink::Ticket { ticket, progress } => {
                if let (Some(number), Some(token)) = (number, progress)
                    && begins_task(&frame)
                {
                    let to = ticket.peer().clone();
                    self.0.pending.remember_task(number, to, token);
                }
                listener.answered(&slot.asked, &frame);
                ticket.answer(frame, slot.asked.method);
            }
            // Whoever stopped waiting need not be told.
            Sink::Waiter(waiter) => drop(waiter.send(AskOutcome::Reply(frame))),
        }
        true
    }

    /// Something came in that nobody can read, under the id of a request: that request has had its answer.
    pub(super) fn unreadable(&self, refusal: BoxedFrameError, listener: &dyn Listener) {
        let number = refusal.id.as_ref().and_then(Id::as_number);
        let slot = number.and_then(|number| self.0.pending.take(number));
        if let Some(lost) = slot.and_then(|slot| slot.lost(LossReason::Unreadable(refusal))) {
            isolate(|| listener.lost(lost));
        }
    }

    /// Progress came in; false if it belongs to nobody.
    pub(super) fn progressed(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let Some((place, token)) = progress_token(&frame) else {
            // A token that is neither a text nor a whole number was passed on as it was, and so is this.
            listener.notification(frame, self, None);
            return true;
        };
        let Some(number) = token.as_number() else {
            return false;
        };
        let Some((to, way, token)) = self.0.pending.progress(number) else {
            return false;
        };
        let note = RawMessage::changed(frame, Some(place), token);
        match way {
            Some(way) => way.tell(note).is_ok(),
            None => to.tell_loose(note).is_ok(),
        }
    }

    /// The other end takes back a stream of its own accord, which it may do with nothing else; false if it is none.
    pub(super) fn ended_stream(&self, note: Frame, at: Range<usize>, id: &Id) -> bool {
        let number = id.as_number();
        let Some(slot) = number.and_then(|number| self.0.pending.take_stream(number)) else {
            return false;
        };
        if let Sink::Ticket { ticket, .. } = slot.sink {
            let note = RawMessage::changed(note, Some(at), ticket.id().clone());
            // A client that does not read is not told.
            let _ = ticket.tell(note);
            ticket.withdraw();
        }
        true
    }

    /// Who asked for the stream a notification belongs to: under which id, and the way there.
    pub fn stream_of(&self, subscription: &Id) -> Option<(Id, Option<Arc<dyn ReplyChannel>>)> {
        self.0.pending.caller(subscription.as_number()?)
    }

    /// The way back to whoever made a request.
    pub fn way_of(&self, number: u64) -> Option<Arc<dyn ReplyChannel>> {
        self.0.pending.caller(number)?.1
    }

    /// The way back of the only request that is under way here: whatever is said meanwhile is most likely about it.
    pub fn only_way(&self) -> Option<Arc<dyn ReplyChannel>> {
        self.0.tickets.only_way()
    }

    /// A request will not be answered. What is lost is given back if it was asked for somebody else.
    pub(super) fn failed(&self, number: u64, why: LossReason) -> Option<LostRequest> {
        self.0.pending.take(number)?.lost(why)
    }

    /// Nobody waits for an answer from here any more. What others asked is given back.
    pub fn give_up(&self) -> Vec<LostRequest> {
        self.over()
    }

    /// The connection is over: whoever waits in here is told at once, what others asked is given back.
    pub(super) fn over(&self) -> Vec<LostRequest> {
        let slots = self.0.pending.end();
        slots
            .filter_map(|slot| slot.lost(LossReason::Gone))
            .collect()
    }
}

impl Slot {
    /// What is lost, if it was asked for somebody else; whoever waits in here is told.
    fn lost(self, why: LossReason) -> Option<LostRequest> {
        match self.sink {
            Sink::Ticket { ticket, .. } => Some(LostRequest {
                ticket,
                asked: self.asked,
                why,
                is_written: self.is_written,
            }),
            Sink::Waiter(waiter) => {
                // Whoever stopped waiting need not be told.
                let _ = waiter.send(AskOutcome::Lost(why));
                None
            }
        }
    }
}

/// A request about to go out.
struct Out {
    number: u64,
    message: RawMessage,
    extra: Option<Arc<TransportHeaders>>,
    way: Option<Arc<dyn ReplyChannel>>,
}

/// Whether an answer may be that the work goes on in the background. Taking another for one costs a few bytes.
fn begins_task(answer: &Frame) -> bool {
    let body = answer.body().unwrap_or_default();
    may_mention(body.as_bytes(), "\"task\"")
}

/// Ends what is late, until the connection is over.
pub(super) async fn watch(peer: Weak<Inner>, listener: Arc<dyn Listener>) {
    // The reader holds the connection as long as it is open, so this does not keep it.
    let Some(peer) = peer.upgrade().map(Peer) else {
        return;
    };
    while peer.0.pending.until_late().await {
        for (number, slot) in peer.0.pending.take_late(Instant::now()) {
            peer.cancel(number, &slot);
            let after = slot.deadline.map(|deadline| deadline.length());
            if let Some(lost) = slot.lost(LossReason::Late(after.unwrap_or_default())) {
                isolate(|| listener.lost(lost));
            }
        }
    }
}

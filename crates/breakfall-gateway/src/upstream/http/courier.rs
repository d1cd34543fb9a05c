//! Takes each message to the server in a request of its own.
//!
//! Requests go at once and next to each other. What is told goes one after the other, and not before what was asked
//! before it has left. Nothing overtakes the handshake.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use http::{HeaderMap, Method};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::Remote;
use super::answer::{First, Heard, Hearing, To};
use super::flight::Flight;
use super::heads::{self, Beside};
use super::lacking;
use super::listen;
use super::load::Load;
use super::renew::Renewal;
use super::session::Session;
use crate::envelope::{Frame, Id, Limits, Message, cancelled_id};
use crate::front::Credentials;
use crate::peer::{Carrier, Ear, Listener, Parcel, Peer, Side, Unsent, Why};
use crate::steadily::Steadily;

/// Takes messages to one server, for one client.
#[derive(Debug)]
pub(super) struct Courier {
    pub(super) remote: Remote,
    /// What every request says.
    pub(super) basic: Arc<HeaderMap>,
    ear: Weak<Ear>,
    me: Weak<Self>,
    state: Mutex<State>,
    told: mpsc::UnboundedSender<Item>,
    pub(super) renewal: Renewal,
}

#[derive(Debug)]
struct State {
    session: Session,
    /// What waits until the handshake, or its end, is through.
    held: Option<VecDeque<Parcel>>,
    flying: HashMap<u64, Flying>,
    /// Hears what belongs to no request.
    listening: Option<AbortHandle>,
    is_closed: bool,
}

/// A request under way.
#[derive(Debug)]
struct Flying {
    task: AbortHandle,
    flight: Arc<Flight>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The handshake.
    Opening,
    /// Part of a session, or of nothing we know of.
    Usual,
    /// Of the protocol that has no sessions: it is taken back by not listening any more.
    Modern,
    /// The same, for the tools.
    List,
}

/// Something to tell, or the end.
#[derive(Debug)]
enum Item {
    Tell(Tell),
    Close,
}

#[derive(Debug)]
struct Tell {
    load: Load,
    beside: Beside,
    flight: Arc<Flight>,
    about: Note,
}

/// What something to tell is, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Note {
    /// The end of the handshake.
    Initialized,
    /// A request is taken back.
    Cancelled(u64),
    Other,
}

/// Begins to speak with a server.
pub(in crate::upstream) fn connect(
    remote: Remote,
    credentials: Option<&Credentials>,
    limits: Limits,
    listener: Arc<dyn Listener>,
) -> Peer {
    let credentials = credentials.filter(|_| remote.0.passes_authorization);
    let basic = heads::basic(&remote.0.headers, credentials);
    let (told, items) = mpsc::unbounded_channel();
    let mut made = None;
    let ear = Ear::new(Side::Server, limits, listener, |ear| {
        let courier = Courier::new(remote, basic, ear.clone(), told);
        made = Some(Arc::clone(&courier));
        courier
    });
    let courier = made.expect("made with the ear");
    let peer = ear.peer().clone();
    drop(tokio::spawn(courier.keep(ear, items)));
    peer
}

impl Courier {
    fn new(
        remote: Remote,
        basic: HeaderMap,
        ear: Weak<Ear>,
        told: mpsc::UnboundedSender<Item>,
    ) -> Arc<Self> {
        let basic = Arc::new(basic);
        Arc::new_cyclic(|me| Self {
            state: Mutex::new(State {
                session: Session::none(&basic),
                held: None,
                flying: HashMap::new(),
                listening: None,
                is_closed: false,
            }),
            remote,
            basic,
            ear,
            me: me.clone(),
            told,
            renewal: Renewal::default(),
        })
    }

    /// What goes beside everything now.
    pub(super) fn session(&self) -> Session {
        self.lock().session.clone()
    }

    pub(super) fn set_session(&self, session: Session) {
        self.lock().session = session;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("nobody panics while holding this lock")
    }

    /// Sends a request on its way.
    fn fly(&self, state: &mut State, number: u64, parcel: Parcel) -> Result<(), Unsent> {
        let (Some(ear), Some(me)) = (self.ear.upgrade(), self.me.upgrade()) else {
            return Err(Unsent::Over);
        };
        let is_opening = is_of(&parcel.message, "initialize");
        let original = parcel.message.original();
        let extra = parcel.extra.as_deref();
        let mut beside = if state.session.is_open || is_opening {
            Beside::default()
        } else {
            Beside::of(original, extra)
        };
        let may_lack = beside.is_modern && !Beside::has_spoken(extra);
        if may_lack {
            beside.add(self.remote.0.mirrors.beside(original));
        }
        let kind = match (is_opening, beside.is_modern) {
            (true, _) => Kind::Opening,
            (_, true) if is_of(&parcel.message, "tools/list") => Kind::List,
            (_, true) => Kind::Modern,
            (_, false) => Kind::Usual,
        };
        if kind == Kind::Opening {
            state.held = Some(VecDeque::new());
            state.session = Session {
                generation: state.session.generation,
                ..Session::none(&self.basic)
            };
        }
        let flight = Flight::new(ear, Some(number), parcel.message.weight());
        let asking = Asking {
            courier: me,
            session: state.session.clone(),
            flight: Arc::clone(&flight),
            number,
            beside,
            kind,
            may_lack,
        };
        let asking = Steadily::new(Box::pin(asking.run(parcel.message.into())));
        let task = tokio::spawn(asking).abort_handle();
        let flying = Flying { task, flight, kind };
        state.flying.insert(number, flying);
        Ok(())
    }

    /// Queues something to tell.
    fn tell(&self, state: &mut State, parcel: Parcel) -> Result<(), Unsent> {
        let ear = self.ear.upgrade().ok_or(Unsent::Over)?;
        let about = note(&parcel.message);
        let extra = parcel.extra.as_deref();
        let beside = if state.session.is_open {
            Beside::default()
        } else {
            Beside::of(parcel.message.original(), extra)
        };
        if about == Note::Initialized && state.session.is_open {
            state.held = Some(VecDeque::new());
        }
        let flight = Flight::new(ear, None, parcel.message.weight());
        let load = parcel.message.into();
        let tell = Tell {
            load,
            beside,
            flight,
            about,
        };
        self.told.send(Item::Tell(tell)).map_err(|_| Unsent::Over)
    }

    /// Lets go of what was held back.
    fn release(&self) {
        let mut state = self.lock();
        let mut held = state.held.take().unwrap_or_default();
        while let Some(parcel) = held.pop_front() {
            // If it is over nobody is to be told.
            let _ = self.put(&mut state, parcel);
            // The first of it may hold back the others.
            if let Some(again) = &mut state.held {
                again.append(&mut held);
            }
        }
    }

    fn put(&self, state: &mut State, parcel: Parcel) -> Result<(), Unsent> {
        match parcel.request {
            Some(number) => self.fly(state, number, parcel),
            None => self.tell(state, parcel),
        }
    }

    /// A request is done with.
    fn landed(&self, number: u64, kind: Kind) {
        let landed = self.lock().flying.remove(&number);
        drop(landed);
        if kind == Kind::Opening {
            self.release();
        }
    }

    /// Does what is told, one after the other, until the end.
    async fn keep(self: Arc<Self>, ear: Arc<Ear>, mut items: mpsc::UnboundedReceiver<Item>) {
        while let Some(Item::Tell(tell)) = items.recv().await {
            self.deliver(&ear, tell).await;
        }
        self.lock().is_closed = true;
        self.deafen();
        let flying = std::mem::take(&mut self.lock().flying);
        for flying in flying.into_values() {
            flying.task.abort();
        }
        self.leave().await;
        drop(ear);
    }

    async fn deliver(self: &Arc<Self>, ear: &Arc<Ear>, tell: Tell) {
        let Tell {
            load,
            beside,
            flight,
            about,
        } = tell;
        let of = match about {
            Note::Cancelled(number) => {
                let flying = self.lock();
                flying
                    .flying
                    .get(&number)
                    .map(|flying| Arc::clone(&flying.flight))
            }
            Note::Initialized | Note::Other => None,
        };
        if let Some(of) = of {
            // What is taken back must not arrive after that.
            let _ = timeout(OVERTAKING, of.left()).await;
        }
        let posting = self.post(ear, load, &beside, &flight);
        match timeout(TELLING, posting).await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => self.log("the server did not take what it was told", &why),
            Err(_) => tracing::warn!(
                upstream = &*self.remote.0.name,
                "the server did not take what it was told in time"
            ),
        }
        match about {
            Note::Initialized => {
                self.listen(ear);
                self.release();
            }
            Note::Cancelled(number) => {
                let flying = self.lock().flying.remove(&number);
                if let Some(flying) = flying {
                    flying.task.abort();
                }
            }
            Note::Other => {}
        }
    }

    /// Tells, in a new session if the server has forgotten the one before.
    async fn post(
        self: &Arc<Self>,
        ear: &Arc<Ear>,
        load: Load,
        beside: &Beside,
        flight: &Arc<Flight>,
    ) -> Result<(), Why> {
        let again = load.again();
        let session = self.session();
        if self.say(ear, &session, load, beside, flight).await? == Heard::All {
            return Ok(());
        }
        self.renew(ear, session.generation).await?;
        if let Some(load) = again {
            let session = self.session();
            self.say(ear, &session, load, beside, flight).await?;
        }
        Ok(())
    }

    pub(super) async fn say(
        &self,
        ear: &Ear,
        session: &Session,
        load: Load,
        beside: &Beside,
        flight: &Arc<Flight>,
    ) -> Result<Heard, Why> {
        let heads = || beside.on(&session.heads);
        let sent = self.remote.send(&Method::POST, heads, load, Some(flight));
        let response = sent.await?;
        let hearing = Hearing {
            remote: &self.remote,
            ear,
            to: To::Nobody,
            heads: &session.heads,
            is_in_session: session.is_named(),
        };
        if !response.status().is_success() {
            return hearing.read(response).await;
        }
        Ok(Heard::All)
    }

    /// Hears from now on what belongs to no request.
    pub(super) fn listen(self: &Arc<Self>, ear: &Arc<Ear>) {
        let session = self.session();
        if !session.is_open {
            return;
        }
        let task = tokio::spawn(listen::run(Arc::clone(self), Arc::clone(ear), session));
        let before = self.lock().listening.replace(task.abort_handle());
        if let Some(before) = before {
            before.abort();
        }
    }

    pub(super) fn deafen(&self) {
        let listening = self.lock().listening.take();
        if let Some(listening) = listening {
            listening.abort();
        }
    }

    /// Ends the session, if the server has one.
    async fn leave(&self) {
        let session = self.session();
        if !session.is_named() {
            return;
        }
        let heads = || HeaderMap::clone(&session.heads);
        let sent = self
            .remote
            .send(&Method::DELETE, heads, Load::default(), None);
        // It forgets the session sooner or later anyway.
        let _ = timeout(LEAVING, sent).await;
    }

    pub(super) fn log(&self, what: &str, why: &Why) {
        let report = match why {
            Why::Refused(refused) => refused.fault.report().to_string(),
            Why::Late(_) | Why::Unreadable(_) | Why::Gone | Why::Unsent(_) => String::new(),
        };
        tracing::warn!(upstream = &*self.remote.0.name, report, "{what}");
    }
}

impl Carrier for Courier {
    fn carry(&self, parcel: Parcel) -> Result<(), Unsent> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(Unsent::Over);
        }
        if let Some(held) = &mut state.held {
            held.push_back(parcel);
            return Ok(());
        }
        self.put(&mut state, parcel)
    }

    fn close(&self) {
        // Nobody there any more is as good as closed.
        let _ = self.told.send(Item::Close);
    }

    fn abort(&self, request: u64) -> bool {
        let mut state = self.lock();
        let kind = state.flying.get(&request).map(|flying| flying.kind);
        let is_silent = matches!(kind, Some(Kind::Modern | Kind::List | Kind::Opening));
        let flying = is_silent.then(|| state.flying.remove(&request)).flatten();
        drop(state);
        if let Some(flying) = flying {
            flying.task.abort();
            if flying.kind == Kind::Opening {
                self.release();
            }
        }
        is_silent
    }
}

/// One request, from here to its answer.
struct Asking {
    courier: Arc<Courier>,
    session: Session,
    flight: Arc<Flight>,
    number: u64,
    beside: Beside,
    kind: Kind,
    /// What stands in headers was put there by us.
    may_lack: bool,
}

impl Asking {
    async fn run(self, load: Load) {
        if let Err(why) = self.ask(load).await {
            let told = match self.kind {
                Kind::Opening => lacking::in_words(why, self.number),
                Kind::Usual | Kind::Modern | Kind::List => Err(why),
            };
            match told {
                Ok(refusal) => self.flight.ear.receive(refusal, Some(self.number)),
                Err(why) => self.flight.ear.failed(self.number, why),
            }
        }
        self.courier.landed(self.number, self.kind);
    }

    async fn ask(&self, load: Load) -> Result<(), Why> {
        // It is never closed.
        let _room = self.courier.remote.0.room.acquire().await;
        let again = load.again();
        match self.once(&self.session, load, &self.beside).await? {
            Heard::All => return Ok(()),
            Heard::Lacking(refusal) => return self.in_full(again, refusal).await,
            Heard::NoSession => {}
        }
        let courier = &self.courier;
        let told = courier.remote.told();
        let too_big =
            "the server has forgotten the session, and the message is too big to be sent twice";
        let again = again.ok_or_else(|| told.no_session(too_big))?;
        let mut session = self.session.clone();
        for _ in 0..MOST_SESSIONS {
            let is_ours = courier.renew(&self.flight.ear, session.generation).await?;
            session = courier.session();
            if self.once(&session, again.clone(), &self.beside).await? == Heard::All {
                return Ok(());
            }
            // What somebody else began may have been forgotten because of them; what was begun for this is not.
            if is_ours {
                break;
            }
        }
        Err(told.no_session("the server has forgotten a session it has just begun"))
    }

    /// Once more, with what the tool wants to see in headers, if that can be found out.
    async fn in_full(&self, again: Option<Load>, refusal: Vec<u8>) -> Result<(), Why> {
        let ear = &self.flight.ear;
        let beside = match &again {
            Some(call) => {
                self.courier
                    .dress(ear, &self.session, call, &self.beside)
                    .await
            }
            None => None,
        };
        let (Some(call), Some(beside)) = (again, beside) else {
            ear.receive(refusal, Some(self.number));
            return Ok(());
        };
        if let Heard::Lacking(refusal) = self.once(&self.session, call, &beside).await? {
            ear.receive(refusal, Some(self.number));
        }
        Ok(())
    }

    async fn once(&self, session: &Session, load: Load, beside: &Beside) -> Result<Heard, Why> {
        let remote = &self.courier.remote;
        let heads = || beside.on(&session.heads);
        let sent = remote.send(&Method::POST, heads, load, Some(&self.flight));
        let response = sent.await?;
        let begin = |headers: &HeaderMap, answer: &[u8]| self.begin(headers, answer);
        let learn = |_: &HeaderMap, answer: &[u8]| remote.0.mirrors.learn(answer);
        let first: Option<&First<'_>> = match self.kind {
            Kind::Opening => Some(&begin),
            Kind::List => Some(&learn),
            Kind::Usual | Kind::Modern => None,
        };
        let hearing = Hearing {
            remote,
            ear: &self.flight.ear,
            to: To::Request {
                number: self.number,
                first,
                may_lack: self.may_lack,
            },
            heads: &session.heads,
            is_in_session: session.is_named(),
        };
        hearing.read(response).await
    }

    /// The handshake is answered: whoever hears of it may go on at once.
    fn begin(&self, headers: &HeaderMap, answer: &[u8]) {
        let id = Id::number(self.number);
        let courier = &self.courier;
        let begun = courier
            .session()
            .begun(&courier.basic, &id, answer, headers);
        if let Some(begun) = begun {
            courier.set_session(begun);
        }
    }
}

/// What something to tell is.
fn note(message: &Message) -> Note {
    if is_of(message, "notifications/initialized") {
        return Note::Initialized;
    }
    if !is_of(message, "notifications/cancelled") {
        return Note::Other;
    }
    let frame = Frame::parse(message.to_bytes(), &Limits::REQUEST).ok();
    let id = frame.and_then(|frame| Some(cancelled_id(&frame)?.1));
    let number = id.and_then(|id| id.as_json().parse().ok());
    number.map_or(Note::Other, Note::Cancelled)
}

/// Whether a message is of a method. Hardly any has the word in it and is not, and then a closer look tells.
fn is_of(message: &Message, method: &str) -> bool {
    let bytes = message.original();
    if bytes.len() > LONGEST_WORD || !message.may_mention(method) {
        return false;
    }
    let frame = Frame::parse(bytes.to_vec(), &Limits::REQUEST);
    frame.is_ok_and(|frame| frame.method() == method)
}

/// In how many sessions that others have begun something is tried.
const MOST_SESSIONS: usize = 4;
/// Messages of the protocol itself are no longer than that.
const LONGEST_WORD: usize = 64 << 10;
/// How long to wait for a request to leave before it is taken back.
const OVERTAKING: Duration = Duration::from_secs(1);
/// How long the server may take to hear what it is told.
const TELLING: Duration = Duration::from_secs(30);
/// How long to wait for the end of a session.
const LEAVING: Duration = Duration::from_millis(800);

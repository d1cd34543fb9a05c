//! The one table of behaviours.

use crate::behaviours::behaviours;
pub use crate::behaviours::{When, Yields};

/// What becomes of the effect of the call. It is counted, by the argument `key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It takes place, as often as the call comes.
    Done,
    /// It does not.
    Refused,
}

behaviours! {
    /// What becomes of the effect of the call.
    effect: Effect;

    // Ends of the connection.

    /// Reads the beginning of the request only, and resets the connection.
    ResetUnread = "reset-unread": Call, Nothing, Refused;
    /// Reads the whole request and resets the connection.
    ResetAfterReading = "reset-after-reading": Call, Nothing, Done;
    /// Reads the whole request and closes the connection.
    CloseWithoutAnswer = "close-without-answer": Call, Nothing, Done;
    /// Half of the head, then a reset.
    ResetInHead = "reset-in-head": Call, Nothing, Done;
    /// Half of the head, then the end.
    CloseInHead = "close-in-head": Call, Nothing, Done;
    /// The head and half of the body, then a reset.
    ResetInBody = "reset-in-body": Call, Nothing, Done;
    /// Takes the request and never says anything.
    HalfOpen = "half-open": Call, Nothing, Done;
    /// Takes the beginning of the request and never another byte.
    StopsReading = "stops-reading": Call, Nothing, Refused;
    /// Answers, and closes the connection without having announced it.
    CloseAfterAnswer = "close-after-answer": Call, Answer, Done;
    /// Answers, and closes the connection when the next request comes over it, which it does not read.
    CloseOnReuse = "close-on-reuse": Call, Answer, Done;
    /// The same with a reset.
    ResetOnReuse = "reset-on-reuse": Call, Answer, Done;
    /// Answers with `Connection: close`, and does so.
    CloseAnnounced = "close-announced": Call, Answer, Done;

    // Slowness.

    /// The head a byte every millisecond (or `ms`).
    SlowHead = "slow-head": Call, Answer, Done;
    /// A head that never ends, a byte every millisecond (or `ms`).
    EndlessHead = "endless-head": Call, Nothing, Done;
    /// The body a byte every millisecond (or `ms`).
    SlowBody = "slow-body": Call, Answer, Done;
    /// A body that never ends, a byte every millisecond (or `ms`).
    EndlessBody = "endless-body": Call, Nothing, Done;

    // Lengths and chunks.

    /// More bytes are announced than come; the connection stays open.
    LengthTooLong = "length-too-long": Call, Nothing, Done;
    /// More bytes are announced than come before the connection is closed.
    LengthTooLongClose = "length-too-long-close": Call, Nothing, Done;
    /// Fewer bytes are announced than come.
    LengthTooShort = "length-too-short": Call, Nothing, Done;
    /// The length is not a number.
    LengthIsText = "length-is-text": Call, Nothing, Done;
    /// Two lengths that differ.
    TwoLengths = "two-lengths": Call, Nothing, Done;
    /// A chunk whose size is not a number.
    BadChunkSize = "bad-chunk-size": Call, Nothing, Done;
    /// A chunk that is longer than its size.
    ChunkTooLong = "chunk-too-long": Call, Nothing, Done;
    /// The right answer in chunks, and the end of the connection instead of the last chunk.
    NoLastChunk = "no-last-chunk": Call, Nothing, Done;
    /// The right answer up to the end of the connection, with neither length nor chunks.
    UntilClose = "until-close": Call, Answer, Done;
    /// The right answer in HTTP/1.0.
    OldVersion = "old-version": Call, Answer, Done;
    /// A malformed status line.
    BadStatusLine = "bad-status-line": Call, Nothing, Done;
    /// Bytes of another protocol.
    NotHttp = "not-http": Call, Nothing, Done;
    /// 10 000 (or `count`) headers.
    ManyHeaders = "many-headers": Call, Nothing, Done;
    /// `100 Continue` and `103 Early Hints`, then the answer.
    Interim = "interim": Call, Answer, Done;
    /// `100 Continue` for ever.
    EndlessInterim = "endless-interim": Call, Nothing, Done;
    /// `101 Switching Protocols`.
    SwitchingProtocols = "switching-protocols": Call, Nothing, Done;

    // Streams of events.

    /// The answer in a stream of events, as the protocol has it.
    Events = "events": Call, Answer, Done;
    /// The answer in a stream in every odd form the format allows: a mark of its byte order, comments, other fields, data over several
    /// lines, ends of lines of every kind.
    OddEvents = "odd-events": Call, Answer, Done;
    /// The stream ends in the middle of the event, without its last chunk.
    EventCut = "event-cut": Call, Nothing, Done;
    /// The stream is reset in the middle of the event.
    EventReset = "event-reset": Call, Nothing, Done;
    /// The stream ends properly in the middle of the event.
    EventUnended = "event-unended": Call, Nothing, Done;
    /// The stream ends without an answer.
    EventsWithoutAnswer = "events-without-answer": Call, Nothing, Done;
    /// Events that hold no JSON, no object or no message, around the right answer.
    EventsGarbage = "events-garbage": Call, Answer, Done;
    /// One event of a gigabyte (or `bytes`).
    HugeEvent = "huge-event": Call, Nothing, Done;
    /// Comments for ever, one every 10 ms (or `ms`).
    EndlessComments = "endless-comments": Call, Nothing, Done;
    /// A stream that never ends and never says anything.
    SilentEvents = "silent-events": Call, Nothing, Done;
    /// The answer, twice.
    EventsTwice = "events-twice": Call, Answer, Done;
    /// An answer with an unknown id, and the end.
    EventsWrongId = "events-wrong-id": Call, Nothing, Done;
    /// An answer that is not UTF-8, and the end.
    EventsInvalidUtf8 = "events-invalid-utf8": Call, Doubtful, Done;
    /// Three steps of progress, then the answer.
    EventsProgress = "events-progress": Call, Answer, Done;
    /// 10 000 (or `count`) log notifications, then the answer.
    EventsFlood = "events-flood": Call, Answer, Done;
    /// The answer, and then a stream that stays open.
    EventsStayOpen = "events-stay-open": Call, Answer, Done;
    /// An event with an id, and the end; the answer follows when the stream is resumed after that id.
    EventsResumed = "events-resumed": Call, Answer, Done;
    /// The same, but resuming it fails.
    EventsNotResumed = "events-not-resumed": Call, Nothing, Done;

    // Bodies.

    /// An answer with an unknown id.
    WrongId = "wrong-id": Call, Nothing, Done;
    /// The right answer, its id as another JSON type: a number as text.
    IdOfAnotherType = "id-of-another-type": Call, Doubtful, Done;
    /// 200 without a body.
    Empty = "empty": Call, Nothing, Done;
    /// 200 with a page for humans that names a host, a path and a secret.
    Html = "html": Call, Nothing, Done;
    /// 200 with a page for humans that says it is JSON.
    HtmlAsJson = "html-as-json": Call, Nothing, Done;
    /// 200 with JSON that is not a message.
    OtherJson = "other-json": Call, Nothing, Done;
    /// 200 with half a message, its length right.
    HalfJson = "half-json": Call, Nothing, Done;
    /// 202 as if it were a notification.
    Accepted = "accepted": Call, Nothing, Done;
    /// 204 without anything.
    NoContent = "no-content": Call, Nothing, Done;
    /// The right answer as `text/plain`.
    WrongType = "wrong-type": Call, Doubtful, Done;
    /// An answer that is not UTF-8.
    InvalidUtf8 = "invalid-utf8": Call, Nothing, Done;
    /// An answer nested 100 000 (or `depth`) deep.
    Deep = "deep": Call, Nothing, Done;
    /// `Content-Encoding: gzip` without `Accept-Encoding`.
    Gzip = "gzip": Call, Doubtful, Done;
    /// A gigabyte (or `bytes`) in chunks.
    HugeBody = "huge-body": Call, Nothing, Done;
    /// A gigabyte (or `bytes`) that is announced.
    HugeLength = "huge-length": Call, Nothing, Done;
    /// A right answer with 50 MB (or `bytes`) of text.
    HugeAnswer = "huge-answer": Call, Answer, Done;

    // Statuses.

    /// 401 with a challenge.
    Unauthorized = "unauthorized": Call, Nothing, Refused;
    /// 403 with a challenge for more scope.
    Forbidden = "forbidden": Call, Nothing, Refused;
    /// 404 for the session, once; the call is answered in a new session.
    SessionGoneOnce = "session-gone-once": Call, Answer, Done;
    /// 404 for every session.
    SessionGoneForEver = "session-gone-for-ever": Call, Nothing, Refused;
    /// 400 with a JSON-RPC error for this call.
    RpcErrorIn400 = "rpc-error-in-400": Call, Doubtful, Refused;
    /// 400 with a page for humans.
    BadRequest = "bad-request": Call, Nothing, Refused;
    /// 405.
    MethodNotAllowed = "method-not-allowed": Call, Nothing, Refused;
    /// 406.
    NotAcceptable = "not-acceptable": Call, Nothing, Refused;
    /// 413.
    TooLarge = "too-large": Call, Nothing, Refused;
    /// 415.
    UnsupportedType = "unsupported-type": Call, Nothing, Refused;
    /// 429 with `Retry-After: 7`.
    TooMany = "too-many": Call, Nothing, Refused;
    /// 500 with a page for humans that names a host, a path and a secret.
    ServerErrorHtml = "server-error-html": Call, Nothing, Done;
    /// 500 with JSON that names a host, a path and a secret.
    ServerErrorJson = "server-error-json": Call, Nothing, Done;
    /// 500 without a body.
    ServerErrorEmpty = "server-error-empty": Call, Nothing, Done;
    /// 502 with a page for humans.
    BadGateway = "bad-gateway": Call, Nothing, Done;
    /// 503 with `Retry-After: 7`.
    Unavailable = "unavailable": Call, Nothing, Done;
    /// 504 with a page for humans.
    GatewayTimeout = "gateway-timeout": Call, Nothing, Done;
    /// An unknown status, 799.
    UnknownStatus = "unknown-status": Call, Nothing, Done;
    /// 500 with a gigabyte (or `bytes`) of page.
    HugeServerError = "huge-server-error": Call, Nothing, Done;

    // Redirects.

    /// 307 to another path of this server, which answers.
    RedirectWithin = "redirect-within": Call, Answer, Done;
    /// 307 to where it was.
    RedirectLoop = "redirect-loop": Call, Nothing, Refused;
    /// 307 to another host.
    RedirectElsewhere = "redirect-elsewhere": Call, Nothing, Refused;
    /// 303, which asks for a GET.
    SeeOther = "see-other": Call, Nothing, Refused;
    /// 307 to nowhere.
    RedirectNowhere = "redirect-nowhere": Call, Nothing, Refused;
    /// 307 to a file.
    RedirectToFile = "redirect-to-file": Call, Nothing, Refused;

    // From the start on.

    /// The port is closed.
    ConnectionRefused = "connection-refused": Start, Nothing, Refused;
    /// Accepts and closes at once.
    ClosesAtOnce = "closes-at-once": Start, Nothing, Refused;
    /// Accepts and resets at once.
    ResetsAtOnce = "resets-at-once": Start, Nothing, Refused;
    /// Accepts and never says anything.
    NeverSpeaks = "never-speaks": Start, Nothing, Refused;
    /// Answers everything with 200 and a page for humans, as the portals of hotels do.
    Portal = "portal": Start, Nothing, Refused;
    /// Answers everything with 401 and a challenge.
    Locked = "locked": Start, Nothing, Refused;
    /// Has no stream for a session: 405.
    NoStream = "no-stream": Start, Answer, Done;
    /// Has no sessions.
    NoSessions = "no-sessions": Start, Answer, Done;
    /// Ends every stream of a session as soon as it has begun.
    StreamEnds = "stream-ends": Start, Answer, Done;
    /// TLS as it should be.
    Tls = "tls": Start, Answer, Done;
    /// Speaks HTTP where TLS is expected.
    NotTls = "not-tls": Start, Nothing, Refused;
    /// A certificate of an unknown authority.
    SelfSigned = "self-signed": Start, Nothing, Refused;
    /// A certificate of the past.
    Expired = "expired": Start, Nothing, Refused;
    /// A certificate for another name.
    WrongName = "wrong-name": Start, Nothing, Refused;
    /// Takes the greeting of TLS and never says anything.
    TlsStalls = "tls-stalls": Start, Nothing, Refused;
    /// Closes the connection in the middle of the handshake of TLS.
    TlsCut = "tls-cut": Start, Nothing, Refused;
    /// Speaks HTTP/2 and says with `GOAWAY` that it takes no request.
    GoAway = "go-away": Start, Nothing, Refused;
    /// Speaks HTTP/2 and resets every request as one that was refused.
    StreamRefused = "stream-refused": Start, Nothing, Refused;
    /// Speaks HTTP/2 and resets every request with an error of its own.
    StreamFailed = "stream-failed": Start, Nothing, Refused;
}

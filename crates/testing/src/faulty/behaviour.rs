//! The one table of behaviours.

use crate::behaviours::behaviours;
pub use crate::behaviours::{When, Yields};

/// What the server is good for afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// It serves the next call.
    Serving,
    /// The process lives, but no call is answered any more.
    Stuck,
    /// The process has ended.
    Dead,
}

behaviours! {
    /// What is left of the server afterwards.
    leaves: Leaves;

    // No answer, or not this one.

    /// Never answers.
    Silence = "silence": Call, Nothing, Serving;
    /// Answers with an unused id.
    WrongId = "wrong-id": Call, Nothing, Serving;
    /// Answers with the right id as another JSON type: a number as text, text as a number.
    IdOfAnotherType = "id-of-another-type": Call, Doubtful, Serving;
    /// Answers with the right id as a number with a point, as libraries do that know no other.
    IdWithAPoint = "id-with-a-point": Call, Doubtful, Serving;
    /// Answers with `null` for an id.
    NullId = "null-id": Call, Nothing, Serving;
    /// Answers without an id.
    NoId = "no-id": Call, Nothing, Serving;
    /// Answers only once the call was cancelled.
    AnswerAfterCancel = "answer-after-cancel": Call, Nothing, Serving;

    // Too many answers, or messages at the wrong time.

    /// Answers twice (or `times`), rightly each time.
    TwoAnswers = "two-answers": Call, Answer, Serving;
    /// Answers, then reports progress of the call (of an unknown token if it had none).
    ProgressAfterAnswer = "progress-after-answer": Call, Answer, Serving;
    /// Reports progress of an unknown token, then answers.
    ProgressOfNobody = "progress-of-nobody": Call, Answer, Serving;
    /// Cancels the very call it then answers.
    CancelsTheCall = "cancels-the-call": Call, Answer, Serving;
    /// Answers after the next call was answered: the tool `park` in one.
    OutOfOrder = "out-of-order": Call, Answer, Serving;

    // Malformed lines.

    /// Half an answer without its end of line, then the process ends.
    HalfALineThenExit = "half-a-line-then-exit": Call, Nothing, Dead;
    /// Half an answer without its end of line, and never another byte.
    HalfALineThenSilence = "half-a-line-then-silence": Call, Nothing, Stuck;
    /// Half an answer to another request without its end of line, then the right answer.
    BehindHalfALine = "behind-half-a-line": Call, Doubtful, Serving;
    /// The answer, with words before it on its line.
    BehindWords = "behind-words": Call, Doubtful, Serving;
    /// The whole answer without its end of line, then the process ends.
    NoNewlineThenExit = "no-newline-then-exit": Call, Doubtful, Dead;
    /// One line of a gigabyte (or `bytes`), its id at the front.
    HugeLineIdFirst = "huge-line-id-first": Call, Nothing, Serving;
    /// One line of a gigabyte (or `bytes`), its id at the end.
    HugeLineIdLast = "huge-line-id-last": Call, Nothing, Serving;
    /// Lines that are no JSON, no object or no message, around the right answer.
    GarbageAround = "garbage-around": Call, Answer, Serving;
    /// Rows and log lines with ids and methods in them, the one of the call among them, then the right answer.
    NoiseWithIds = "noise-with-ids": Call, Answer, Serving;
    /// The answer, written over several lines.
    BrokenOverLines = "broken-over-lines": Call, Nothing, Serving;
    /// The answer, ended by carriage return and line feed.
    CarriageReturn = "carriage-return": Call, Answer, Serving;
    /// The answer, a byte every 10 ms (or `ms`).
    SlowDrip = "slow-drip": Call, Answer, Serving;
    /// An answer that never ends, a byte every 10 ms (or `ms`).
    EndlessDrip = "endless-drip": Call, Nothing, Stuck;

    // Answers that are not well formed.

    /// The text of the answer holds bytes that are not UTF-8.
    InvalidUtf8 = "invalid-utf8": Call, Nothing, Serving;
    /// The answer is nested 100 000 (or `depth`) deep.
    Deep = "deep": Call, Nothing, Serving;
    /// The answer has a result and an error.
    ResultAndError = "result-and-error": Call, Doubtful, Serving;
    /// The answer has a result, and `null` for an error.
    NullError = "null-error": Call, Answer, Serving;
    /// The answer has neither result nor error.
    NeitherResultNorError = "neither-result-nor-error": Call, Nothing, Serving;
    /// The answer is an error whose code is text.
    TextErrorCode = "text-error-code": Call, Doubtful, Serving;
    /// The answer is an error without a message.
    NoErrorMessage = "no-error-message": Call, Doubtful, Serving;
    /// The answer is an error that is text instead of an object.
    ErrorIsText = "error-is-text": Call, Doubtful, Serving;
    /// The answer is a result that is text instead of an object.
    ResultIsText = "result-is-text": Call, Doubtful, Serving;
    /// The answer does not say `"jsonrpc":"2.0"`.
    NoVersion = "no-version": Call, Doubtful, Serving;
    /// The answer has two ids: first an unused one, then the right one.
    TwoIds = "two-ids": Call, Doubtful, Serving;
    /// The answer comes as a batch of one.
    Batch = "batch": Call, Doubtful, Serving;

    // Much of everything.

    /// A right answer with 50 MB (or `bytes`) of text.
    HugeAnswer = "huge-answer": Call, Answer, Serving;
    /// 10 000 (or `count`) log notifications of 100 (or `size`) bytes, then the answer.
    FloodNotifications = "flood-notifications": Call, Answer, Serving;
    /// 10 MB (or `bytes`) of lines on standard error, then the answer.
    FloodStderr = "flood-stderr": Call, Answer, Serving;
    /// 10 MB (or `bytes`) that are not UTF-8 on standard error, then the answer.
    FloodStderrGarbage = "flood-stderr-garbage": Call, Answer, Serving;
    /// 10 MB (or `bytes`) on standard error without an end of line, then the answer.
    FloodStderrOneLine = "flood-stderr-one-line": Call, Answer, Serving;

    // Ends of the process, or of its ears and mouth.

    /// Ends with code 0 instead of an answer.
    ExitZero = "exit-0": Call, Nothing, Dead;
    /// Ends with code 3 instead of an answer.
    ExitThree = "exit-3": Call, Nothing, Dead;
    /// Dies by SIGABRT instead of an answer.
    Abort = "abort": Call, Nothing, Dead;
    /// Dies by SIGKILL instead of an answer.
    Killed = "killed": Call, Nothing, Dead;
    /// Answers and ends at once with code 0.
    AnswerThenExit = "answer-then-exit": Call, Answer, Dead;
    /// Closes its standard output and lives on.
    EofWhileLiving = "eof-while-living": Call, Nothing, Stuck;
    /// Answers, then never reads its standard input again.
    StopsReading = "stops-reading": Call, Answer, Stuck;
    /// Starts a process that ignores SIGTERM and keeps standard output open, and answers with its `pid`.
    Grandchild = "grandchild": Call, Answer, Serving;
    /// Starts a process that ignores SIGTERM and keeps standard output open, and ends instead of an answer.
    GrandchildThenExit = "grandchild-then-exit": Call, Nothing, Dead;

    // Questions to the client. Each answers with what it was told, as `{"reply": …}` in structuredContent.

    /// Asks the client `ping`.
    AskPing = "ask-ping": Call, Answer, Serving;
    /// Asks the client `roots/list`.
    AskRoots = "ask-roots": Call, Answer, Serving;
    /// Asks the client `sampling/createMessage`.
    AskSampling = "ask-sampling": Call, Answer, Serving;
    /// Asks the client `elicitation/create`.
    AskElicitation = "ask-elicitation": Call, Answer, Serving;
    /// Sends the client a request with an unknown method.
    AskUnknown = "ask-unknown": Call, Answer, Serving;
    /// Asks `ping` with the id of the call it is in, as it may: ids belong to who asks.
    AskWithTheSameId = "ask-with-the-same-id": Call, Answer, Serving;
    /// Asks `sampling/createMessage`, cancels the question and answers without a reply.
    AskThenCancel = "ask-then-cancel": Call, Answer, Serving;

    // From the start on.

    /// Three lines of banner on standard output before anything else.
    Banner = "banner": Start, Answer, Serving;
    /// Ends at once with code 1, with a traceback that holds a secret on standard error.
    ExitAtStart = "exit-at-start": Start, Nothing, Dead;
    /// The same, but only after it has read the first request.
    ExitInHandshake = "exit-in-handshake": Start, Nothing, Dead;
    /// The first VALUE starts end at once with code 1; later ones work. Counted in the trail file.
    ExitFirstStarts = "exit-first-starts": Start, Doubtful, Dead;
    /// Reads and never answers anything.
    SilentStart = "silent-start": Start, Nothing, Stuck;
    /// Answers `initialize` with an error.
    RefuseHandshake = "refuse-handshake": Start, Nothing, Serving;
    /// Opens the terminal; without one, prints an error on standard error and exits with code 1.
    NeedsTerminal = "needs-terminal": Start, Nothing, Dead;
    /// Never reads standard input.
    NeverReads = "never-reads": Start, Nothing, Stuck;
    /// Reads 512 bytes (or VALUE) every 10 ms.
    ReadsSlowly = "reads-slowly": Start, Answer, Serving;
    /// Ignores SIGTERM, and that standard input ended.
    Stubborn = "stubborn": Start, Answer, Serving;
    /// Ends with code 101 on the VALUE-th call of a tool (the 3rd) instead of an answer.
    CrashOnCall = "crash-on-call": Start, Doubtful, Dead;
}

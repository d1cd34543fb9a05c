//! A code is a row: [`Code`] points to an [`Entry`] that holds everything fixed about it.
//!
//! Nobody matches on codes. Behaviour is a field of the row (retry, status, names in every dialect), so adding a
//! code is adding a row, and policy that must branch does so on the closed [`Category`].

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::catalog;

/// A pointer to one row of a catalogue. Two codes are equal when their names are.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

impl Code {
    /// Makes a code of a row. Rows in code are `static`s made by [`Entry::extends`].
    ///
    /// # Panics
    /// When the row has the name of a built-in code or warning, which two rows cannot share. In a `const` that is an error of the
    /// compiler.
    pub const fn new(entry: &'static Entry) -> Self {
        assert!(
            !matches!(entry.status, Status::Custom) || catalog::is_free(entry.name),
            "a built-in code or warning has this name"
        );
        Self(entry)
    }

    /// The row.
    pub const fn entry(self) -> &'static Entry {
        self.0
    }

    /// The native name, for example `VALIDATION_MISSING_PARAM`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The category of the row.
    pub const fn category(self) -> Category {
        self.0.category
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0) || self.0.name == other.0.name
    }
}

impl Eq for Code {}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.0.name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// Everything fixed about a code. Ours are full literals: a new attribute breaks the build until every row
/// answers it. Servers write theirs with [`Entry::extends`], which inherits what it is not told.
#[derive(Debug, Clone)]
#[must_use]
#[non_exhaustive]
pub struct Entry {
    /// Native name, `SCREAMING_SNAKE`, the category first.
    pub name: &'static str,
    /// The closed class that policy may branch on.
    pub category: Category,
    /// How bad it is for the caller.
    pub severity: Severity,
    /// How firmly the code is promised.
    pub status: Status,
    /// The release that introduced it.
    pub since: &'static str,
    /// What the code means, one or two sentences.
    pub meaning: &'static str,
    /// When a server raises it.
    pub when: &'static str,
    /// The message, and its form when a value is missing.
    pub message: Text,
    /// A fuller sentence that every dialect but MCP-AQL prefers when its values are known.
    pub sentence: Option<&'static str>,
    /// The keys of `details`.
    pub details: &'static [Detail],
    /// What the caller should do about it. No two rows share this text.
    pub remediation: Text,
    /// What a person who knows nothing of tools may be told.
    pub user: &'static str,
    /// May the call be repeated?
    pub retry: Retry,
    /// Recovery actions, the preferred one first.
    pub actions: &'static [&'static str],
    /// The one-word recovery hint.
    pub hint: Hint,
    /// The hint when the fault names a fallback tool.
    pub hint_with_fallback: Hint,
    /// Whose fault it is unless the fault says otherwise.
    pub origin: Origin,
    /// HTTP status if the fault is the whole reply.
    pub http: u16,
    /// JSON-RPC code, for codes that can occur at protocol level.
    pub rpc: Option<i32>,
    /// The gRPC-like status.
    pub grpc: Grpc,
    /// The code's names in the other vocabularies.
    pub names: Names,
}

impl Entry {
    /// Starts a row of a server's own that behaves like `base` until told otherwise.
    ///
    /// ```
    /// use breakfall::code::{Detail, Shape};
    /// use breakfall::{Catalog, Code, Entry, codes};
    ///
    /// static ORDER_NOT_FOUND_ROW: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
    ///     .message("Order '{order_id}' not found", "Order not found")
    ///     .details(&[Detail { name: "order_id", shape: Shape::Text, required: true, about: "The order's id." }])
    ///     .remediation("List the orders with list_orders and pick an id from there.");
    /// const ORDER_NOT_FOUND: Code = Code::new(&ORDER_NOT_FOUND_ROW);
    ///
    /// assert!(Catalog::builtin().with(ORDER_NOT_FOUND).is_ok());
    /// assert_eq!(ORDER_NOT_FOUND.entry().http, 404);
    /// ```
    pub const fn extends(base: Code, name: &'static str) -> Self {
        let base = base.0;
        Self {
            name,
            category: base.category,
            severity: base.severity,
            status: Status::Custom,
            since: "",
            meaning: base.meaning,
            when: base.when,
            message: base.message,
            sentence: None,
            details: base.details,
            remediation: base.remediation,
            user: base.user,
            retry: base.retry,
            actions: base.actions,
            hint: base.hint,
            hint_with_fallback: base.hint_with_fallback,
            origin: base.origin,
            http: base.http,
            rpc: base.rpc,
            grpc: base.grpc,
            names: base.names,
        }
    }

    /// Sets what the code means.
    pub const fn meaning(mut self, meaning: &'static str) -> Self {
        self.meaning = meaning;
        self
    }

    /// Sets when the code is raised.
    pub const fn when(mut self, when: &'static str) -> Self {
        self.when = when;
        self
    }

    /// Sets the message template, and the plain form used when one of its values is missing.
    pub const fn message(mut self, template: &'static str, plain: &'static str) -> Self {
        self.message = Text { template, plain };
        self.sentence = None;
        self
    }

    /// Sets the remediation.
    pub const fn remediation(mut self, text: &'static str) -> Self {
        self.remediation = Text::fixed(text);
        self
    }

    /// Sets what a person may be told.
    pub const fn user(mut self, user: &'static str) -> Self {
        self.user = user;
        self
    }

    /// Sets the keys of `details`.
    pub const fn details(mut self, details: &'static [Detail]) -> Self {
        self.details = details;
        self
    }

    /// Sets the retry class. Where it contradicts the base's, hint and actions follow it, unless
    /// [`Self::recovery`] sets others.
    pub const fn retry(mut self, retry: Retry) -> Self {
        if retry.is_retryable() != self.retry.is_retryable() {
            let hint = if retry.is_retryable() {
                Hint::RetryLater
            } else {
                Hint::ReportToUser
            };
            (self.hint, self.hint_with_fallback) = (hint, hint);
            self.actions = retry.actions();
        }
        self.retry = retry;
        self
    }

    /// Sets the recovery actions and the hint that goes with them.
    pub const fn recovery(mut self, hint: Hint, actions: &'static [&'static str]) -> Self {
        self.hint = hint;
        self.hint_with_fallback = hint;
        self.actions = actions;
        self
    }

    /// Sets the HTTP status.
    pub const fn http(mut self, status: u16) -> Self {
        self.http = status;
        self
    }

    /// Sets the release that introduced the code.
    pub const fn since(mut self, since: &'static str) -> Self {
        self.since = since;
        self
    }
}

/// A text with `{placeholders}` and the form it takes when one of their values is missing: a message never has a
/// hole in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a pair of texts, written as a literal in every row"
)]
pub struct Text {
    /// With placeholders in braces.
    pub template: &'static str,
    /// Without any.
    pub plain: &'static str,
}

impl Text {
    /// A text without placeholders.
    pub const fn fixed(text: &'static str) -> Self {
        Self {
            template: text,
            plain: text,
        }
    }
}

/// One key of a code's `details`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "servers write these as literals in their rows"
)]
pub struct Detail {
    /// The key.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// Whether a fault of this code always has it.
    pub required: bool,
    /// What it says.
    pub about: &'static str,
}

/// The shape of a detail's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A string.
    Text,
    /// A string out of a closed list.
    OneOf(&'static [&'static str]),
    /// An integer.
    Integer,
    /// Any number.
    Number,
    /// A boolean.
    Flag,
    /// A list of strings.
    Texts,
    /// An RFC 3339 timestamp.
    Timestamp,
    /// An object.
    Object,
    /// A list of objects.
    Objects,
    /// Anything.
    Any,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(clippy::exhaustive_enums, reason = "a closed set: policy matches it without a wildcard")]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of a wire word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

words! {
    /// The class of a failure. Policy branches on this, never on codes.
    Category {
        /// The input is wrong.
        Validation = "validation",
        /// The caller is not known.
        Authentication = "authentication",
        /// The caller is known and may not.
        Authorization = "authorization",
        /// The thing is not there.
        NotFound = "not_found",
        /// The thing is in another state than the call assumes.
        Conflict = "conflict",
        /// Too much, too fast.
        RateLimit = "rate_limit",
        /// A person has to agree first, or their agreement does not fit.
        Confirmation = "confirmation",
        /// A rule of the domain forbids it.
        Business = "business",
        /// Somebody downstream is not there.
        Unavailable = "unavailable",
        /// A defect.
        Internal = "internal",
    }
}

words! {
    /// How bad it is. Warnings use all three; every fault is an `error`.
    Severity {
        /// Fully succeeded, a notice only.
        Info = "info",
        /// May affect the result.
        Warning = "warning",
        /// The quality of the result suffers, or there is none.
        Error = "error",
    }
}

impl Severity {
    /// The MCP-AQL word: `low`, `medium` or `high`.
    pub const fn urgency(self) -> &'static str {
        match self {
            Self::Info => "low",
            Self::Warning => "medium",
            Self::Error => "high",
        }
    }

    /// Reads either vocabulary.
    pub fn from_any_word(word: &str) -> Option<Self> {
        Self::from_word(word).or(match word {
            "low" => Some(Self::Info),
            "medium" => Some(Self::Warning),
            "high" => Some(Self::Error),
            _ => None,
        })
    }

    /// What a consumer of the severity should do.
    pub const fn consumer_action(self) -> &'static str {
        match self {
            Self::Info => "Log it; nobody has to act.",
            Self::Warning => "Consider showing it; judge whether the result is still good enough.",
            Self::Error => "Tell the user; weigh a retry or another way.",
        }
    }
}

words! {
    /// How firmly a code is promised.
    Status {
        /// In the first registry of MCP-AQL and stable here.
        Mvp = "mvp",
        /// Came with trust, danger, limits and tokens.
        Phase1 = "phase1",
        /// Announced by MCP-AQL for later, stable here.
        Future = "future",
        /// From a companion document.
        Companion = "companion",
        /// Ours.
        Extension = "extension",
        /// A server's own.
        Custom = "custom",
    }
}

words! {
    /// May the call be repeated, and on what condition?
    Retry {
        /// No.
        Never = "never",
        /// Only after something about the call or the world has changed.
        AfterChange = "after_change",
        /// One more time, at once or soon.
        Once = "once",
        /// Yes, with exponential backoff and jitter.
        Backoff = "backoff",
        /// Yes, after the stated wait (with backoff if none is stated).
        After = "after",
    }
}

impl Retry {
    /// The actions that go with the class, where nothing more is known.
    pub const fn actions(self) -> &'static [&'static str] {
        if self.is_retryable() {
            &["wait_and_retry", "retry_later"]
        } else {
            &["contact_support"]
        }
    }

    /// The boolean of dialects that have no more: may the same call succeed if simply repeated?
    pub const fn is_retryable(self) -> bool {
        match self {
            Self::Never | Self::AfterChange => false,
            Self::Once | Self::Backoff | Self::After => true,
        }
    }
}

words! {
    /// One word on how to recover.
    Hint {
        /// Wait, then repeat the same call.
        RetryLater = "RETRY_LATER",
        /// Fix the arguments, then repeat.
        CheckInput = "CHECK_INPUT",
        /// Use another tool or another way.
        TryAlternative = "TRY_ALTERNATIVE",
        /// Tell the human.
        ReportToUser = "REPORT_TO_USER",
    }
}

words! {
    /// Whose doing it was.
    Origin {
        /// Whoever called.
        Caller = "caller",
        /// The gateway in between.
        Gateway = "gateway",
        /// The server or service behind.
        Upstream = "upstream",
        /// The tool itself.
        Tool = "tool",
    }
}

words! {
    /// The gRPC-like status.
    Grpc {
        /// The client specified an invalid argument.
        InvalidArgument = "INVALID_ARGUMENT",
        /// Past the valid range.
        OutOfRange = "OUT_OF_RANGE",
        /// A quota or size is used up.
        ResourceExhausted = "RESOURCE_EXHAUSTED",
        /// No valid credentials.
        Unauthenticated = "UNAUTHENTICATED",
        /// Not permitted.
        PermissionDenied = "PERMISSION_DENIED",
        /// The system is not in the required state.
        FailedPrecondition = "FAILED_PRECONDITION",
        /// Not there.
        NotFound = "NOT_FOUND",
        /// There already.
        AlreadyExists = "ALREADY_EXISTS",
        /// Aborted by a concurrency conflict.
        Aborted = "ABORTED",
        /// An invariant is broken.
        Internal = "INTERNAL",
        /// The service is not there now.
        Unavailable = "UNAVAILABLE",
        /// The deadline passed first.
        DeadlineExceeded = "DEADLINE_EXCEEDED",
        /// Not implemented.
        Unimplemented = "UNIMPLEMENTED",
        /// Nobody knows.
        Unknown = "UNKNOWN",
    }
}

/// A code's names in the other vocabularies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a full literal in every row, on purpose"
)]
pub struct Names {
    /// `data.error_code` of response-v2.
    pub response_v2: &'static str,
    /// `data.error_type` of response-v2.
    pub error_type: &'static str,
    /// `code` of mcp-error.
    pub mcp_error: &'static str,
    /// Number of error-model. 4001 stands for "adapter error" and carries the native name beside it unless the
    /// code is the adapter error itself.
    pub error_model: u16,
    /// `code` of toolError:v1.
    pub tool_error: &'static str,
    /// The field needsInput:v1 asks for, for codes that ask a person rather than fail.
    pub needs_input: Option<&'static str>,
    /// `error.code` of MCP-AQL.
    pub mcp_aql: &'static str,
    /// The code in MCP-AQL's first two registries that stands in for it in `strict`.
    pub mcp_aql_strict: &'static str,
}

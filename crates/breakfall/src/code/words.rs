//! The closed sets a row is made of, each with its words on the wire.

/// An enum whose values have a word each: the enum, every value, both directions, and the word as text and JSON.
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
pub(crate) use words;

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
        /// A downstream service is unavailable.
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
        /// The quality of the result suffers, or the result is missing.
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
            Self::Info => "Log it; no action is needed.",
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
        /// The caller.
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
        /// Unknown.
        Unknown = "UNKNOWN",
    }
}

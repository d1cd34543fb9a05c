//! A code is a row: [`Code`] points to an [`Entry`] that holds everything fixed about it.
//!
//! Programs do not match on codes. Behaviour is a field of the row (retry, status, names in every dialect), so adding a
//! code is adding a row, and policy that must branch does so on the closed [`Category`].

mod words;

pub(crate) use words::words;
pub use words::{Category, Grpc, Hint, Origin, Retry, Severity, Status};

/// A pointer to one row of a catalogue. Two codes are equal when their names are.
#[derive(Clone, Copy)]
pub struct Code(pub(crate) &'static Entry);

impl Code {
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

/// What has a name is equal, hashed and shown by it.
macro_rules! by_name {
    ($code:ident) => {
        impl PartialEq for $code {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.0, other.0) || self.0.name == other.0.name
            }
        }

        impl Eq for $code {}

        impl std::hash::Hash for $code {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.name.hash(state);
            }
        }

        impl std::fmt::Debug for $code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($code), "({})"), self.0.name)
            }
        }

        impl std::fmt::Display for $code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.0.name)
            }
        }
    };
}
by_name!(Code);
pub(crate) use by_name;

/// Everything fixed about a code. A row of the catalogue states what differs from the base of its category. Servers write theirs with [`Entry::extends`], which inherits what it is not told.
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

/// A translatable text of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowText {
    /// What happened, in the fullest sentence whose values are known.
    Message,
    /// What happened, in the wording of the template.
    Template,
    /// What happened, without values.
    Title,
    /// What to do.
    Remediation,
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

//! What may leave: the redactor for every text, JSON value and header of a failure.
//!
//! A failure is written by the code that failed, and was meant for a log: stack traces, statements, paths,
//! hosts, keys. The [`Redactor`] takes out what the audience must not see and leaves the sentence:
//!
//! ```
//! use breakfall::redact::Redactor;
//!
//! let redactor = Redactor::client();
//! assert_eq!(
//!     redactor.text("could not open '/srv/app/config/db.yaml' for bob@example.com"),
//!     "could not open '[path]' for [redacted:email]",
//! );
//! ```
//!
//! **Markers.** What is a secret or about a person becomes `[redacted:kind]` (`[redacted:api-key]`, `[redacted:email]`);
//! what describes the inside of a server becomes its kind alone: `[path]`, `[host]`, `[address]`, `[sql]`, `[trace]`.
//! A marker is never redacted again, so redacting twice changes nothing.
//!
//! **Audiences.** A [client](Audience::Client) sees neither; an [operator](Audience::Operator) sees paths, hosts,
//! statements, traces and addresses of people but no secret; [`Audience::Unredacted`] (nothing redacted) is for tests.
//!
//! Time is linear in the input whatever the input is, and both input and output are capped.

mod address;
mod assign;
mod assigned;
mod at;
mod auth;
mod bytes;
mod commands;
mod decode;
mod encoded;
mod engine;
mod fault;
mod field;
mod finder;
mod gate;
mod header;
mod host;
mod identity;
mod keys;
mod known;
mod limit;
mod listed;
mod look;
mod mark;
mod number;
mod opaque;
mod path;
mod pem;
mod person;
mod prose;
mod query;
mod raw;
mod reach;
mod redacted;
mod rules;
mod schema;
mod shapes;
mod spare;
mod split;
mod sql;
mod symbol;
mod tokens;
mod trace;
mod value;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::fault::Fault;
use crate::outcome::Outcome;
pub use known::KnownValues;
pub use mark::only_markers;
use spare::AllowList;

pub use redacted::{Redacted, unredacted};

/// Who will read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "three is what the configuration offers"
)]
pub enum Audience {
    /// The caller: no secrets, nothing about people, nothing about the inside of the server.
    #[default]
    Client,
    /// The operator of the server: no secrets, no card numbers and no national ids; everything else stays.
    Operator,
    /// Nothing is taken out: for tests, and for a server that talks to its author.
    Unredacted,
}

impl Audience {
    /// Every audience.
    pub const ALL: &'static [Self] = &[Self::Client, Self::Operator, Self::Unredacted];

    /// The word in a configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Operator => "operator",
            Self::Unredacted => "none",
        }
    }

    /// The audience of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|have| have.as_str() == word)
    }
}

/// Takes out of texts, values, headers and faults what an audience must not see. Cheap to clone.
#[derive(Debug, Clone)]
#[must_use]
pub struct Redactor {
    audience: Audience,
    limit: usize,
    spared: Option<Arc<AllowList>>,
}

impl Redactor {
    /// The cap on one text unless another is set, in bytes.
    pub const DEFAULT_LIMIT: usize = 64 * 1024;

    /// A redactor for an audience.
    ///
    /// ```
    /// use breakfall::redact::{Audience, Redactor};
    ///
    /// let text = "could not open '/srv/app/db.key': password=hunter2";
    /// let operator = Redactor::new(Audience::Operator);
    /// assert_eq!(
    ///     operator.text(text),
    ///     "could not open '/srv/app/db.key': password=[redacted:password]"
    /// );
    /// assert_eq!(Redactor::new(Audience::Unredacted).text(text), text);
    /// ```
    pub fn new(audience: Audience) -> Self {
        Self {
            audience,
            limit: Self::DEFAULT_LIMIT,
            spared: None,
        }
    }

    /// A redactor for the caller.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let leak = Redactor::client().text("Authorization: Bearer c2VjcmV0LXRva2Vu").into_owned();
    /// assert_eq!(leak, "Authorization: Bearer [redacted:bearer]");
    /// ```
    pub fn client() -> Self {
        Self::new(Audience::Client)
    }

    /// Leaves values out of the caller's own arguments alone: who sent a path may read it in the answer. Secrets, card
    /// numbers and national ids are redacted all the same.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    /// use serde_json::json;
    ///
    /// let redactor = Redactor::client().sparing(&json!({"path": "/home/ada/notes.txt"}));
    /// assert_eq!(
    ///     redactor.text("/home/ada/notes.txt is not below /home/ada/public"),
    ///     "/home/ada/notes.txt is not below [path]"
    /// );
    /// ```
    pub fn sparing(mut self, arguments: &Value) -> Self {
        self.allow_list().send(arguments);
        self
    }

    /// [`Self::sparing`] of arguments as they were written. They are read only if something is found that could be spared.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let redactor = Redactor::client().sparing_json(r#"{"path": "\/home/ada/notes.txt"}"#);
    /// assert_eq!(
    ///     redactor.text("/home/ada/notes.txt is not below /home/ada/public"),
    ///     "/home/ada/notes.txt is not below [path]"
    /// );
    /// ```
    pub fn sparing_json(mut self, arguments: &str) -> Self {
        self.allow_list().send_json(arguments);
        self
    }

    /// Leaves alone what the caller knows besides its arguments.
    pub fn knowing(mut self, known: &KnownValues) -> Self {
        if !known.is_empty() {
            self.allow_list().know(known);
        }
        self
    }

    /// Leaves one secret alone: a token that was made for the reader, and is to be sent back.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    /// use serde_json::json;
    ///
    /// let mut details = json!({"confirmation_token": "c0ffee-4711", "password": "open sesame"});
    /// Redactor::client().presenting("c0ffee-4711").value(&mut details);
    /// assert_eq!(details, json!({"confirmation_token": "c0ffee-4711", "password": "[redacted:password]"}));
    /// ```
    pub fn presenting(mut self, secret: &str) -> Self {
        self.allow_list().present(secret);
        self
    }

    fn allow_list(&mut self) -> &mut AllowList {
        Arc::make_mut(self.spared.get_or_insert_default())
    }

    fn presents(&self, text: &str) -> bool {
        self.spared
            .as_ref()
            .is_some_and(|spared| spared.presents(text))
    }

    /// Caps one text at so many bytes. A longer one is cut, and says so.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let text = Redactor::client().limit(100).text(&"so long ".repeat(50)).into_owned();
    /// assert!(text.len() <= 100);
    /// assert!(text.ends_with(" bytes]"), "{text}");
    /// ```
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes.max(limit::LEAST);
        self
    }

    /// For whom it redacts.
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// A text without what its audience must not see. One that needs no change is not copied.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.audience == Audience::Unredacted {
            return Cow::Borrowed(text);
        }
        let (window, dropped) = limit::window(text, self.limit);
        let clean = engine::redact(window, self.audience, self.spared.as_deref());
        limit::cap(clean, dropped, self.limit)
    }

    /// Takes out the secrets that begin in one text and end in a later one, for texts that are read one after another, such
    /// as the blocks of a result. What stands in one text alone is left to [`Self::text`].
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let mut texts = ["the key AKIAIOSF".to_owned(), "ODNN7EXAMPLE was refused".to_owned()];
    /// Redactor::client().split_secrets(&mut texts);
    /// assert_eq!(texts, ["the key [redacted:api-key]", "[redacted:api-key] was refused"]);
    /// ```
    pub fn split_secrets(&self, texts: &mut [String]) {
        if self.audience != Audience::Unredacted {
            split::redact(texts, self.audience, self.spared.as_deref());
        }
    }

    /// Bytes that should be text: what is not UTF-8 is replaced.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// assert_eq!(Redactor::client().bytes(b"exit \xff: token=abcdefgh12345678"), "exit \u{fffd}: token=[redacted:secret]");
    /// ```
    pub fn bytes(&self, bytes: &[u8]) -> String {
        if self.audience == Audience::Unredacted {
            return String::from_utf8_lossy(bytes).into_owned();
        }
        let (window, dropped) = limit::byte_window(bytes, self.limit);
        let text = String::from_utf8_lossy(window);
        let (window, more) = limit::window(&text, self.limit);
        let clean = engine::redact(window, self.audience, self.spared.as_deref());
        limit::cap(clean, dropped + more, self.limit).into_owned()
    }

    /// A JSON value, in place: texts at any depth, the values of keys that name a secret, and keys that are one.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    /// use serde_json::json;
    ///
    /// let mut value = json!({"user": "ada", "login": {"password": "open sesame"}});
    /// Redactor::client().value(&mut value);
    /// assert_eq!(value, json!({"user": "ada", "login": {"password": "[redacted:password]"}}));
    /// ```
    pub fn value(&self, value: &mut Value) {
        if self.audience != Audience::Unredacted {
            value::redact(self, value);
        }
    }

    /// JSON as text: what [`Self::value`] does, and whatever is not redacted stays byte for byte. Text that is not JSON comes out
    /// as a JSON text.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let json = r#"{ "big": 1e400, "pin": {"password" : "open sesame"}, "big": 2 }"#;
    /// assert_eq!(
    ///     Redactor::client().json(json),
    ///     r#"{ "big": 1e400, "pin": {"password" : "[redacted:password]"}, "big": 2 }"#
    /// );
    /// ```
    pub fn json<'a>(&self, json: &'a str) -> Cow<'a, str> {
        if self.audience == Audience::Unredacted {
            return Cow::Borrowed(json);
        }
        raw::redact(self, json)
    }

    /// [`Self::json`] of an object, except for the members that are to be kept as they are.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let block = r#"{"type":"image","data":"aGVsbG8","note":"from /srv/app/a.png"}"#;
    /// let clean = Redactor::client().members(block, |name| name == "data");
    /// assert_eq!(clean, r#"{"type":"image","data":"aGVsbG8","note":"from [path]"}"#);
    /// ```
    pub fn members<'a>(&self, json: &'a str, keep: impl Fn(&str) -> bool) -> Cow<'a, str> {
        if self.audience == Audience::Unredacted {
            return Cow::Borrowed(json);
        }
        raw::members(self, json, &keep)
    }

    /// Whether the value of a name is a secret by the name alone.
    #[cfg(feature = "validate")]
    pub(crate) fn hides(name: &str) -> bool {
        keys::kind(name).is_some()
    }

    /// The value of a header. Those that carry credentials keep their scheme and their names.
    ///
    /// ```
    /// use breakfall::redact::Redactor;
    ///
    /// let redactor = Redactor::client();
    /// assert_eq!(redactor.header("Authorization", "Basic YWRhOmx1cGluZQ=="), "Basic [redacted:basic]");
    /// assert_eq!(redactor.header("Set-Cookie", "sid=8f2a; Path=/"), "sid=[redacted:cookie]; Path=/");
    /// assert_eq!(redactor.header("Content-Type", "text/plain"), "text/plain");
    /// ```
    pub fn header<'a>(&self, name: &str, value: &'a str) -> Cow<'a, str> {
        if self.audience == Audience::Unredacted {
            return Cow::Borrowed(value);
        }
        header::redact(self, name, value)
    }

    /// The public half of a fault; the private half stays as it is.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::redact::Redactor;
    ///
    /// let fault = Fault::invalid("cannot read '/etc/app/secrets.yaml'");
    /// let fault = Redactor::client().fault(fault);
    /// assert_eq!(fault.public().message(), "cannot read '[path]'");
    /// ```
    pub fn fault(&self, mut fault: Fault) -> Redacted<Fault> {
        if self.audience != Audience::Unredacted {
            fault::redact(self, fault.public_mut());
        }
        Redacted::new(fault)
    }

    /// What an audience may see of a fault: a copy of its public half.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::redact::Redactor;
    ///
    /// let fault = Fault::invalid("cannot read '/etc/app/secrets.yaml'").note("for the log");
    /// let shown = Redactor::client().shown(&fault);
    /// assert_eq!(shown.public().message(), "cannot read '[path]'");
    /// assert_eq!(fault.public().message(), "cannot read '/etc/app/secrets.yaml'");
    /// ```
    pub fn shown(&self, fault: &Fault) -> Redacted<Fault> {
        self.fault(Fault::from_public(fault.public().clone()))
    }

    /// Faults, warnings and questions of an outcome. The data of a success is not ours to rewrite.
    ///
    /// ```
    /// use breakfall::Warning;
    /// use breakfall::Success;
    /// use breakfall::redact::Redactor;
    ///
    /// let success = Success::new("a page").warning(Warning::plain("db.internal is slow"));
    /// let outcome = Redactor::client().outcome(success);
    /// assert!(format!("{outcome:?}").contains("[host] is slow"), "{outcome:?}");
    /// ```
    pub fn outcome(&self, outcome: impl Into<Outcome>) -> Redacted<Outcome> {
        let mut outcome = outcome.into();
        if self.audience != Audience::Unredacted {
            fault::outcome(self, &mut outcome);
        }
        Redacted::new(outcome)
    }

    /// The private report of a fault for the operator: traces, paths and statements stay, secrets do not,
    /// whatever the audience of this redactor is.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::redact::Redactor;
    ///
    /// let fault = Fault::internal().caused_by("cannot open /srv/app/db.key with password=hunter2");
    /// let report = Redactor::client().report(&fault);
    /// assert!(report.contains("/srv/app/db.key") && !report.contains("hunter2"), "{report}");
    /// ```
    pub fn report(&self, fault: &Fault) -> String {
        let operator = Self {
            audience: Audience::Operator,
            ..self.clone()
        };
        operator.text(&fault.report().to_string()).into_owned()
    }
}

/// For the caller.
impl Default for Redactor {
    fn default() -> Self {
        Self::client()
    }
}

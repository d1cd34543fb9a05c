//! The guard around a handler.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::{RoleServer, service::RequestContext};
use serde_json::Value;

#[cfg(feature = "validate")]
use super::check::ArgumentCheck;
use super::event::{Called, Cancelled, Event};
use super::settings::{CallerView, GuardSettings};
use super::tools::ToolCatalog;
use crate::classify::Classifier;
#[cfg(feature = "locale")]
use crate::locale::Translator;
use crate::redact::Audience;
use crate::wire::{Dialect, Options};

/// Goes around a `ServerHandler` and is one: every request passes through to it, and every way to fail comes out
/// as a fault an agent can act on.
///
/// | what happened in `tools/call` | what the caller gets |
/// |---|---|
/// | the handler returned a [`Fault`](struct@crate::Fault) | a tool result with `isError` in the chosen dialect |
/// | the handler panicked | the same, `INTERNAL_ERROR`; the words of the panic go to the hook alone |
/// | arguments do not fit | the same, with the code of what is wrong with them |
/// | the [deadline](Self::deadline) passed | the same, `UNAVAILABLE_TIMEOUT` |
/// | the handler asks the user | the question, as a form if the client can elicit; the handler is called again with the user's values |
/// | the tool is unknown | a JSON-RPC error −32602 with the nearest name there is |
/// | the handler returned an `ErrorData` | that error; the message says code, fix and id too, and so does our object in its `data`, unless that is a text or a list |
/// | the handler wrote an error result by hand | that result, with our text in front of its blocks and our object in its `_meta` |
/// | the caller cancelled the call | nothing |
///
/// A failure of any other method, a panic included, is a JSON-RPC error with our object in its `data`. Successes
/// are not touched, and neither is what a task comes to after its call was answered. What the SDK cannot read (no JSON,
/// more than 128 levels of it, a second request with the id of one that runs) reaches no handler, and so no guard.
///
/// `structuredContent` of a failure is filled where the tool is known to have no schema for its output. What arguments
/// do not fit is what the handler says of it; with the feature `validate`, `Guard::validate` looks at the tool's input
/// schema first. A panic can only be caught where panics unwind.
///
/// # Whether to call again
///
/// The retry answer comes from the annotations of the tool. A tool with `readOnlyHint` or `idempotentHint` may be called
/// again where the row of the code says so. Any other tool may have done its work before it panicked, ran out of time or
/// reported a failure that can happen in the middle of it (a timeout, a service that is not available, a defect): the
/// fault says `executed: unknown`, and not to repeat the call. A handler that knows better says so with
/// [`Fault::retry`](crate::Fault::retry), [`Fault::retry_after`](crate::Fault::retry_after) or the detail `executed`.
///
/// # The id of a call
///
/// Every call has a correlation id from its start. The handler finds it among the extensions of its `RequestContext`
/// (`Extension<CorrelationId>` as a parameter), the span `tools/call` in which it runs has it as a field, and so do the
/// hooks, the failure and the log.
///
/// ```
/// use std::time::Duration;
///
/// use breakfall::redact::Audience;
/// use breakfall::server::Guard;
/// use breakfall::wire::{Dialect, Options};
///
/// # struct Shop;
/// # impl rmcp::ServerHandler for Shop {}
/// let server = Guard::new(Shop)
///     .dialect(Dialect::McpError)
///     .options(Options::new().strict(true))
///     .audience(Audience::Client)
///     .deadline(Duration::from_secs(30))
///     .on_fault(|event| eprintln!("{:?}: {}", event.tool, event.report()))
///     .on_cancel(|call| eprintln!("{} was cancelled", call.tool));
/// ```
#[derive(Clone)]
#[must_use = "a guard does nothing until it is served"]
pub struct Guard<H> {
    pub(super) handler: H,
    pub(super) settings: Arc<GuardSettings>,
    pub(super) tools: Arc<ToolCatalog>,
}

impl<H> Guard<H> {
    /// A guard that speaks the native dialect.
    pub fn new(handler: H) -> Self {
        Self {
            handler,
            settings: Arc::default(),
            tools: Arc::default(),
        }
    }

    /// The wire format of failures. Successes of handlers stay as they are; those that carry warnings are written
    /// in it too, except in `problem`, which has no way to say them.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.set().dialect = dialect;
        self
    }

    /// How to speak the dialect: to the letter, in which format, with ids and times from where, knowing which codes
    /// of your own. Whether `structuredContent` is filled is not among them: the guard knows where it may be.
    pub fn options(mut self, options: Options) -> Self {
        self.set().options = options;
        self
    }

    /// The audience of the failures: what it must not see is taken out. The caller is the default; values out of
    /// their own arguments are left to them.
    pub fn audience(mut self, audience: Audience) -> Self {
        self.set().audience = audience;
        self
    }

    /// By which rules an error that was written by hand is classified. A classifier that
    /// [unmasks](Classifier::unmask) also looks at successes: a handler that writes "Error: …" into one has failed.
    ///
    /// ```
    /// use breakfall::classify::Classifier;
    /// use breakfall::server::Guard;
    ///
    /// # struct Shop;
    /// # impl rmcp::ServerHandler for Shop {}
    /// let server = Guard::new(Shop).classifier(Classifier::new().unmask(true));
    /// ```
    pub fn classifier(mut self, classifier: Classifier) -> Self {
        self.set().classifier = classifier;
        self
    }

    /// The language of failures and warnings, if the callers do not read English.
    ///
    /// ```
    /// use breakfall::locale::Language;
    /// use breakfall::server::Guard;
    ///
    /// # struct Shop;
    /// # impl rmcp::ServerHandler for Shop {}
    /// let server = Guard::new(Shop).language(Language::German);
    /// ```
    #[cfg(feature = "locale")]
    pub fn language(mut self, language: impl Into<Translator>) -> Self {
        self.set().language = Some(language.into());
        self
    }

    /// The language of each request, where callers differ: from a header, from `_meta`, or from wherever they say it.
    /// `None` stands for the [language of all](Self::language). It is asked for requests of every method, before the handler
    /// is.
    ///
    /// ```
    /// use breakfall::locale::Language;
    /// use breakfall::server::Guard;
    ///
    /// # struct Shop;
    /// # impl rmcp::ServerHandler for Shop {}
    /// let server = Guard::new(Shop).language_of(|context| {
    ///     let ranges = context.meta.get("example.com/language")?.as_str()?;
    ///     Language::negotiate(ranges).map(Into::into)
    /// });
    /// ```
    #[cfg(feature = "locale")]
    pub fn language_of(
        mut self,
        choose: impl Fn(&RequestContext<RoleServer>) -> Option<Translator> + Send + Sync + 'static,
    ) -> Self {
        self.set().language_of = Some(Arc::new(choose));
        self
    }

    /// What to do with arguments that break the input schema of their tool. By default the schema is not looked at.
    ///
    /// ```
    /// use breakfall::server::{ArgumentCheck, Guard};
    ///
    /// # struct Shop;
    /// # impl rmcp::ServerHandler for Shop {}
    /// let server = Guard::new(Shop).validate(ArgumentCheck::Reject);
    /// ```
    #[cfg(feature = "validate")]
    pub fn validate(mut self, check: ArgumentCheck) -> Self {
        self.set().check = check;
        self
    }

    /// The longest a tool may take. What it was doing is dropped then, at the `await` it was waiting in. Needs a
    /// runtime with timers.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.set().deadline = Some(deadline);
        self
    }

    /// Is told of every failure, with its private half, before the caller is: the place to log.
    pub fn on_fault(mut self, hook: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.set().on_fault = Some(Arc::new(hook));
        self
    }

    /// Is told of every call of a tool once it is answered, however it ended: the place to audit and to count.
    ///
    /// ```
    /// use breakfall::server::Guard;
    ///
    /// # struct Shop;
    /// # impl rmcp::ServerHandler for Shop {}
    /// let server = Guard::new(Shop)
    ///     .on_call(|call| eprintln!("{}: {} in {:?}", call.tool, call.outcome.kind(), call.duration));
    /// ```
    pub fn on_call(mut self, hook: impl Fn(&Called<'_>) + Send + Sync + 'static) -> Self {
        self.set().on_call = Some(Arc::new(hook));
        self
    }

    /// Is told of every call of a tool that ended after its caller had cancelled it. A handler that wants to end
    /// sooner watches the token of its `RequestContext`.
    pub fn on_cancel(mut self, hook: impl Fn(&Cancelled<'_>) + Send + Sync + 'static) -> Self {
        self.set().on_cancel = Some(Arc::new(hook));
        self
    }

    /// The handler inside.
    pub fn handler(&self) -> &H {
        &self.handler
    }

    /// Who sent this, and in which language they want to be answered.
    pub(super) fn caller(
        &self,
        sent: Value,
        #[cfg_attr(
            not(feature = "locale"),
            expect(unused_variables, reason = "the language is asked for there")
        )]
        context: &RequestContext<RoleServer>,
    ) -> CallerView {
        #[cfg_attr(
            not(feature = "locale"),
            expect(unused_mut, reason = "only the language may be another")
        )]
        let mut caller = self.settings.caller(sent);
        #[cfg(feature = "locale")]
        if let Some(language_of) = &self.settings.language_of
            && let Some(own) = super::run::contained(|| language_of(context)).flatten()
        {
            caller.translator = Some(own);
        }
        caller
    }

    fn set(&mut self) -> &mut GuardSettings {
        Arc::make_mut(&mut self.settings)
    }
}

impl<H> fmt::Debug for Guard<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

//! The encoder of faults: a fault and the options of a reply become the JSON-RPC error a client reads.
//!
//! | function | result |
//! |---|---|
//! | [`stamped`] | the fault with a correlation id and a time |
//! | [`ReplyOptions::finished`] | stamped, and in the client's language |
//! | [`ReplyOptions::rpc_error`] | the error object in the listener's dialect |
//! | [`ReplyOptions::protocol_error`] | the same with a code and data of MCP |
//! | [`rpc_message`] | the whole message |
//! | `rpc_reply` | all of it, with a line in the log |

use std::sync::LazyLock;

use breakfall::locale::Language;
use breakfall::redact::{Audience, KnownValues, Redacted, Redactor};
use breakfall::wire::{Dialect, Format, Options, Rpc, encode, native, rpc_error_as};
use breakfall::{Fault, Outcome, Stamp};
use memchr::memmem;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::jsonrpc::Id;
use crate::jsonrpc::splice::Object;
use crate::protocol::meta::{DIALECT, FORMAT, LOCALE, STRICT};

/// How a client is answered: the operator's settings first, then the wishes of the request.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[must_use]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about one request"
)]
pub struct ReplyOptions {
    /// The dialect of failures.
    pub dialect: Dialect,
    /// Which blocks `tool-error` writes.
    pub format: Format,
    /// The dialect to the letter, without the native object beside it.
    pub strict: bool,
    /// The caller's language, if it is not English.
    pub language: Option<Language>,
    /// The most bytes of a server's text that are passed on.
    pub text_limit: usize,
    /// What is taken out of failures: everything but for the operator's own.
    pub audience: Audience,
    /// What the client knows besides the arguments of its calls.
    pub known: KnownValues,
    /// Whether the tool declares an output schema; `None` if the tool is unknown.
    pub has_output_schema: Option<bool>,
    /// The server's own `structuredContent` breaks that schema. Many clients validate failures too and drop the whole
    /// result, so the content moves to `_meta`.
    pub is_misfit: bool,
    /// The client speaks the protocol of 2026-07-28 or later.
    pub is_modern: bool,
    /// The caller asks for a task, and cannot read the result of a tool.
    pub is_task: bool,
    /// The source of correlation ids and times.
    pub stamp: Stamp,
}

impl Default for ReplyOptions {
    fn default() -> Self {
        Self {
            dialect: Dialect::Native,
            format: Format::default(),
            strict: false,
            language: None,
            text_limit: Self::TEXT_LIMIT,
            audience: Audience::Client,
            known: KnownValues::new(),
            has_output_schema: None,
            is_misfit: false,
            is_modern: false,
            is_task: false,
            stamp: Stamp::System,
        }
    }
}

impl ReplyOptions {
    /// The default of [`Self::text_limit`].
    pub const TEXT_LIMIT: usize = 64 << 10;

    /// Sets the dialect.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets the blocks.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Sets whether the dialect is held to the letter.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Chooses the first supported language of a list as in `Accept-Language`. An unsupported list changes nothing.
    ///
    /// ```
    /// use breakfall_mcp::error::ReplyOptions;
    ///
    /// assert!(ReplyOptions::default().locale("tlh, de;q=0.8").language.is_some());
    /// assert!(ReplyOptions::default().locale("tlh").language.is_none());
    /// ```
    pub fn locale(self, ranges: &str) -> Self {
        match Language::negotiate(ranges) {
            Some(language) => self.language(language),
            None => self,
        }
    }

    /// Sets the language.
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language).filter(|language| *language != Language::English);
        self
    }

    /// Sets whether the tool declares an output schema.
    pub fn output_schema(mut self, has: Option<bool>) -> Self {
        self.has_output_schema = has;
        self
    }

    /// Applies what a request asks for in the `_meta` of its parameters. Unknown wishes are ignored.
    ///
    /// ```
    /// use breakfall::wire::Dialect;
    /// use breakfall_mcp::error::ReplyOptions;
    ///
    /// let params = r#"{"name":"buy","_meta":{"dev.breakfall/dialect":"mcp-error"}}"#;
    /// assert_eq!(ReplyOptions::default().asked(params).dialect, Dialect::McpError);
    /// ```
    pub fn asked(mut self, params: &str) -> Self {
        // Few requests ask, and a search for the words is much cheaper than parsing.
        if memmem::find(params.as_bytes(), b"dev.breakfall").is_none() {
            return self;
        }
        let meta = Object::of(params, &["_meta"]).and_then(|params| params.get("_meta"));
        let keys = &[DIALECT, FORMAT, LOCALE, STRICT];
        let Some(meta) = meta.and_then(|meta| Object::of(meta, keys)) else {
            return self;
        };
        let word = |key| meta.text(key);
        if let Some(dialect) = word(DIALECT).and_then(|word| Dialect::from_name(&word)) {
            self.dialect = dialect;
        }
        if let Some(format) = word(FORMAT).and_then(|word| Format::from_word(&word)) {
            self.format = format;
        }
        match meta.get(STRICT) {
            Some("true") => self.strict = true,
            Some("false") => self.strict = false,
            Some(_) | None => {}
        }
        match word(LOCALE) {
            Some(ranges) => self.locale(&ranges),
            None => self,
        }
    }

    /// Whether a failure of the gateway may fill `structuredContent`: only where no schema for successes exists to check it
    /// against. Two dialects demand it to the letter.
    pub fn may_be_structured(&self) -> bool {
        let demanded =
            self.strict && matches!(self.dialect, Dialect::ToolError | Dialect::ErrorModel);
        demanded || self.has_output_schema == Some(false)
    }

    /// The redactor of what this client reads.
    pub fn redactor(&self) -> Redactor {
        Redactor::new(self.audience).knowing(&self.known)
    }

    /// The options of the library's encoders.
    pub fn wire(&self) -> Options {
        Options::new()
            .strict(self.strict)
            .format(self.format)
            .stamp(self.stamp.clone())
            .structured(self.may_be_structured())
    }

    /// Stamps a redacted fault and puts it into the client's language.
    pub fn finished(&self, fault: Redacted<Fault>) -> Redacted<Fault> {
        let fault = fault.stamped(&self.stamp);
        match self.language {
            Some(language) => fault.in_language(language),
            None => fault,
        }
    }

    /// A fault as a JSON-RPC error, of a given code or of that of its catalogue row. The fault is [finished].
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::redact::Redactor;
    /// use breakfall::wire::Dialect;
    /// use breakfall_mcp::error::ReplyOptions;
    ///
    /// let options = ReplyOptions::default().dialect(Dialect::McpAql);
    /// let fault = options.finished(Redactor::client().fault(Fault::missing_param("uri")));
    /// let error = options.rpc_error(fault, None);
    /// assert_eq!(error["code"], -32602);
    /// assert_eq!(error["data"]["error"]["code"], "VALIDATION_MISSING_PARAM");
    /// assert_eq!(error["data"]["dev.breakfall/error"]["code"], "VALIDATION_MISSING_PARAM");
    /// ```
    ///
    /// [finished]: Self::finished
    pub fn rpc_error(&self, fault: Redacted<Fault>, rpc: Option<Rpc>) -> Value {
        let rpc = rpc.unwrap_or_else(|| Rpc::of(&fault.public()));
        self.numbered_error(fault, rpc, rpc.number())
    }

    /// A fault as a JSON-RPC error with a code of MCP, and the members of `data` that the protocol requires with it.
    pub fn protocol_error(
        &self,
        fault: Redacted<Fault>,
        code: i32,
        data: &Map<String, Value>,
    ) -> Value {
        let mut error = self.numbered_error(fault, Rpc::InvalidRequest, code);
        match error.get_mut("data") {
            Some(Value::Object(all)) => all.extend(data.clone()),
            _ if data.is_empty() => {}
            _ => error["data"] = data.clone().into(),
        }
        error
    }

    fn numbered_error(&self, fault: Redacted<Fault>, rpc: Rpc, code: i32) -> Value {
        let public = fault.public();
        let mut error = rpc_error_as(rpc, public, self.dialect, &self.wire()).to_value();
        error["code"] = code.into();
        let is_plain = self.strict || native::is_acted_on(code.into());
        if let (false, Value::String(words)) = (is_plain, &error["message"]) {
            error["message"] = native::rpc_message(words, public, &Options::new()).into();
        }
        // To the letter, error-model has its own form of JSON-RPC errors.
        let is_encoded =
            self.dialect == Dialect::Native || (self.strict && self.dialect == Dialect::ErrorModel);
        if !is_encoded {
            let native = error["data"].take();
            error["data"] = self.data(fault, native);
        }
        error
    }

    /// The data of a JSON-RPC error: the document of the dialect, with the native object beside it unless the dialect is held
    /// to the letter.
    fn data(&self, fault: Redacted<Fault>, native: Value) -> Value {
        let outcome = Redacted::<Outcome>::from(fault);
        let document = encode(outcome.as_ref(), self.dialect, &self.wire());
        let mut data = document.expect("every dialect writes a failure").to_value();
        if self.dialect == Dialect::ToolError {
            // The document is a whole tool result.
            data = data["structuredContent"].take();
        }
        if let (false, Value::Object(data)) = (self.strict, &mut data) {
            data.insert(native::ERROR_KEY.to_owned(), native);
        }
        data
    }
}

/// Gives a fault an id and a time, if it lacks them. The id of a server is kept unless it looks like a credential: ids stand in
/// logs and records.
///
/// ```
/// use breakfall::{Fault, Stamp};
/// use breakfall_mcp::error::stamped;
///
/// let fault = stamped(Fault::internal(), &Stamp::System);
/// assert!(fault.public().correlation_id().is_some() && fault.public().timestamp().is_some());
/// ```
pub fn stamped(fault: Fault, stamp: &Stamp) -> Fault {
    let public = fault.public();
    let is_id = |id: &str| OPERATOR_REDACTOR.text(id) == id;
    let has_id = public.correlation_id().is_some_and(|id| is_id(id.as_str()));
    let has_time = public.timestamp().is_some();
    if has_id && has_time {
        return fault;
    }
    let (id, now) = stamp.take();
    let fault = if has_id {
        fault
    } else {
        fault.correlation_id(id)
    };
    if has_time { fault } else { fault.at(now) }
}

/// A JSON-RPC message with an error. Without an id it says `null`, as JSON-RPC does.
pub fn rpc_message(id: Option<&Id>, error: &Value) -> Vec<u8> {
    let id = id.map_or("null", Id::as_json);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes()
}

/// The answer to a request that failed, and its JSON-RPC code. A fault without a correlation id gets one, and a line in the log.
pub(crate) fn rpc_reply(
    id: Option<&Id>,
    fault: &Fault,
    rpc: Option<Rpc>,
    options: &ReplyOptions,
) -> (Vec<u8>, i64) {
    let shown = options.finished(options.redactor().shown(fault));
    if let (None, Some(id)) = (
        fault.public().correlation_id(),
        shown.public().correlation_id(),
    ) {
        tracing::info!(correlation_id = %id, "{}", REDACTOR.report(fault));
    }
    let error = options.rpc_error(shown, rpc);
    let code = error["code"].as_i64().expect("an encoded error has a code");
    (rpc_message(id, &error), code)
}

/// The code of a JSON-RPC error.
pub(crate) fn code_in(error: &str) -> Option<i64> {
    #[derive(Deserialize)]
    struct ErrorCode {
        code: i64,
    }
    let error: ErrorCode = serde_json::from_str(error).ok()?;
    Some(error.code)
}

/// Redacts for clients, and for the log.
pub static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::client);

/// Redacts for the operator: credentials only.
pub static OPERATOR_REDACTOR: LazyLock<Redactor> =
    LazyLock::new(|| Redactor::new(Audience::Operator));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_data_name_the_same_id() {
        for fault in [
            Fault::internal(),
            Fault::invalid("no"),
            Fault::unavailable("shop"),
        ] {
            for rpc in [None, Some(Rpc::ParseError)] {
                let (bytes, _) = rpc_reply(None, &fault, rpc, &ReplyOptions::default());
                let error: Value = serde_json::from_slice(&bytes).expect("JSON");
                let error = &error["error"];
                let id = error["data"]["correlation_id"].as_str().expect("an id");
                let words = error["message"].as_str().expect("words");
                assert!(words.ends_with(&format!("Reference: {id}")), "{error}");
            }
        }
    }
}

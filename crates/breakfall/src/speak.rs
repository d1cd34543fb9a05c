//! Faults, warnings and outcomes in the caller's language.

use std::borrow::Cow;

use crate::fault::{Fault, Public};
use crate::locale::Translator;
use crate::outcome::{Batch, ItemResult, Outcome, Verdict};
use crate::phrase::Phrase;
use crate::warning::Warning;

impl Fault {
    /// Says the row's texts in a language: a [`Language`](crate::locale::Language), or one of a server's
    /// [`Languages`](crate::locale::Languages). Texts the server set itself stay as they are.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::locale::Language;
    ///
    /// let fault = Fault::not_found("user", "usr_999").in_language(Language::German);
    /// assert_eq!(fault.public().message(), "user 'usr_999' nicht gefunden");
    /// assert_eq!(fault.code().name(), "NOT_FOUND_RESOURCE");
    /// ```
    pub fn in_language(mut self, language: impl Into<Translator>) -> Self {
        speak(self.public_mut(), &language.into());
        self
    }
}

impl Warning {
    /// Says the row's words in a language. Words the server set itself stay as they are.
    ///
    /// ```
    /// use breakfall::Warning;
    /// use breakfall::catalog::warning;
    /// use breakfall::locale::Language;
    ///
    /// let warning = Warning::new(warning::DEPRECATED_FIELD).context("field", "zip");
    /// let warning = warning.in_language(Language::Spanish);
    /// assert_eq!(warning.text(), "El campo 'zip' está obsoleto");
    /// ```
    pub fn in_language(mut self, language: impl Into<Translator>) -> Self {
        self.translator = Some(language.into()).filter(Translator::is_needed);
        self
    }
}

impl Outcome {
    /// Translates every built-in text into a language: faults, warnings, and the sentence on a batch. Data stays as it is, and
    /// so does a question, which the server asks in its own words.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::locale::Language;
    /// use breakfall::redact::Redactor;
    /// use breakfall::wire::{Dialect, Options, encode};
    ///
    /// let outcome = Redactor::client().outcome(Fault::missing_param("owner"));
    /// let outcome = outcome.in_language(Language::Japanese);
    /// let document = encode(outcome.as_ref(), Dialect::McpAql, &Options::new())?.to_value();
    /// assert_eq!(document["error"]["code"], "VALIDATION_MISSING_PARAM");
    /// assert_eq!(document["error"]["message"], "必須パラメーター'owner'がありません");
    /// # Ok::<(), breakfall::wire::EncodeError>(())
    /// ```
    pub fn in_language(self, language: impl Into<Translator>) -> Self {
        let translator = language.into();
        match self {
            Self::Fault(fault) => Self::Fault(fault.in_language(translator)),
            Self::Success(mut success) => {
                translate(&mut success.warnings, &translator);
                Self::Success(success)
            }
            Self::Batch(mut batch) => {
                speak_batch(&mut batch, &translator);
                Self::Batch(batch)
            }
            Self::NeedsInput(question) => Self::NeedsInput(question),
        }
    }
}

impl Translator {
    /// The message of an error that was read, as a client may show it: the text under the language and the code if
    /// the details fill it, and otherwise the message that came with it.
    ///
    /// ```
    /// use breakfall::locale::{Language, Translator};
    /// use breakfall::wire::{Dialect, Options, decode};
    ///
    /// let document = serde_json::json!({"success": false, "error": {
    ///     "code": "VALIDATION_MISSING_PARAM",
    ///     "message": "Missing required parameter 'owner'",
    ///     "details": {"param_name": "owner"},
    /// }});
    /// let outcome = decode(document, Dialect::McpAql, &Options::new())?;
    /// let error = outcome.fault().expect("it failed").public();
    /// let spanish = Translator::from(Language::Spanish);
    /// assert_eq!(spanish.message(error), "Falta el parámetro requerido 'owner'");
    /// # Ok::<(), breakfall::wire::DecodeError>(())
    /// ```
    pub fn message<'a>(&'a self, error: &'a Public) -> Cow<'a, str> {
        // A name beside the code means that the code is not the one it came with.
        let known = error.domain_code().is_none();
        let text = known.then(|| self.message_text(error.code(), error.details()));
        text.flatten().unwrap_or_else(|| error.message())
    }
}

fn speak(public: &mut Public, translator: &Translator) {
    let before = public.message().into_owned();
    public.translator = Some(translator.clone()).filter(Translator::is_needed);
    public.say_again(&|saying| translator.say(saying));
    let after: Box<str> = public.message().into();
    // A question made of the message follows it.
    if let Some(question) = &mut public.elicitation {
        if question.is_as_made() {
            question.say_again(&after, &|saying| translator.say(saying));
            return;
        }
        if *question.message == *before {
            question.message.clone_from(&after);
        }
        if question.reason.as_deref() == Some(before.as_str()) {
            question.reason = Some(after);
        }
    }
}

fn translate(warnings: &mut [Warning], translator: &Translator) {
    for warning in warnings {
        warning.translator = Some(translator.clone()).filter(Translator::is_needed);
    }
}

fn speak_batch(batch: &mut Batch, translator: &Translator) {
    translate(&mut batch.warnings, translator);
    for item in &mut batch.items {
        match &mut item.result {
            ItemResult::Done(_) => {}
            ItemResult::Failed(fault) | ItemResult::Pending(fault) => {
                speak(fault.public_mut(), translator);
            }
        }
    }
    if batch.message.is_none() {
        batch.message = sentence(batch, translator);
    }
}

/// The sentence on a batch, unless that is English, which the batch says itself.
fn sentence(batch: &Batch, translator: &Translator) -> Option<Box<str>> {
    let tally = batch.tally();
    let phrase = match batch.verdict() {
        Verdict::Partial => Phrase::BATCH_PARTIAL,
        Verdict::Failed => Phrase::BATCH_FAILED,
        Verdict::Complete if tally.pending > 0 => Phrase::BATCH_WAITS,
        Verdict::Complete => Phrase::BATCH_DONE,
    };
    let counts = [
        ("failed", tally.failed),
        ("total", tally.total),
        ("succeeded", tally.succeeded),
    ];
    translator.counted(phrase, &counts).map(Into::into)
}

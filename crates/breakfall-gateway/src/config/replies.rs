//! How failures are recognised, and how callers are told.

use breakfall::locale::Language;
use breakfall::redact::Audience;
use breakfall::wire::{Dialect, Format};

use super::codes::{OwnCodes, classifier, own_codes};
use super::kinds::{defaulting, flag};
use super::numbers::size;
use super::setting::Visitor;
use super::tools::ToolSettings;
use super::word::{word, word_of, words};
use crate::classify::{HiddenFailures, Rules};
use crate::reply::ReplyOptions;

/// How the failures of a server are recognised, and how its callers are told.
///
/// ```
/// use breakfall::wire::Dialect;
/// use breakfall_gateway::config::Config;
///
/// let config = Config::parse("dialect: mcp-error\nupstreams: { shop: { demo: true } }", "my.yaml")?;
/// let shop = &config.upstreams[0];
/// assert_eq!(shop.replies.options_for(&shop.tools.policy("buy")).dialect, Dialect::McpError);
/// # Ok::<(), breakfall_gateway::config::ConfigError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReplySettings {
    /// The format of failures.
    pub dialect: Dialect,
    /// Which blocks `tool-error` writes.
    pub format: Format,
    /// The format to the letter, without additions of the gateway beside it.
    pub strict: bool,
    /// The language of callers who ask for none.
    pub locale: Language,
    /// The most bytes of a server's error text that are passed on.
    pub error_text_limit: usize,
    /// Whether callers may choose the format by an argument.
    pub format_argument: bool,
    /// What is done about results that claim success and look failed.
    pub hidden_failures: HiddenFailures,
    /// What is taken out of failures.
    pub redaction: Redaction,
    /// The rules by which failures are recognised.
    pub rules: Rules,
}

impl Default for ReplySettings {
    fn default() -> Self {
        Self {
            dialect: Dialect::Native,
            format: Format::default(),
            strict: false,
            locale: Language::English,
            error_text_limit: ReplyOptions::TEXT_LIMIT,
            format_argument: false,
            hidden_failures: HiddenFailures::default(),
            redaction: Redaction::Full,
            rules: Rules::new(),
        }
    }
}

impl ReplySettings {
    /// How requests are answered that are about no tool.
    pub(crate) fn for_listener(&self) -> ReplyOptions {
        self.options_for(&ToolSettings::default())
    }

    /// How callers of one tool are told.
    pub fn options_for(&self, tool: &ToolSettings) -> ReplyOptions {
        let mut options = ReplyOptions::default()
            .dialect(tool.dialect.unwrap_or(self.dialect))
            .format(tool.format.unwrap_or(self.format))
            .strict(tool.strict.unwrap_or(self.strict))
            .language(self.locale);
        options.text_limit = self.error_text_limit;
        options.audience = self.redaction.audience();
        options
    }
}

/// The settings for all servers.
pub(super) fn settings(replies: &mut ReplySettings, visitor: &mut impl Visitor) {
    let text = "The wire format of errors.";
    visitor.setting("dialect", text, &mut replies.dialect, word());
    let text = "Which blocks `tool-error` writes: words, the object, or both.";
    visitor.setting("format", text, &mut replies.format, word());
    let text = "Whether a wire format is held to the letter of its own document, without additions of the gateway beside it.";
    visitor.setting("strict", text, &mut replies.strict, flag());
    let text = "The language of errors for callers who ask for none.";
    visitor.setting("locale", text, &mut replies.locale, word());
    let text =
        "How much of a server's own error text is passed on. A longer one is cut, and says so.";
    let limit = size((1 << 10)..=(16 << 20));
    visitor.setting(
        "error_text_limit",
        text,
        &mut replies.error_text_limit,
        limit,
    );
    let text = "What is done about results that the server calls a success and that look failed. `certain`: a failure where the structure says so, such as `\"success\": false`; `warn`: the same, and a warning where only the text reads like one; `likely`: a failure in both cases; `off`: nothing.";
    let hidden = &mut replies.hidden_failures;
    visitor.setting("hidden_failures", text, hidden, word());
    let text = "Codes of your own, by name: upper-case words joined by underscores.";
    let mut codes = OwnCodes::default();
    visitor.setting("codes", text, &mut codes, own_codes());
    let text = "Rules by which failures are recognised in words, by name: your own, which come first, and `off` for a rule that is built in.";
    let mut rules = breakfall::classify::Classifier::new();
    visitor.setting("classify", text, &mut rules, classifier(&codes));
    visitor.check(|_| replies.rules = Rules::of(rules, codes.catalog));
}

/// The settings of one server, which start from those for all.
pub(super) fn upstream_settings(replies: &mut ReplySettings, visitor: &mut impl Visitor) {
    let text = "The wire format of the server's errors, in place of that for all.";
    visitor.setting(
        "dialect",
        text,
        &mut replies.dialect,
        defaulting(word(), None),
    );
    let text = "Which blocks `tool-error` writes, in place of those for all.";
    visitor.setting(
        "format",
        text,
        &mut replies.format,
        defaulting(word(), None),
    );
    let text = "Whether the wire format is held to the letter, in place of what holds for all.";
    visitor.setting(
        "strict",
        text,
        &mut replies.strict,
        defaulting(flag(), None),
    );
    let text = "What is done about results that the server calls a success and that look failed, in place of what holds for all.";
    visitor.setting(
        "hidden_failures",
        text,
        &mut replies.hidden_failures,
        defaulting(word(), None),
    );
    let text = "What is taken out of failures and warnings before callers read them. `full`: secrets, personal data and what shows the inside of the server; `secrets`: credentials, card numbers and national ids only; `off`: nothing.";
    visitor.setting("redact", text, &mut replies.redaction, word());
    let text = "Whether callers may choose the blocks of an error by an argument `format`: then every tool that has no such argument of its own lists it, and the server does not get it.";
    visitor.setting(
        "format_argument",
        text,
        &mut replies.format_argument,
        flag(),
    );
}

words! {
    /// What is taken out of failures before callers read them.
    Redaction: "kinds of redaction" {
        /// Secrets, personal data, and what shows the inside of the server.
        Full = "full",
        /// Credentials, card numbers and national ids.
        Secrets = "secrets",
        /// Nothing.
        Off = "off",
    }
}

impl Redaction {
    /// The audience of the redactor.
    pub const fn audience(self) -> Audience {
        match self {
            Self::Full => Audience::Client,
            Self::Secrets => Audience::Operator,
            Self::Off => Audience::Unredacted,
        }
    }
}

word_of!(HiddenFailures, "settings for hidden failures");
word_of!(Dialect, "dialects");
word_of!(Format, "formats");
word_of!(Language, "languages");

//! How failures are recognised, and how callers are told.

use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format};

use super::codes::{OwnCodes, classifier, own_codes};
use super::kinds::{defaulting, flag, size, word, word_of};
use super::setting::Visitor;
use super::tools::ToolSettings;
use crate::classify::Rules;
use crate::reply::ReplyOptions;

/// How the failures of a server are recognised, and how its callers are told.
///
/// ```
/// use breakfall::wire::Dialect;
/// use breakfall_gateway::config::Config;
///
/// let config = Config::parse("dialect: mcp-error\nupstreams: { shop: { demo: true } }", "my.yaml")?;
/// let shop = &config.upstreams[0];
/// assert_eq!(shop.replies.manner(&shop.tools.policy("buy")).dialect, Dialect::McpError);
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
            rules: Rules::new(),
        }
    }
}

impl ReplySettings {
    /// How callers of one tool are told.
    pub fn manner(&self, tool: &ToolSettings) -> ReplyOptions {
        let mut options = ReplyOptions::default()
            .dialect(tool.dialect.unwrap_or(self.dialect))
            .format(tool.format.unwrap_or(self.format))
            .strict(tool.strict.unwrap_or(self.strict))
            .language(self.locale);
        options.text_limit = self.error_text_limit;
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
    let text = "Whether failures that call themselves successes are told as what they are.";
    let mut unmask = replies.rules.unmasks();
    visitor.setting("unmask", text, &mut unmask, flag());
    let text = "Codes of your own, by name: upper-case words joined by underscores.";
    let mut codes = OwnCodes::default();
    visitor.setting("codes", text, &mut codes, own_codes());
    let text = "Rules by which failures are recognised in words, by name: your own, which come first, and `off` for a rule that is built in.";
    let mut rules = breakfall::classify::Classifier::new();
    visitor.setting("classify", text, &mut rules, classifier(&codes));
    visitor.check(|_| replies.rules = Rules::of(rules.unmask(unmask), codes.catalog));
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
    let text = "Whether failures that call themselves successes are told as what they are, in place of what holds for all.";
    let mut unmask = replies.rules.unmasks();
    visitor.setting("unmask", text, &mut unmask, defaulting(flag(), None));
    let text = "Whether callers may choose the blocks of an error by an argument `format`: then every tool that has no such argument of its own lists it, and the server does not get it.";
    visitor.setting(
        "format_argument",
        text,
        &mut replies.format_argument,
        flag(),
    );
    visitor.check(|_| replies.rules = replies.rules.clone().unmask(unmask));
}

word_of!(Dialect, "dialects");
word_of!(Format, "formats");
word_of!(Language, "languages");

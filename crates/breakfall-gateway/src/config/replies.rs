//! How failures are recognised and told.

use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format};

use super::policy::Policy;
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
/// # Ok::<(), breakfall_gateway::config::Problems>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Replies {
    /// The format of failures.
    pub dialect: Dialect,
    /// Which blocks `tool-error` writes.
    pub format: Format,
    /// The format to the letter, without anything of ours beside it.
    pub strict: bool,
    /// The language of callers who ask for none.
    pub locale: Language,
    /// The most bytes of a server's error text that are passed on.
    pub error_text_limit: usize,
    /// Whether callers may choose the format by an argument.
    pub format_argument: bool,
    /// By which rules failures are recognised.
    pub rules: Rules,
}

impl Default for Replies {
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

impl Replies {
    /// How callers of one tool are told.
    pub fn manner(&self, policy: &Policy) -> ReplyOptions {
        let mut manner = ReplyOptions::default()
            .dialect(policy.dialect.unwrap_or(self.dialect))
            .format(policy.format.unwrap_or(self.format))
            .strict(policy.strict.unwrap_or(self.strict))
            .language(self.locale);
        manner.text_limit = self.error_text_limit;
        manner
    }
}

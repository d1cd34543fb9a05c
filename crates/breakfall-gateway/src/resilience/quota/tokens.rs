//! The tokens of a call: counted by the server, or estimated.

use breakfall::Warning;
use breakfall::catalog::warning::TOKEN_COUNT_ESTIMATE_USED;
use serde_json::Value;

/// The tokens of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct TokenUsage {
    /// Those of the arguments.
    pub input: u64,
    /// Those of the result.
    pub output: u64,
    /// Whether the server did not count them.
    pub is_estimated: bool,
}

impl TokenUsage {
    /// What the server has counted, if it has: `usage` in `_meta` of its result, in the names that model providers use.
    ///
    /// ```
    /// use breakfall_gateway::resilience::quota::TokenUsage;
    ///
    /// let meta = serde_json::json!({"usage": {"input_tokens": 7, "outputTokens": 2}});
    /// let usage = TokenUsage::counted(&meta).expect("it is counted");
    /// assert_eq!((usage.input, usage.output, usage.is_estimated), (7, 2, false));
    /// ```
    pub fn counted(meta: &Value) -> Option<Self> {
        let usage = meta.get("usage")?;
        let count = |names: &[&str]| names.iter().find_map(|name| usage.get(name)?.as_u64());
        let (input, output) = (count(&INPUT), count(&OUTPUT));
        if input.is_none() && output.is_none() {
            let total = count(&TOTAL)?;
            return Some(Self {
                input: 0,
                output: total,
                is_estimated: false,
            });
        }
        Some(Self {
            input: input.unwrap_or_default(),
            output: output.unwrap_or_default(),
            is_estimated: false,
        })
    }

    /// An estimate: four bytes are a token.
    pub fn estimated(arguments: &str, result: &str) -> Self {
        let tokens = |text: &str| (text.len() as u64).div_ceil(BYTES_OF_A_TOKEN);
        Self {
            input: tokens(arguments),
            output: tokens(result),
            is_estimated: true,
        }
    }

    /// All of them.
    pub const fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// The warning on a success whose tokens are estimated.
    pub fn warning(&self) -> Option<Warning> {
        let warning = Warning::new(TOKEN_COUNT_ESTIMATE_USED);
        self.is_estimated
            .then(|| warning.context("estimation_method", "character_ratio"))
    }
}

const BYTES_OF_A_TOKEN: u64 = 4;

const INPUT: [&str; 4] = [
    "input_tokens",
    "inputTokens",
    "prompt_tokens",
    "promptTokens",
];
const OUTPUT: [&str; 4] = [
    "output_tokens",
    "outputTokens",
    "completion_tokens",
    "completionTokens",
];
const TOTAL: [&str; 2] = ["total_tokens", "totalTokens"];

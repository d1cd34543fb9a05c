//! Batches of texts that were written apart from the rules, `crates/testing/corpus/unseen-*.jsonl`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Malformed;

/// A text of a failing system, with what must not get through.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct UnseenText {
    /// The system that it imitates.
    #[serde(alias = "kind")]
    pub family: String,
    /// What the system says.
    pub text: String,
    /// What must be gone.
    #[serde(default)]
    pub secrets: Vec<UnseenSecret>,
    /// What a reader still needs.
    #[serde(default)]
    pub keep: Vec<String>,
}

/// A secret of such a text, with its kind where its batch names kinds.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "a batch names kinds, or does not")]
pub enum UnseenSecret {
    /// The value alone.
    Value(String),
    /// `credential`, `host`, `path`, `sql`, `trace` or `person`, and the value.
    OfKind {
        /// The kind.
        kind: String,
        /// The value.
        value: String,
    },
}

impl UnseenSecret {
    /// What must be gone.
    pub fn value(&self) -> &str {
        match self {
            Self::Value(value) | Self::OfKind { value, .. } => value,
        }
    }

    /// The kind, if its batch names kinds.
    pub fn kind(&self) -> &str {
        match self {
            Self::Value(_) => "not named",
            Self::OfKind { kind, .. } => kind,
        }
    }
}

/// What was left of a batch behind a redactor.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct UnseenResult {
    /// How many texts there are.
    pub texts: usize,
    /// The texts that still held a secret.
    pub leaking: Vec<String>,
    /// How many texts still held a credential.
    pub credentials: usize,
    /// By kind: how many secrets were left, and how many there are.
    pub kinds: BTreeMap<String, (usize, usize)>,
}

/// Reads a batch: one text in each line.
///
/// # Errors
/// When a line is not a text, or a text does not hold its secret.
pub fn unseen(lines: &str) -> Result<Vec<UnseenText>, Malformed> {
    let read = |(number, line)| {
        let text: UnseenText = serde_json::from_str(line)
            .map_err(|error| Malformed(format!("line {}: {error}", number + 1)))?;
        let missing = text
            .secrets
            .iter()
            .find(|secret| !text.text.contains(secret.value()));
        match missing {
            Some(secret) => Err(Malformed(format!(
                "line {} does not contain its secret '{}'",
                number + 1,
                secret.value()
            ))),
            None => Ok(text),
        }
    };
    lines.lines().enumerate().map(read).collect()
}

/// Redacts a batch, and counts what is left.
pub fn measure(batch: &[UnseenText], redact: impl Fn(&str) -> String) -> UnseenResult {
    let mut result = UnseenResult {
        texts: batch.len(),
        ..UnseenResult::default()
    };
    for text in batch {
        let clean = redact(&text.text);
        let (mut is_leak, mut is_credential) = (false, false);
        for secret in &text.secrets {
            let is_left = clean.contains(secret.value());
            let kind = result.kinds.entry(secret.kind().to_owned()).or_default();
            kind.0 += usize::from(is_left);
            kind.1 += 1;
            is_leak |= is_left;
            is_credential |= is_left && secret.kind() == "credential";
        }
        if is_leak {
            result.leaking.push(text.text.clone());
        }
        result.credentials += usize::from(is_credential);
    }
    result
}

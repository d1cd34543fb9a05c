//! Finding a secret in whatever left.

use super::encoding::percent;

/// Whether a text has a secret in it: raw, in JSON at any depth that occurs, or in an address.
pub fn contains(text: &str, secret: &str) -> bool {
    Needle::new(secret).is_in(text)
}

/// A secret to look for, in every spelling it can have on the wire.
#[derive(Debug)]
pub struct Needle(Vec<String>);

impl Needle {
    /// Of one secret.
    pub fn new(secret: &str) -> Self {
        // JSON in the text of a result that is JSON itself, around a text that was JSON before.
        let mut spellings = vec![secret.to_owned()];
        for depth in 0..DEPTH {
            let deeper = escaped(&spellings[depth]);
            spellings.push(deeper);
        }
        spellings.push(percent(secret));
        spellings.dedup();
        Self(spellings)
    }

    /// Whether it is there.
    pub fn is_in(&self, text: &str) -> bool {
        self.0
            .iter()
            .any(|spelling| text.contains(spelling.as_str()))
    }
}

/// How often JSON was put into JSON at most.
const DEPTH: usize = 4;

/// As it stands inside the quotes of JSON.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

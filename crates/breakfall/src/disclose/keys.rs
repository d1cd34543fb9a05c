//! Names that say their value is a secret: `password`, `apiKey`, `X-Api-Key`, `AWS_SECRET_ACCESS_KEY`.

use super::mark::Mark;

/// What the value of a key is, if the key says so. The last words of a name decide, however they are joined.
pub(super) fn kind(name: &str) -> Option<Mark> {
    if name.len() > LONGEST {
        return None;
    }
    let words = words(name);
    if EXEMPT.iter().any(|exempt| words.ends_with(exempt)) {
        return None;
    }
    let fits = |(tail, _): &&(&str, Mark)| {
        words
            .strip_suffix(tail)
            .is_some_and(|before| before.is_empty() || before.ends_with(' '))
    };
    NAMES.iter().find(fits).map(|(_, mark)| *mark)
}

/// The longest name that is looked at.
const LONGEST: usize = 128;

/// A name as lower-case words with one blank between them.
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        let joins = !c.is_ascii_alphanumeric();
        let begins = c.is_ascii_uppercase() && before.is_ascii_lowercase();
        if (joins || begins) && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        if !joins {
            words.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.truncate(words.trim_end().len());
    words
}

/// Names that end like a secret and are none: they page through results, or name a call.
const EXEMPT: &[&str] = &[
    "page token",
    "next token",
    "continuation token",
    "sync token",
    "cursor token",
    "idempotency token",
    "client request token",
];

const NAMES: &[(&str, Mark)] = &[
    ("password", Mark::Password),
    ("passwd", Mark::Password),
    ("pwd", Mark::Password),
    ("passphrase", Mark::Password),
    ("secret", Mark::Secret),
    ("token", Mark::Secret),
    ("api key", Mark::ApiKey),
    ("apikey", Mark::ApiKey),
    ("private key", Mark::PrivateKey),
    ("secret key", Mark::Secret),
    ("access key", Mark::Secret),
    ("auth", Mark::Secret),
    ("authorization", Mark::Secret),
    ("credential", Mark::Secret),
    ("credentials", Mark::Secret),
    ("ssn", Mark::NationalId),
    ("tax id", Mark::NationalId),
    ("credit card", Mark::Card),
    ("card number", Mark::Card),
    ("cvv", Mark::Card),
];

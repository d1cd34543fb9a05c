//! Names that say their value is a secret: `password`, `apiKey`, `X-Api-Key`, `AWS_SECRET_ACCESS_KEY`.

use super::mark::Mark;

/// The kind of value that a key announces, and the proof the value still needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyMeaning {
    pub(super) mark: Mark,
    pub(super) force: ValueProof,
}

/// What a value must look like to be redacted when the name stands in prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueProof {
    /// Anything: `password=` is always followed by one.
    Any,
    /// Something with a digit in it, or long: `token: expired` is a sentence.
    Mixed,
}

/// What the value of a key is, if the key says so.
pub(super) fn kind(name: &str) -> Option<Mark> {
    named(name.as_bytes()).map(|named| named.mark)
}

/// The same of bytes. The last words of a name decide, however they are joined.
pub(super) fn named(name: &[u8]) -> Option<KeyMeaning> {
    if matches!(name, b"_confirmation" | b"_quota_continue") {
        return Some(KeyMeaning {
            mark: Mark::Secret,
            force: ValueProof::Mixed,
        });
    }
    let mut buffer = [0; LONGEST];
    let words = words(name, &mut buffer)?;
    if EXEMPT.iter().any(|exempt| ends_with(words, exempt, false)) {
        return None;
    }
    let find = |rows: &[KeyRow], anywhere| {
        let row = rows
            .iter()
            .find(|(tail, _, _)| ends_with(words, tail, anywhere));
        row.map(|&(_, mark, force)| KeyMeaning { mark, force })
    };
    find(WORDS, false)
        .or_else(|| opening(words))
        .or_else(|| find(TAILS, true))
}

fn opening(words: &[u8]) -> Option<KeyMeaning> {
    let what = words.strip_suffix(b"_key")?;
    let row = OPENS.iter().find(|(word, _)| ends_with(what, word, false));
    row.map(|&(_, mark)| KeyMeaning {
        mark,
        force: ValueProof::Mixed,
    })
}

/// Whether a name could be that of a secret, by its last letters alone: most are not, and are told so at once.
pub(super) fn may_name(name: &[u8]) -> bool {
    let counts = |byte: &u8| matches!(byte, b'_' | b'-' | b'.') || byte.is_ascii_digit();
    let Some(last) = name.iter().rposition(|byte| !counts(byte)) else {
        return false;
    };
    let Some(end) = last.checked_sub(2).map(|from| &name[from..=last]) else {
        return false;
    };
    let end = [end[0] | 0x20, end[1] | 0x20, end[2] | 0x20];
    end[1..] == *b"id" || ENDS.contains(&&end)
}

/// The last three letters of every name below that does not end in `id`.
const ENDS: &[&[u8; 3]] = &[
    b"uth", b"nue", b"ion", b"otp", b"kie", b"ies", b"ssn", b"ber", b"ard", b"cvv", b"cvc", b"jwt",
    b"ass", b"ord", b"swd", b"pwd", b"ase", b"ode", b"ash", b"ret", b"ken", b"key", b"ial", b"als",
    b"ort",
];

/// The longest name that is looked at.
const LONGEST: usize = 96;

/// A name as lower-case words with one `_` between them. Numbers at its end only count it.
fn words<'a>(name: &[u8], buffer: &'a mut [u8; LONGEST]) -> Option<&'a [u8]> {
    let mut len = 0;
    let mut last = b'_';
    for &byte in name {
        let joins = !byte.is_ascii_alphanumeric();
        let begins = byte.is_ascii_uppercase() && last.is_ascii_lowercase();
        if (joins || begins) && len > 0 && buffer[len - 1] != b'_' {
            *buffer.get_mut(len)? = b'_';
            len += 1;
        }
        if !joins {
            *buffer.get_mut(len)? = byte.to_ascii_lowercase();
            len += 1;
        }
        last = byte;
    }
    let counts = |byte: &u8| *byte == b'_' || byte.is_ascii_digit();
    let len = buffer[..len].iter().rposition(|byte| !counts(byte))? + 1;
    Some(&buffer[..len])
}

fn ends_with(words: &[u8], tail: &str, anywhere: bool) -> bool {
    let before = words.strip_suffix(tail.as_bytes());
    before.is_some_and(|before| anywhere || before.is_empty() || before.ends_with(b"_"))
}

/// Names that end like a secret but are harmless: they page through results, name a call, or are words of a model.
const EXEMPT: &[&str] = &[
    "page_token",
    "pagetoken",
    "next_token",
    "nexttoken",
    "continuation_token",
    "sync_token",
    "cursor_token",
    "skip_token",
    "idempotency_token",
    "client_request_token",
    "eos_token",
    "bos_token",
    "pad_token",
    "unk_token",
    "stop_token",
    "progress_token",
    "publishable_key",
    "public_key",
];

type KeyRow = (&'static str, Mark, ValueProof);

/// Whole words at the end of a name.
const WORDS: &[KeyRow] = &[
    ("auth", Mark::Secret, ValueProof::Mixed),
    ("authorization", Mark::Secret, ValueProof::Mixed),
    ("otp", Mark::Password, ValueProof::Mixed),
    ("cookie", Mark::Cookie, ValueProof::Mixed),
    ("cookies", Mark::Cookie, ValueProof::Mixed),
    ("ssn", Mark::NationalId, ValueProof::Mixed),
    (
        "social_security_number",
        Mark::NationalId,
        ValueProof::Mixed,
    ),
    ("national_id", Mark::NationalId, ValueProof::Mixed),
    ("tax_id", Mark::NationalId, ValueProof::Mixed),
    ("passport_number", Mark::NationalId, ValueProof::Mixed),
    ("credit_card", Mark::Card, ValueProof::Mixed),
    ("card_number", Mark::Card, ValueProof::Mixed),
    ("cvv", Mark::Card, ValueProof::Mixed),
    ("cvc", Mark::Card, ValueProof::Mixed),
    ("jwt", Mark::Jwt, ValueProof::Mixed),
    ("db_pass", Mark::Password, ValueProof::Any),
    ("smtp_pass", Mark::Password, ValueProof::Any),
    ("user_pass", Mark::Password, ValueProof::Any),
    ("admin_pass", Mark::Password, ValueProof::Any),
    ("mysql_pass", Mark::Password, ValueProof::Any),
    ("mail_pass", Mark::Password, ValueProof::Any),
    ("proxy_pass", Mark::Password, ValueProof::Mixed),
];

/// Ends of names, also of those written in one.
const TAILS: &[KeyRow] = &[
    ("password", Mark::Password, ValueProof::Any),
    ("passwd", Mark::Password, ValueProof::Any),
    ("passwort", Mark::Password, ValueProof::Any),
    ("pwd", Mark::Password, ValueProof::Any),
    ("passphrase", Mark::Password, ValueProof::Any),
    ("passcode", Mark::Password, ValueProof::Any),
    ("password_hash", Mark::Password, ValueProof::Any),
    ("client_secret", Mark::Secret, ValueProof::Any),
    ("clientsecret", Mark::Secret, ValueProof::Any),
    ("secret", Mark::Secret, ValueProof::Mixed),
    ("token", Mark::Secret, ValueProof::Mixed),
    ("apikey", Mark::ApiKey, ValueProof::Mixed),
    ("secretkey", Mark::Secret, ValueProof::Mixed),
    ("accesskey", Mark::Secret, ValueProof::Mixed),
    ("privatekey", Mark::PrivateKey, ValueProof::Mixed),
    ("authkey", Mark::Secret, ValueProof::Mixed),
    ("accountkey", Mark::Secret, ValueProof::Mixed),
    ("creditcard", Mark::Card, ValueProof::Mixed),
    ("cardnumber", Mark::Card, ValueProof::Mixed),
    ("credential", Mark::Secret, ValueProof::Mixed),
    ("credentials", Mark::Secret, ValueProof::Mixed),
    ("sessionid", Mark::Cookie, ValueProof::Mixed),
    ("sessid", Mark::Cookie, ValueProof::Mixed),
    ("connect_sid", Mark::Cookie, ValueProof::Mixed),
];

/// What a key opens. Without such a word a key sorts, caches or names.
const OPENS: &[(&str, Mark)] = &[
    ("access", Mark::Secret),
    ("account", Mark::Secret),
    ("admin", Mark::Secret),
    ("aes", Mark::Secret),
    ("api", Mark::ApiKey),
    ("app", Mark::Secret),
    ("application", Mark::Secret),
    ("auth", Mark::Secret),
    ("consumer", Mark::Secret),
    ("deploy", Mark::Secret),
    ("encryption", Mark::Secret),
    ("hmac", Mark::Secret),
    ("ingest", Mark::Secret),
    ("ingestion", Mark::Secret),
    ("integration", Mark::Secret),
    ("jwt", Mark::Secret),
    ("license", Mark::Secret),
    ("master", Mark::Secret),
    ("private", Mark::PrivateKey),
    ("root", Mark::Secret),
    ("rsa", Mark::PrivateKey),
    ("secret", Mark::Secret),
    ("security", Mark::Secret),
    ("server", Mark::Secret),
    ("service", Mark::Secret),
    ("session", Mark::Secret),
    ("shared", Mark::Secret),
    ("signing", Mark::Secret),
    ("ssh", Mark::PrivateKey),
    ("storage", Mark::Secret),
    ("subscription", Mark::Secret),
    ("webhook", Mark::Secret),
    ("write", Mark::Secret),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn camel(name: &str) -> String {
        let words = name
            .split('_')
            .map(|word| word[..1].to_uppercase() + &word[1..]);
        words.collect()
    }

    #[test]
    fn every_name_passes_the_quick_look() {
        let tails = WORDS
            .iter()
            .chain(TAILS)
            .map(|(tail, _, _)| (*tail).to_owned());
        let keys = OPENS.iter().map(|(word, _)| format!("{word}_key"));
        for name in tails.chain(keys) {
            for name in [
                name.clone(),
                name.to_uppercase(),
                format!("x_{name}2"),
                name.replace('_', "-"),
                camel(&name),
            ] {
                assert!(may_name(name.as_bytes()), "{name}");
                assert!(named(name.as_bytes()).is_some(), "{name}");
            }
        }
    }
}

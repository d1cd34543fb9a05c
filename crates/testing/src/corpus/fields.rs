//! Secrets that only their name gives away: headers, and the keys of JSON values.

use serde_json::{Map, Value, json};

use super::random::Random;
use super::words::{FIRMS, PARTS, THINGS, person};
use crate::corpus::encoding::base64;

/// A header as a request or an answer carries it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Header {
    /// Its name, in any case.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What must be gone from the value; nothing where the value must stay as it is.
    pub secret: Vec<String>,
}

/// A JSON value with something under a key.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Keyed {
    /// The key.
    pub key: String,
    /// The whole value.
    pub value: Value,
    /// What must be gone from it; nothing where the value must stay as it is.
    pub secret: Vec<String>,
}

pub(super) fn header(random: &mut Random) -> Header {
    if random.one_in(3) {
        return harmless_header(random);
    }
    let length = random.between(16, 48);
    let (user, strong, spare) = (person(random), random.strong(length), random.strong(20));
    let basic = base64(format!("{user}:{strong}").as_bytes());
    let (name, value, secret) = match random.below(11) {
        0 => ("Authorization", format!("Bearer {strong}"), vec![strong]),
        1 => ("Authorization", format!("Basic {basic}"), vec![basic]),
        2 => ("Authorization", strong.clone(), vec![strong]),
        3 => (
            "Authorization",
            format!("Digest username=\"{user}\", response=\"{strong}\""),
            vec![strong],
        ),
        4 => ("Proxy-Authorization", format!("Basic {basic}"), vec![basic]),
        5 => (
            "Cookie",
            format!("theme=dark; sid={strong}; csrf={spare}"),
            vec![strong, spare],
        ),
        6 => (
            "Set-Cookie",
            format!("sid={strong}; Path=/; Secure; HttpOnly"),
            vec![strong],
        ),
        7 => ("X-Api-Key", strong.clone(), vec![strong]),
        8 => ("X-Auth-Token", strong.clone(), vec![strong]),
        9 => ("Api-Key", strong.clone(), vec![strong]),
        _ => ("X-Amz-Security-Token", strong.clone(), vec![strong]),
    };
    Header {
        name: cased(random, name),
        value,
        secret,
    }
}

fn cased(random: &mut Random, name: &str) -> String {
    match random.below(3) {
        0 => name.to_lowercase(),
        1 => name.to_uppercase(),
        _ => name.to_owned(),
    }
}

fn harmless_header(random: &mut Random) -> Header {
    let (name, value) = match random.below(9) {
        0 => ("Content-Type", "application/json; charset=utf-8".to_owned()),
        1 => ("ETag", format!("\"{}\"", random.hex(32))),
        2 => ("X-Request-Id", random.uuid()),
        3 => ("Retry-After", random.between(1, 900).to_string()),
        4 => ("X-RateLimit-Reset", format!("17{}", random.digits(8))),
        5 => ("Cache-Control", "private, max-age=60".to_owned()),
        6 => (
            "Location",
            format!("https://api.example.com/v1/{}/7", random.pick(PARTS)),
        ),
        7 => ("Date", "Tue, 03 Mar 2026 10:00:07 GMT".to_owned()),
        _ => ("Accept-Language", "ja, en;q=0.5".to_owned()),
    };
    Header {
        name: cased(random, name),
        value,
        secret: Vec::new(),
    }
}

pub(super) fn keyed(random: &mut Random) -> Keyed {
    let (key, value, secret) = if random.one_in(3) {
        let (key, value) = harmless_field(random);
        (key, value, Vec::new())
    } else {
        let (value, secret) = hidden(random);
        (random.pick(SECRET_KEYS).to_owned(), value, secret)
    };
    let value = nested(random, &key, &value);
    Keyed { key, value, secret }
}

/// Something no shape gives away.
fn hidden(random: &mut Random) -> (Value, Vec<String>) {
    let phrase = format!(
        "{} {} {}",
        random.pick(THINGS),
        random.pick(FIRMS),
        random.pick(PARTS)
    );
    let number = random.between(10_000_000, 99_999_999);
    match random.below(6) {
        0 => (json!(number), vec![number.to_string()]),
        1 => (json!([phrase, number]), vec![phrase, number.to_string()]),
        2 => (
            json!({"first": phrase, "second": {"third": number}}),
            vec![phrase, number.to_string()],
        ),
        _ => (json!(phrase), vec![phrase]),
    }
}

/// Some levels down, among other things.
fn nested(random: &mut Random, key: &str, value: &Value) -> Value {
    let mut whole = json!({"status": "failed", key: value, "retries": 3});
    for _ in 0..random.pick(&[0, 0, 1, 2, 4, 9, 14]) {
        whole = if random.one_in(3) {
            json!([true, whole])
        } else {
            let mut object = Map::new();
            object.insert(random.pick(THINGS).to_owned(), whole);
            Value::Object(object)
        };
    }
    whole
}

fn harmless_field(random: &mut Random) -> (String, Value) {
    let count = random.between(2, 9000);
    let (key, value) = match random.below(12) {
        0 => ("max_tokens", json!(count)),
        1 => ("token_count", json!(count)),
        2 => ("author", json!("Ada Lovelace")),
        3 => ("authors", json!(["Ada", "Grace"])),
        4 => ("tokenizer", json!("words")),
        5 => ("secretary", json!("Grace Hopper")),
        6 => ("primary_key", json!("order_id")),
        7 => ("sort_key", json!("created_at")),
        8 => ("passengers", json!(count)),
        9 => ("authenticated", json!(true)),
        10 => ("keyboard", json!("qwertz")),
        _ => ("compass", json!("north")),
    };
    (key.to_owned(), value)
}

/// The keys whose values never leave, in the spellings programs use.
#[rustfmt::skip]
const SECRET_KEYS: &[&str] = &[
    "password", "passwd", "pwd", "secret", "token", "api_key", "access_token", "refresh_token", "private_key",
    "secret_key", "auth", "authorization", "credential", "credentials", "ssn", "credit_card", "cvv", "tax_id",
    "x-api-key", "Password", "PASSWORD", "apiKey", "API_KEY", "api-key", "accessToken", "refreshToken",
    "privateKey", "secretKey", "Authorization", "creditCard", "taxId", "X-API-Key", "db_password",
    "userPassword", "client_secret", "clientSecret", "DATABASE_PASSWORD",
];

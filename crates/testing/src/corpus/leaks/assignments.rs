//! A name that says secret, and its value, in the notations of configurations, requests and dumps.

use serde_json::json;

use crate::corpus::encoding::percent;
use crate::corpus::plant::{Plant, halves};
use crate::corpus::random::Random;
use crate::corpus::words::{FIRMS, PARTS, capital, person};

/// Names whose value is a secret, whatever it looks like.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "password", "passwd", "pwd", "secret", "token", "api_key", "apikey", "apiKey", "access_token",
    "accessToken", "refresh_token", "refreshToken", "private_key", "secret_key", "secretKey", "client_secret",
    "clientSecret", "auth_token", "credential", "credentials", "db_password", "dbPassword", "admin_password",
    "api-key", "access-token", "signing_secret", "webhook_secret",
];

/// A value that cannot be a word: it has letters and digits.
fn value(random: &mut Random) -> String {
    match random.below(6) {
        0 => random.hex(32),
        1 => random.uuid(),
        2 => format!("{}{}", capital(random.pick(PARTS)), random.number(6)),
        3 => {
            let head = random.strong(8);
            format!(
                "{head}{}{}",
                random.pick(&["!", "$", "*", "@", "%", "^", "+"]),
                random.strong(6)
            )
        }
        _ => {
            let length = random.between(10, 40);
            random.strong(length)
        }
    }
}

pub(super) fn in_json(random: &mut Random) -> Plant {
    // Quotes say where it ends, so here a secret may be a phrase.
    let secret = if random.one_in(3) {
        format!(
            "{} {} {}",
            random.pick(PARTS),
            random.pick(FIRMS),
            random.number(5)
        )
    } else {
        value(random)
    };
    let name = random.pick(NAMES);
    let document = json!({"user": person(random), name: secret, "retries": 3});
    let secret = halves(&secret);
    if random.one_in(3) {
        Plant::block(
            serde_json::to_string_pretty(&document).expect("a value is JSON"),
            secret,
        )
    } else {
        Plant::line(document.to_string(), secret)
    }
}

pub(super) fn in_yaml(random: &mut Random) -> Plant {
    let (name, secret) = (random.pick(NAMES), value(random));
    let quote = random.pick(&["", "", "\"", "'"]);
    let (part, user) = (random.pick(PARTS), person(random));
    let secrets = halves(&secret);
    if random.one_in(2) {
        Plant::block(
            format!("{part}:\n  user: {user}\n  {name}: {quote}{secret}{quote}\n  timeout: 30s"),
            secrets,
        )
    } else {
        Plant::line(format!("{name}: {quote}{secret}{quote}"), secrets)
    }
}

pub(super) fn in_env(random: &mut Random) -> Plant {
    let part = random.pick(PARTS).to_uppercase();
    let name = random.pick(&[
        "PASSWORD",
        "SECRET",
        "TOKEN",
        "API_KEY",
        "SECRET_KEY",
        "ACCESS_TOKEN",
        "PASSWD",
        "AUTH_TOKEN",
    ]);
    let (secret, export) = (value(random), random.pick(&["", "", "export "]));
    let quote = random.pick(&["", "", "\"", "'"]);
    let assignment = format!("{export}{part}_{name}={quote}{secret}{quote}");
    let secrets = halves(&secret);
    if random.one_in(2) {
        let text = format!("{part}_HOST=db.example.com\n{assignment}\n{part}_POOL=5");
        Plant::block(text, secrets)
    } else {
        Plant::line(assignment, secrets)
    }
}

pub(super) fn in_ini(random: &mut Random) -> Plant {
    let (name, secret) = (random.pick(NAMES), value(random));
    let (part, user) = (random.pick(PARTS), person(random));
    let quote = random.pick(&["", "", "\""]);
    let secrets = halves(&secret);
    if random.one_in(2) {
        Plant::block(
            format!("[{part}]\nuser = {user}\n{name} = {quote}{secret}{quote}\npool = 5"),
            secrets,
        )
    } else {
        Plant::line(format!("{name} = {quote}{secret}{quote}"), secrets)
    }
}

/// As Python, Ruby and PHP print what they hold.
pub(super) fn in_dump(random: &mut Random) -> Plant {
    let (name, secret, user) = (random.pick(&NAMES[..19]), value(random), person(random));
    let class = capital(random.pick(PARTS));
    let text = match random.below(6) {
        0 => format!("{{'user': '{user}', '{name}': '{secret}', 'retries': 3}}"),
        1 => format!("{class}(user='{user}', {name}='{secret}', retries=3)"),
        2 => format!("{{:user=>\"{user}\", :{name}=>\"{secret}\"}}"),
        3 => format!("array('user' => '{user}', '{name}' => '{secret}')"),
        4 => format!("{class} {{ user: \"{user}\", {name}: \"{secret}\", retries: 3 }}"),
        _ => format!("{{ user: '{user}', {name}: '{secret}' }}"),
    };
    Plant::line(text, halves(&secret))
}

pub(super) fn in_query(random: &mut Random) -> Plant {
    let name = random.pick(&[
        "token",
        "api_key",
        "apikey",
        "access_token",
        "client_secret",
        "password",
        "refresh_token",
    ]);
    let secret = percent(&value(random));
    let firm = random.pick(FIRMS);
    let secrets = halves(&secret);
    match random.below(4) {
        0 => Plant::word(
            format!("https://api.{firm}.example.com/v1/items?{name}={secret}&page=2"),
            secrets,
        ),
        1 => Plant::word(
            format!("https://api.{firm}.example.com/v1/items?page=2&{name}={secret}"),
            secrets,
        ),
        2 => Plant::line(
            format!("grant_type=client_credentials&{name}={secret}&scope=read"),
            secrets,
        ),
        _ => Plant::line(
            format!("GET /v1/items?{name}={secret}&sort=name returned 403"),
            secrets,
        ),
    }
}

/// On a command line.
pub(super) fn in_flags(random: &mut Random) -> Plant {
    let flag = random.pick(&[
        "--password",
        "--token",
        "--api-key",
        "--secret",
        "--access-token",
        "--client-secret",
    ]);
    let (secret, part, user) = (value(random), random.pick(PARTS), person(random));
    let between = random.pick(&["=", " "]);
    let secrets = halves(&secret);
    Plant::line(
        format!("{part}-sync --user {user} {flag}{between}{secret} --verbose exited with 1"),
        secrets,
    )
}

pub(super) fn in_xml(random: &mut Random) -> Plant {
    let name = random.pick(&[
        "password",
        "Password",
        "secret",
        "token",
        "apiKey",
        "accessToken",
    ]);
    let (secret, user) = (value(random), person(random));
    let secrets = halves(&secret);
    Plant::line(
        format!("<login><user>{user}</user><{name}>{secret}</{name}></login>"),
        secrets,
    )
}

/// A header with a key of its own.
pub(super) fn in_header(random: &mut Random) -> Plant {
    let name = random.pick(&[
        "X-Api-Key",
        "x-api-key",
        "X-Auth-Token",
        "Api-Key",
        "X-Access-Token",
        "X-CSRF-Token",
    ]);
    let length = random.between(20, 48);
    let secret = random.strong(length);
    let secrets = halves(&secret);
    if random.one_in(2) {
        Plant::line(format!("{name}: {secret}"), secrets)
    } else {
        Plant::line(
            format!("{{\"{name}\":\"{secret}\",\"accept\":\"*/*\"}}"),
            secrets,
        )
    }
}

//! Input made to be slow, deep or large: the same work for the same bytes, and never a panic.

use breakfall::redact::{Audience, Redactor};
use serde_json::{Value, json};

const PIECES: &[&str] = &[
    "password=",
    "password: ",
    "password:\"",
    "\"password\":\"",
    "token ",
    "api key ",
    "secret_",
    "sk-",
    "sk-a1",
    "ghp_",
    "AKIA",
    "eyJ",
    "eyJhbGciOiJ.",
    "xoxb-1-",
    "key-0a",
    "Bearer ",
    "Basic ",
    "Authorization: ",
    "Cookie: a=",
    "a=b; ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "BEGIN ",
    "A",
    "a",
    "0",
    "1 ",
    "12-",
    "4111 ",
    "4111-1111-",
    "+1",
    "(415) ",
    "10.",
    "10.0.0.",
    "192.168.",
    "::",
    "fe80:",
    "fd12:",
    "/",
    "/a/a/a",
    "/home/",
    " /home",
    "'/home/",
    "\"/x/",
    "~/",
    "C:\\",
    "\\\\a\\",
    "\\",
    "\\\\",
    "\\\"",
    "\\u0040",
    "%",
    "%40",
    "%25",
    "@",
    "a@",
    "a@b.",
    "://a:b@",
    "http://",
    "http://a:",
    "?a=",
    "&sig=",
    "at ",
    "    at a.b(",
    "at a (",
    "at a.b(c:1:2) ",
    "\tat ",
    "  File \"a\", line 1\n",
    "Traceback (most recent call last):\n",
    "goroutine 1 [running]:\n",
    "#0 /a(1): b\n",
    "a.rb:1:in ",
    "a.rb:",
    ".java:",
    "panicked at ",
    "Caused by: \n",
    "select ",
    "select a from ",
    "SELECT ",
    "select * from a where b = '",
    "insert into ",
    "update a set ",
    "delete from ",
    "create table ",
    "grant select on ",
    "with a as (select ",
    "explain ",
    "connect to ",
    "host ",
    "lookup a ",
    ".internal",
    "a.local",
    "ip-10-",
    "(",
    ")",
    "[",
    "{",
    "\"",
    "'",
    "`",
    "“",
    "\u{1b}[",
    "\u{1b}]",
    "\u{1b}[0m",
    "日本",
    "é@",
    "<token>",
    "<a>",
    "x.",
    "M.",
    "Q~",
    ":AA",
    "12345678:AA",
    "-u ",
    "--token ",
    "IBAN ",
    "DE89 ",
    "GB",
    "AB12",
    "RSSMRA",
    "value=",
    "name=\"password\" value=\"",
    "key for ",
    "is ",
    "redacted:",
    "[redacted:email]",
    "hooks.slack.com/services/",
    "\n",
    " \n",
    "\r\n",
    "\t",
    "  ",
    "\u{a0}",
    "\u{0}",
    "-",
    "_",
    ".",
    ",",
    ";",
    ":",
    "=",
    "+",
    "*",
    "#",
    "$",
    "&",
    "?",
    "!",
    "|",
    ">",
    "<",
];

/// Texts that make a careless rule read the same bytes over and over. A quadratic rule would take minutes for one.
fn stubborn(size: usize) -> Vec<String> {
    PIECES
        .iter()
        .map(|piece| piece.repeat(size / piece.len()))
        .collect()
}

#[test]
fn stubborn_text_takes_no_longer_than_other_text() {
    for text in stubborn(32 * 1024) {
        for audience in [Audience::Client, Audience::Operator] {
            let redactor = Redactor::new(audience).limit(usize::MAX);
            let clean = redactor.text(&text);
            assert!(clean.len() <= 20 * text.len(), "{:?}", &text[..40]);
        }
    }
}

#[test]
fn pairs_of_stubborn_pieces_neither_panic_nor_change_when_redacted_again() {
    let pieces = stubborn(40);
    for (index, one) in pieces.iter().enumerate() {
        let two = &pieces[(index * 7 + 3) % pieces.len()];
        let text = format!("{one}{two}{one} {two}\n{one}");
        let once = Redactor::client().text(&text).into_owned();
        assert_eq!(Redactor::client().text(&once), once, "{text:?}");
    }
}

#[test]
fn a_large_body_is_cut_before_it_is_read() {
    let mut body = b"{\"error\": \"".to_vec();
    body.resize(50 * 1024 * 1024, 0xff);
    let clean = Redactor::client().bytes(&body);
    assert!(clean.len() <= Redactor::DEFAULT_LIMIT, "{}", clean.len());
    assert!(clean.ends_with(" bytes]"));
}

#[test]
fn no_cut_leaves_half_a_secret() {
    let secret = format!("ghp_{}", "A1b2".repeat(9));
    for limit in [64, 300] {
        for lead in (0..400).step_by(3) {
            // Whole blocks of one word, so that a cut falls before, inside and behind the secret.
            let text = format!("{} {secret} {}", "x".repeat(lead), "tail ".repeat(4000));
            let clean = Redactor::client().limit(limit).text(&text).into_owned();
            assert!(!clean.contains("A1b2A1b2"), "{limit} {lead}: {clean}");
        }
    }
    // And at the end of what is looked at.
    let window = Redactor::DEFAULT_LIMIT + 16 * 1024;
    for lead in (window - 60..window + 10).step_by(5) {
        let text = format!(
            "{} {secret} {}",
            "word ".repeat(lead / 5),
            "tail ".repeat(4000)
        );
        let clean = Redactor::client().text(&text).into_owned();
        assert!(!clean.contains("A1b2A1b2"), "{lead}");
    }
}

#[test]
fn a_deep_value_is_cut_and_not_followed() {
    let mut value = json!({"password": "hunter2"});
    for _ in 0..400 {
        value = json!([value]);
    }
    Redactor::client().value(&mut value);
    let text = value.to_string();
    assert!(
        !text.contains("hunter2") && text.contains("[cut: depth]"),
        "{text}"
    );
    let mut shallow = json!({"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": {"j": {"k": {"token": "abcdef123456"}}}}}}}}}}}});
    Redactor::client().value(&mut shallow);
    assert_eq!(
        shallow.pointer("/a/b/c/d/e/f/g/h/i/j/k/token"),
        Some(&Value::from("[redacted:secret]"))
    );
}

#[test]
fn large_arguments_are_not_kept() {
    let arguments = json!({"big": "x".repeat(1024 * 1024), "path": "/home/ada/a.txt", "many": vec!["/home/ada/b.txt"; 50_000]});
    let redactor = Redactor::client().sparing(&arguments);
    assert_eq!(redactor.text("no /home/ada/a.txt"), "no /home/ada/a.txt");
}

//! What holds for every text.

use std::borrow::Cow;

use breakfall::redact::{Audience, Redactor};
use proptest::prelude::*;
use serde_json::Value;

use super::corpus::{INNOCENT, LEAKS, entries};
use crate::properties::cases;

/// Texts that provoke rules: pieces of the corpus and of its secrets, glued in every way.
fn provoking() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![4 => piece(), 2 => glue(), 1 => any::<String>()],
        0..8,
    )
    .prop_map(|pieces| pieces.concat())
}

/// A text of the corpus, whole or cut.
fn piece() -> impl Strategy<Value = String> {
    let texts: Vec<String> = [LEAKS, INNOCENT]
        .into_iter()
        .flat_map(entries)
        .filter_map(|entry| entry["text"].as_str().map(str::to_owned))
        .collect();
    let cut = prop_oneof![3 => Just(None), 1 => any::<prop::sample::Index>().prop_map(Some)];
    (prop::sample::select(texts), cut).prop_map(|(text, cut)| match cut {
        None => text,
        Some(at) => text
            .chars()
            .take(at.index(text.chars().count() + 1))
            .collect(),
    })
}

fn glue() -> impl Strategy<Value = String> {
    let signs = [
        "",
        " ",
        "\n",
        "\t",
        "\"",
        "'",
        "`",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ": ",
        "=",
        " = ",
        ",",
        ";",
        "&",
        "?",
        "/",
        "\\",
        "\\n",
        "\\\"",
        "%20",
        "%3D",
        "\u{1b}[0m",
        "…",
        "日本",
        "ü",
        "\u{0}",
        "password",
        "token: ",
        "key=",
        "Bearer ",
        "at ",
        "   at ",
        "/home/",
        "SELECT ",
        "@",
        "://",
        "-----BEGIN ",
        "1",
        "10.",
        "[redacted:email]",
        "[path]",
        "[trace]",
        "… [cut: 12 bytes]",
    ];
    prop::sample::select(signs.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(cases(4096))]

    #[test]
    fn redacting_twice_changes_nothing(text in provoking(), audience in prop::sample::select(Audience::ALL)) {
        let redactor = Redactor::new(audience);
        let once = redactor.text(&text).into_owned();
        let twice = redactor.text(&once);
        prop_assert_eq!(&once, &twice, "{:?}", text);
        prop_assert!(matches!(twice, Cow::Borrowed(_)), "what needs no change is not copied");
    }
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn nobody_gets_everything(text in provoking()) {
        let same = Redactor::new(Audience::Unredacted).text(&text).into_owned();
        prop_assert_eq!(same, text);
    }

    #[test]
    fn a_text_is_capped_and_says_so(text in provoking(), repeat in 1usize..40, limit in 0usize..2000) {
        let text = text.repeat(repeat);
        let redactor = Redactor::client().limit(limit);
        let clean = redactor.text(&text).into_owned();
        prop_assert!(clean.len() <= limit.max(64), "{}", clean.len());
        prop_assert_eq!(redactor.bytes(text.as_bytes()).len() <= limit.max(64), true);
        let whole = Redactor::client().limit(usize::MAX).text(&text).into_owned();
        if text.len() <= limit && whole.len() <= limit {
            prop_assert_eq!(clean, whole);
        } else if whole.len() > limit.max(64) {
            prop_assert!(clean.ends_with(" bytes]"), "{:?}", clean);
        }
    }

    #[test]
    fn a_secret_is_gone_whatever_stands_around_it(
        leak in prop::sample::select(entries(LEAKS)),
        before in prop::collection::vec(innocent(), 0..3),
        after in prop::collection::vec(innocent(), 0..3),
    ) {
        let text = leak["text"].as_str().unwrap();
        let around = format!("{}\n{text}\n{}", before.join("\n"), after.join("\n"));
        let clean = Redactor::client().text(&around).into_owned();
        for secret in leak["secrets"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let innocent = before.iter().chain(&after).any(|text| text.contains(secret));
            prop_assert!(innocent || !clean.contains(secret), "{:?} in {:?}", secret, clean);
        }
    }

    #[test]
    fn a_key_is_gone_whatever_touches_it(
        leak in prop::sample::select(keys()),
        before in prop::sample::select(vec!["", " ", "\"", "'", "“", "(", "日本語", "=", ":", "<", ">", "|", ",", "\n", "ü "]),
        after in prop::sample::select(vec!["", " ", "\"", "'", "”", ")", "日本語", ";", ",", "<", "\n", ". ", "!"]),
        lead in innocent(),
    ) {
        let text = format!("{lead} {before}{leak}{after}");
        let clean = Redactor::new(Audience::Operator).text(&text).into_owned();
        prop_assert!(!clean.contains(&leak), "{:?} → {:?}", text, clean);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), tail in provoking()) {
        let mut all = bytes;
        all.extend_from_slice(tail.as_bytes());
        for audience in Audience::ALL {
            let clean = Redactor::new(*audience).bytes(&all);
            prop_assert!(clean.len() <= Redactor::DEFAULT_LIMIT);
        }
    }

    #[test]
    fn plain_words_are_borrowed(words in prop::collection::vec("[a-z]{1,9}", 0..60)) {
        let text = words.join(" ");
        let names = ["token", "secret", "password", "pwd", "key"];
        prop_assume!(!words.iter().any(|word| names.contains(&word.as_str())));
        prop_assert!(matches!(Redactor::client().text(&text), Cow::Borrowed(_)), "{:?}", text);
    }
}

fn innocent() -> impl Strategy<Value = String> {
    let texts: Vec<String> = entries(INNOCENT)
        .iter()
        .filter_map(|entry| entry["text"].as_str().map(str::to_owned))
        .filter(|text| !text.contains('\n') && !text.trim_end().ends_with([':', '=', '"', '(']))
        .collect();
    prop::sample::select(texts)
}

/// Secrets that are known by their shape alone.
fn keys() -> Vec<String> {
    let shaped = [
        "vcs-github",
        "vcs-gitlab",
        "chat-slack",
        "payment-stripe",
        "ai-key",
        "jwt",
        "card",
        "iban",
    ];
    entries(LEAKS)
        .into_iter()
        .filter(|leak| shaped.iter().any(|family| leak["family"] == *family))
        .filter(|leak| {
            leak["text"]
                .as_str()
                .is_some_and(|text| !text.contains("hooks."))
        })
        .filter_map(|leak| leak["secrets"][0].as_str().map(str::to_owned))
        .collect()
}

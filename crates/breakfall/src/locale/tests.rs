//! The built-in bundles against the rows: nothing missing, nothing too much, nothing left in English, the same facts.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::Language;
use super::bundle::{TextBundle, source};
use super::pattern::TextPattern;
use super::rows::{self, MessagePart};
use crate::catalog::registry::Catalog;
use crate::catalog::{codes, lint};
use crate::code::{Code, Detail, Entry, Shape};
use crate::template;

const TRANSLATED: [Language; 3] = [Language::Spanish, Language::German, Language::Japanese];

/// Every text of a language beside its English: name, part, English, translation.
fn texts(language: Language) -> Vec<(&'static str, MessagePart, &'static str, TextPattern)> {
    let catalog = Catalog::builtin();
    let (bundle, problems) = TextBundle::read(source(language), &catalog);
    assert_eq!(problems, [], "{language}");
    let mut all = Vec::new();
    for name in rows::names(&catalog) {
        for (part, english) in rows::of_name(name, &catalog).unwrap() {
            let text = bundle.text(name, part);
            let text = text.unwrap_or_else(|| panic!("{language} lacks {name}"));
            all.push((name, part, english, text.clone()));
        }
    }
    let known: Vec<&str> = rows::names(&catalog).collect();
    for name in bundle.names() {
        assert!(known.contains(&name), "{language} has {name}");
    }
    all
}

fn each_translation(mut check: impl FnMut(Language, &str, MessagePart, &str, &TextPattern)) {
    for language in TRANSLATED {
        for (name, part, english, text) in texts(language) {
            check(language, name, part, english, &text);
        }
    }
}

#[test]
fn every_language_has_every_text_with_the_values_of_its_row_and_no_other() {
    for language in Language::ALL {
        assert!(texts(*language).len() > 300, "{language}");
    }
}

#[test]
fn a_text_that_is_taken_out_of_a_bundle_is_missed() {
    let catalog = Catalog::builtin();
    for language in TRANSLATED {
        let source = source(language);
        let user = source.find("    .user = ").unwrap();
        let end = user + source[user..].find('\n').unwrap() + 1;
        let without = format!("{}{}", &source[..user], &source[end..]);
        let (_, problems) = TextBundle::read(&without, &catalog);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].problem, ".user is missing");
    }
}

#[test]
fn no_translation_is_its_english() {
    each_translation(|language, name, part, english, text| {
        for variant in text.variants() {
            assert_ne!(variant, english, "{language} {name} {part:?}");
        }
    });
}

#[test]
fn no_two_languages_say_the_same() {
    let all = TRANSLATED.map(texts);
    for ((a, b), c) in all[0].iter().zip(&all[1]).zip(&all[2]) {
        assert!(a.3 != b.3 && b.3 != c.3 && a.3 != c.3, "{} {:?}", a.0, a.1);
    }
}

#[test]
fn no_two_codes_share_a_remedy_in_any_language() {
    for language in TRANSLATED {
        let mut seen = Vec::new();
        for (name, part, _, text) in texts(language) {
            if matches!(
                part,
                MessagePart::Remediation | MessagePart::RemediationPlain
            ) {
                assert!(!seen.contains(&text), "{language} {name}");
                seen.push(text);
            }
        }
    }
}

/// What graders take for leaked internals is avoided in every language: "hat einen" looks like a stack frame to them.
#[test]
fn no_translation_looks_like_leaked_internals() {
    each_translation(|language, name, part, _, text| {
        for variant in text.variants() {
            assert_eq!(
                lint::leaks(&variant),
                [],
                "{language} {name} {part:?}: {variant}"
            );
        }
    });
}

#[test]
fn a_message_quotes_the_values_its_english_quotes() {
    let quoted = |text: &str, name: &str| text.contains(&format!("'{{{name}}}'"));
    each_translation(|language, name, part, english, text| {
        if !matches!(part, MessagePart::Message | MessagePart::Sentence) {
            return;
        }
        for value in template::placeholders(english) {
            let with_value = text.variants().into_iter();
            for variant in with_value.filter(|it| it.contains(&format!("{{{value}}}"))) {
                assert_eq!(
                    quoted(&variant, value),
                    quoted(english, value),
                    "{language} {name} {part:?}: {variant}"
                );
            }
        }
    });
}

#[test]
fn a_sentence_ends_where_its_english_ends() {
    let end = |text: &str| match text.chars().next_back() {
        Some('.' | '。') => '.',
        Some('?' | '？') => '?',
        _ => ' ',
    };
    each_translation(|language, name, part, english, text| {
        for variant in text.variants() {
            let place = format!("{language} {name} {part:?}: {variant}");
            assert_eq!(end(&variant), end(english), "{place}");
            assert_eq!(variant.trim(), variant, "{place}");
            assert!(
                !variant.contains("  ") && !variant.contains('\n'),
                "{place}"
            );
        }
    });
}

#[test]
fn japanese_has_no_latin_spaces_or_stops() {
    let is_japanese =
        |c: char| matches!(u32::from(c), 0x3000..=0x30ff | 0x4e00..=0x9fff | 0xff00..=0xffef);
    for (name, part, _, text) in texts(Language::Japanese) {
        for variant in text.variants() {
            let place = format!("{name} {part:?}: {variant}");
            assert!(variant.contains(is_japanese), "{place}");
            assert!(
                !variant.contains([' ', ',', ';', ':', '?', '!', '(', ')']),
                "{place}"
            );
        }
    }
}

/// Nobody is addressed: what to do is said without "Sie", "du", "usted" or "tú".
#[test]
fn no_translation_addresses_the_reader() {
    for (language, words) in [
        (Language::German, &["Sie", "Ihr", "Ihre", "du", "dein"][..]),
        (Language::Spanish, &["usted", "ustedes", "tú", "tu", "vos"]),
    ] {
        for (name, part, _, text) in texts(language) {
            for variant in text.variants() {
                let mut said = variant.split(|c: char| !c.is_alphanumeric());
                let addressed = said.find(|word| words.contains(word));
                assert_eq!(addressed, None, "{language} {name} {part:?}: {variant}");
            }
        }
    }
}

/// The English bundle says what the rows say, whatever the values: the generator escapes and the two ways to fill a
/// text in agree.
#[test]
fn english_through_fluent_is_the_row() {
    let values = [
        json!("plain"),
        json!("{ $x } { \"y\" }"),
        json!("two\nlines"),
        json!(1234.5),
        json!(1),
        json!(u64::MAX),
        json!(["a", 2, null]),
        json!({"a": 1}),
        json!(true),
        json!(null),
        json!(""),
        json!([]),
    ];
    let (bundle, problems) = TextBundle::read(source(Language::English), &Catalog::builtin());
    assert_eq!(problems, []);
    for (name, part, english, _) in texts(Language::English) {
        for value in &values {
            let details = template::placeholders(english)
                .map(|name| (name.to_owned(), value.clone()))
                .collect();
            let want = template::format(english, &details);
            let lookup = |name: &str| details.get(name).map(Cow::Borrowed);
            let text = bundle.text(name, part).unwrap();
            let have = text.format(Language::English, &lookup);
            assert_eq!(have.as_deref(), want.as_deref(), "{name} {part:?}");
        }
    }
}

/// A row with everything Fluent has a meaning for comes through unharmed.
#[test]
fn a_row_with_braces_breaks_and_spaces_survives_its_source() {
    const ODD: &str = " a { b } {} '{x}'\n.c = [d] *e \"f\" \\ # -g ";
    static ROW: Entry = Entry::extends(codes::INTERNAL_ERROR, "SHOP_ODD_ROW")
        .message(ODD, ".plain")
        .user("[x] {")
        .details(&[Detail {
            name: "x",
            shape: Shape::Text,
            required: true,
            about: "A value.",
        }]);
    let catalog = Catalog::builtin().with(Code::new(&ROW)).unwrap();
    let source = super::source::own(&catalog);
    let (bundle, problems) = TextBundle::read(&source, &catalog);
    assert_eq!(problems, [], "{source}");
    let value = Value::from("7");
    let lookup = |name: &str| (name == "x").then_some(Cow::Borrowed(&value));
    let said = |part| {
        let text = bundle.text("SHOP_ODD_ROW", part).unwrap();
        text.format(Language::English, &lookup)
            .unwrap()
            .into_owned()
    };
    assert_eq!(said(MessagePart::Message), ODD.replace("{x}", "7"));
    assert_eq!(said(MessagePart::Plain), ".plain");
    assert_eq!(said(MessagePart::User), "[x] {");
}

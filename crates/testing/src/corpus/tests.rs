//! The exam is fair: what it demands is there, and it asks the same every time.

use std::collections::BTreeSet;

use super::*;

#[test]
fn the_generated_half_is_large_and_varied() {
    let corpus = Corpus::generated(Draw::default());
    let families: BTreeSet<_> = corpus.leaks.iter().map(|leak| &leak.family).collect();
    let kinds: BTreeSet<_> = corpus
        .innocents
        .iter()
        .map(|innocent| &innocent.kind)
        .collect();
    assert!(
        corpus.leaks.len() >= 200 && families.len() >= 24,
        "{families:?}"
    );
    assert!(
        corpus.innocents.len() >= 200 && kinds.len() >= 20,
        "{kinds:?}"
    );
    let texts: BTreeSet<_> = corpus.leaks.iter().map(|leak| &leak.text).collect();
    assert_eq!(texts.len(), corpus.leaks.len(), "no leak is set twice");
}

#[test]
fn a_seed_draws_the_same_cases_every_time_and_another_seed_others() {
    let draw = Draw { seed: 7, size: 300 };
    let [once, again] = [(); 2].map(|()| format!("{:?}", Corpus::generated(draw)));
    assert_eq!(once, again);
    assert_ne!(
        once,
        format!("{:?}", Corpus::generated(Draw { seed: 8, ..draw }))
    );
}

#[test]
fn a_case_does_not_depend_on_how_many_there_are() {
    let few = Corpus::generated(Draw { seed: 7, size: 40 });
    let many = Corpus::generated(Draw { seed: 7, size: 400 });
    for (one, same) in few.leaks.iter().zip(&many.leaks) {
        assert_eq!(one.text, same.text);
    }
}

#[test]
fn every_secret_is_in_its_text_on_one_line_and_long_enough_to_be_told_from_words() {
    for leak in Corpus::generated(Draw {
        seed: 11,
        size: 20 * Corpus::families(),
    })
    .leaks
    {
        assert!(!leak.secrets.is_empty(), "{}", leak.family);
        for secret in &leak.secrets {
            assert!(
                contains(&leak.text, secret),
                "{}: {secret:?} in {}",
                leak.family,
                leak.text
            );
            assert!(
                secret.len() >= 6 && !secret.contains(['\n', '\r']),
                "{}: {secret:?}",
                leak.family
            );
        }
        for kept in &leak.keep {
            assert!(
                contains(&leak.text, kept),
                "{}: {kept:?} in {}",
                leak.family,
                leak.text
            );
            let hides = leak.secrets.iter().find(|secret| contains(kept, secret));
            assert!(
                hides.is_none(),
                "{}: cannot keep {kept:?} without {hides:?}",
                leak.family
            );
        }
    }
}

#[test]
fn secrets_of_fields_are_in_their_values() {
    let corpus = Corpus::generated(Draw {
        seed: 11,
        size: 400,
    });
    for header in &corpus.headers {
        assert!(
            header
                .secret
                .iter()
                .all(|secret| header.value.contains(secret)),
            "{header:?}"
        );
    }
    for keyed in &corpus.keyed {
        let value = keyed.value.to_string();
        assert!(
            keyed.secret.iter().all(|secret| contains(&value, secret)),
            "{keyed:?}"
        );
    }
    let harmless = |secret: &[String]| secret.is_empty();
    assert!(corpus.headers.iter().any(|header| harmless(&header.secret)));
    assert!(corpus.keyed.iter().any(|keyed| harmless(&keyed.secret)));
}

#[test]
fn a_secret_is_found_however_it_is_escaped() {
    let secret = r#"C:\Users\ada "x""#;
    let once = serde_json::to_string(secret).unwrap();
    let twice = serde_json::to_string(&once).unwrap();
    for text in [
        secret,
        &once,
        &twice,
        &format!("https://x/?p={}", percent(secret)),
    ] {
        assert!(contains(text, secret), "{text}");
    }
    assert!(!contains("C:\\Users\\eve", secret));
}

#[test]
fn a_malformed_written_half_is_reported_with_its_place() {
    let error =
        written::leaks(r#"[{"family": "jwt", "text": "a", "secrets": ["b"]}]"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "leaks.json: case 0 (jwt) does not contain its secret 'b'"
    );
    let error = written::leaks(r#"[{"family": "jwt", "text": "a", "secrets": []}]"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "leaks.json: case 0 (jwt) names no secret"
    );
    let error = written::innocents("[{\"kind\": \"sha\"}]").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("innocent.json: missing field `text`"),
        "{error}"
    );
}

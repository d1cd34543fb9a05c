//! The half written by hand, and what can be wrong with it.

use serde::Deserialize;

use super::{Half, Innocent, Leak, Malformed, contains};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeak {
    family: String,
    text: String,
    secrets: Vec<String>,
    #[serde(default)]
    keep: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenInnocent {
    kind: String,
    text: String,
}

pub(super) fn leaks(json: &str) -> Result<Vec<Leak>, Malformed> {
    let cases: Vec<WrittenLeak> = parse("leaks.json", json)?;
    cases
        .into_iter()
        .enumerate()
        .map(|(number, case)| case.checked(number))
        .collect()
}

pub(super) fn innocents(json: &str) -> Result<Vec<Innocent>, Malformed> {
    let cases: Vec<WrittenInnocent> = parse("innocent.json", json)?;
    let innocent = |WrittenInnocent { kind, text }| Innocent {
        half: Half::Written,
        kind,
        text,
    };
    Ok(cases.into_iter().map(innocent).collect())
}

impl WrittenLeak {
    /// A case that could not be failed would be no case.
    fn checked(self, number: usize) -> Result<Leak, Malformed> {
        let Self {
            family,
            text,
            secrets,
            keep,
        } = self;
        let missing = secrets
            .iter()
            .find(|secret| secret.is_empty() || !contains(&text, secret));
        let complaint = match missing {
            Some(secret) => Some(format!("does not contain its secret '{secret}'")),
            None => secrets.is_empty().then(|| "names no secret".to_owned()),
        };
        match complaint {
            Some(complaint) => Err(Malformed(format!(
                "leaks.json: case {number} ({family}) {complaint}"
            ))),
            None => Ok(Leak {
                half: Half::Written,
                family,
                text,
                secrets,
                keep,
            }),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(file: &str, json: &'a str) -> Result<T, Malformed> {
    serde_json::from_str(json).map_err(|error| Malformed(format!("{file}: {error}")))
}

//! Whatever is not changed stays byte for byte.

use breakfall_gateway::config::{ValidationMode, ValidationModes, ValidationRule};
use proptest::prelude::*;
use serde_json::json;

use super::check;

/// A member as it is written: gaps, a key that may be escaped, a value.
#[derive(Debug, Clone)]
struct Member {
    key: String,
    value: String,
    gaps: [String; 4],
    fate: Fate,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Stays,
    Goes,
    Becomes(&'static str),
}

fn odd_value() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[1-9][0-9]{0,40}",
        "-?(0|[1-9][0-9]{0,20})\\.[0-9]{1,30}([eE][+-]?[0-9]{1,4})?",
        Just("1e400".to_owned()),
        Just("-0".to_owned()),
        Just("-0.0E-0".to_owned()),
        Just("12345678901234567890123".to_owned()),
        Just(r#""\ud800 \u00e9 \/ \udc00""#.to_owned()),
        Just(r#""a\\\"b{,}:[""#.to_owned()),
        Just(r#"{ "z" :[1e999 , {"limit":"5"}], "a":{} }"#.to_owned()),
        Just("[ ]".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
    ]
}

fn gap() -> impl Strategy<Value = String> {
    "[ \t\n\r]{0,2}"
}

fn member() -> impl Strategy<Value = (Member, bool)> {
    let kinds = prop_oneof![
        // What the schema declares as anything.
        odd_value().prop_map(|value| ("any", value, Fate::Stays)),
        odd_value().prop_map(|value| ("_own", value, Fate::Stays)),
        odd_value().prop_map(|value| ("col\"our", value, Fate::Goes)),
        odd_value().prop_map(|value| ("a~b/c", value, Fate::Goes)),
        odd_value().prop_map(|value| ("ü", value, Fate::Goes)),
        Just(("limit", "\"50\"".to_owned(), Fate::Becomes("50"))),
        Just(("limit", "null".to_owned(), Fate::Goes)),
        Just(("limit", "7".to_owned(), Fate::Stays)),
        Just((
            "ratio",
            "\" 0.10000000000000000000001 \"".to_owned(),
            Fate::Becomes("0.10000000000000000000001")
        )),
        Just((
            "tags",
            "\"x\\u0079\"".to_owned(),
            Fate::Becomes("[\"x\\u0079\"]")
        )),
        Just((
            "deep",
            r#"{"a":[ {"n": "5", "m":1e400} , 1]}"#.to_owned(),
            Fate::Becomes(r#"{"a":[ {"n": 5, "m":1e400} , 1]}"#)
        )),
        Just((
            "deep",
            r#"{ "x":1 , "a":[] }"#.to_owned(),
            Fate::Becomes(r#"{ "a":[] }"#)
        )),
    ];
    (kinds, [gap(), gap(), gap(), gap()], any::<bool>()).prop_map(
        |((key, value, fate), gaps, escaped)| {
            let member = Member {
                key: key.to_owned(),
                value,
                gaps,
                fate,
            };
            (member, escaped)
        },
    )
}

fn written_key(key: &str, escaped: bool) -> String {
    if !escaped {
        return serde_json::to_string(key).expect("a text");
    }
    let units = key.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
    format!("\"{}\"", units.collect::<String>())
}

proptest! {
    #[test]
    fn whatever_is_not_changed_stays_byte_for_byte(
        members in prop::collection::vec(member(), 0..8),
        ends in [gap(), gap()],
    ) {
        let mut seen: Vec<String> = Vec::new();
        let mut members = members;
        members.retain(|(member, _)| {
            let is_new = !seen.contains(&member.key);
            seen.push(member.key.clone());
            is_new
        });
        let schema = json!({
            "properties": {
                "any": {},
                "limit": {"type": "integer"},
                "ratio": {"type": "number"},
                "tags": {"type": "array"},
                "deep": {
                    "properties": {"a": {"items": {"properties": {"n": {"type": "integer"}, "m": {}}}}},
                    "additionalProperties": false
                }
            },
            "additionalProperties": false
        });
        // Whole members with the gaps inside of them; those between are for the commas.
        let inner = |member: &Member, escaped: bool, value: &str| {
            let [_, before, after, _] = &member.gaps;
            format!("{}{before}:{after}{value}", written_key(&member.key, escaped))
        };
        let sent: Vec<String> = members
            .iter()
            .map(|(member, escaped)| {
                format!("{}{}{}", member.gaps[0], inner(member, *escaped, &member.value), member.gaps[3])
            })
            .collect();
        let sent = format!("{}{{{}}}{}", ends[0], sent.join(","), ends[1]);

        let modes = ValidationModes::all(ValidationMode::Reject)
            .with(ValidationRule::Unknown, ValidationMode::Strip)
            .with(ValidationRule::Coercible, ValidationMode::Coerce);
        let checked = check(&schema, &sent, &modes);
        let checked = checked.map_err(|fault| TestCaseError::fail(format!("{sent}: {}", fault.public().message())))?;
        let is_changed = members.iter().any(|(member, _)| member.fate != Fate::Stays);
        prop_assert_eq!(checked.edited.is_some(), is_changed, "{}", &sent);
        prop_assert_eq!(checked.warnings.is_empty(), !is_changed, "{}", &sent);
        let edited = checked.edited.unwrap_or_else(|| sent.clone());

        // Every member that stays is there with its bytes, in its order, and nothing else but gaps and commas.
        let mut rest = edited.as_str();
        let mut count = 0;
        for (member, escaped) in &members {
            let value = match member.fate {
                Fate::Stays => member.value.as_str(),
                Fate::Becomes(value) => value,
                Fate::Goes => continue,
            };
            let want = inner(member, *escaped, value);
            let at = rest.find(&want);
            prop_assert!(at.is_some(), "{} in {}", want, &edited);
            let (between, after) = rest.split_at(at.unwrap_or_default());
            prop_assert_eq!(between.trim(), if count == 0 { "{" } else { "," }, "{}", &edited);
            rest = &after[want.len()..];
            count += 1;
        }
        let end: String = rest.split_whitespace().collect();
        prop_assert_eq!(&end, if count == 0 { "{}" } else { "}" }, "{}", &edited);
        if !is_changed {
            prop_assert_eq!(&edited, &sent);
        }
    }
}

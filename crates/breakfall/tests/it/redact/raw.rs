//! JSON as text: what the redactor does to a value, and every other byte as it was.

use breakfall::redact::{Audience, Redactor};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::from(4_111_111_111_111_111_u64)),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "could not open '/srv/app/db.key'",
            "bob@example.com",
            "password=hunter2hunter2",
            "a \"quoted\" \\ text\n",
            "",
            "[path]",
        ])
        .prop_map(Value::from),
    ];
    let key = prop_oneof![
        "[a-z]{1,5}",
        prop::sample::select(vec![
            "password",
            "name",
            "key",
            "value",
            "type",
            "token",
            "limit",
            "field",
            "bob@example.com",
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..5)
                .prop_map(|map| map.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn a_text_is_redacted_as_its_value_is(value in values(), is_pretty in any::<bool>()) {
        let text = if is_pretty { format!(" {value:#}\n") } else { value.to_string() };
        let redactor = Redactor::client();
        let clean = redactor.json(&text);
        let mut want = value.clone();
        redactor.value(&mut want);
        let read: Value = serde_json::from_str(&clean).expect("JSON");
        prop_assert_eq!(&read, &want);
        if want == value {
            prop_assert_eq!(&clean, &text);
        }
        prop_assert_eq!(redactor.json(&clean), &*clean);
    }

    #[test]
    fn what_is_no_json_comes_out_as_a_text(text in "[\\[\\]{}\",:a0 \\\\.-]{0,12}") {
        let clean = Redactor::client().json(&text).into_owned();
        prop_assert!(serde_json::from_str::<Value>(&clean).is_ok() || clean == text, "{clean}");
    }
}

#[test]
fn what_no_value_can_hold_keeps_its_bytes() {
    let redactor = Redactor::client();
    let odd = r#"{ "a":1e400,"a" : 12345678901234567890123 , "b":["\ud800x", -0.0] }"#;
    assert_eq!(redactor.json(odd), odd);
    let leak =
        r#"{"a":1e400,"a":"/srv/app/db.key","password":1e400,"b":"\ud800 in /srv/app/x.py"}"#;
    let clean = redactor.json(leak);
    assert_eq!(
        clean,
        "{\"a\":1e400,\"a\":\"[path]\",\"password\":\"[redacted:password]\",\"b\":\"\u{fffd} in [path]\"}"
    );
}

#[test]
fn members_that_are_to_be_kept_are_kept_at_the_top_only() {
    let json = r#"{"data":"/srv/a.py","in":{"data":"/srv/b.py"},"password":"x"}"#;
    let clean = Redactor::client().members(json, |name| name == "data");
    assert_eq!(
        clean,
        r#"{"data":"/srv/a.py","in":{"data":"[path]"},"password":"[redacted:password]"}"#
    );
    assert_eq!(Redactor::new(Audience::Unredacted).json(json), json);
}

#[test]
fn names_tell_of_values_that_come_before_them() {
    let clean = Redactor::client()
        .json(r#"[{"value":"open","name":"password"},{"value":"open","name":"door"}]"#);
    assert_eq!(
        clean,
        r#"[{"value":"[redacted:password]","name":"password"},{"value":"open","name":"door"}]"#
    );
}

#[test]
fn hostile_nesting_takes_no_time() {
    let deep = format!("{}1{}", r#"{"value":"#.repeat(100_000), "}".repeat(100_000));
    assert!(Redactor::client().json(&deep).contains("[cut: depth]"));
    let open = "[".repeat(1_000_000);
    assert!(Redactor::client().json(&open).starts_with('"'));
}

#[test]
fn a_secret_made_for_its_reader_stays_and_no_other() {
    let redactor = Redactor::client()
        .sparing(&json!({"a": "b"}))
        .presenting("c0ffee-4711");
    let text = "confirmation_token=c0ffee-4711; token=abcdefgh12345678";
    assert_eq!(
        redactor.text(text),
        "confirmation_token=c0ffee-4711; token=[redacted:secret]"
    );
    let json = r#"{"token":"c0ffee-4711","password":"c0ffee-4712"}"#;
    assert_eq!(
        redactor.json(json),
        r#"{"token":"c0ffee-4711","password":"[redacted:password]"}"#
    );
}

#[test]
fn the_rest_of_a_trace_goes_with_it_when_somebody_cut_the_text() {
    let whole = "goroutine 1 [running]:\ngithub.com/a/b.F(0x1)\n\t/srv/b/f.go:1 +0x1\ngithub.com/a/b.G(0x2)\n\t/srv/b/g.go:2 +0x2\ngithub.com/a/b.H(0x56)";
    let redactor = Redactor::client();
    assert!(redactor.text(whole).ends_with("b.H(0x56)"));
    assert!(!redactor.text(&format!("{whole}…")).contains("b.H"));
    let sentence =
        "Error: boom\n    at f (/app/a.js:1:2)\n    at g (/app/b.js:3:4)\none\ntwo\nthree…";
    assert_eq!(
        redactor.text(sentence),
        "Error: boom\n[trace]\none\ntwo\nthree…"
    );
}

#[test]
fn a_name_that_is_a_secret_itself_says_the_same_of_the_value_beside_it() {
    let redactor = Redactor::client();
    for name in ["password=hunter2hunter2", "password", "token: abc123abc123"] {
        let value = json!({"a": {"name": name, "value": 0}});
        let clean = redactor.json(&value.to_string()).into_owned();
        let mut want = value;
        redactor.value(&mut want);
        assert_eq!(serde_json::from_str::<Value>(&clean).expect("JSON"), want);
        assert_eq!(redactor.json(&clean), clean);
    }
}

//! JSON values: by key and by text, at any depth.

use breakfall::redact::Redactor;
use serde_json::{Value, json};

fn clean(mut value: Value) -> Value {
    Redactor::client().value(&mut value);
    value
}

#[test]
fn keys_that_name_a_secret_hide_their_value() {
    let names = [
        "password",
        "passwd",
        "pwd",
        "secret",
        "token",
        "api_key",
        "access_token",
        "refresh_token",
        "private_key",
        "secret_key",
        "auth",
        "authorization",
        "credential",
        "credentials",
        "ssn",
        "credit_card",
        "cvv",
        "tax_id",
        "taxId",
        "x-api-key",
        "apiKey",
        "API_KEY",
        "clientSecret",
        "DB_PASSWORD",
        "aws_secret_access_key",
        "SharedAccessKey",
        "user.password",
        "password2",
        "sessionToken",
        "cookie",
    ];
    for name in names {
        let value = clean(json!({"a": [{name: "x"}]}));
        let text = value["a"][0][name].as_str().unwrap_or_default();
        assert!(text.starts_with("[redacted:"), "{name}: {value}");
    }
}

#[test]
fn keys_that_only_sound_like_one_do_not() {
    let value = json!({
        "next_page_token": "CAUQAA", "token_count": 12, "max_tokens": 4096, "tokens": 7, "primary_key": "id", "sort_key": "name", "key": "name", "author": "ada", "authors": ["bob"],
        "password_policy": "strict", "secret_name": "db", "public_key": "abc", "token_type": "bearer", "idempotency_key": "x", "monkey": "see", "pass": 3, "keyboard": "us",
        "password": null, "token": true, "auth": false, "passwords_checked": 3,
    });
    assert_eq!(clean(value.clone()), value);
}

#[test]
fn what_describes_a_secret_is_none() {
    let schema = json!({"properties": {"password": {"type": "string", "minLength": 8, "description": "at least one digit"}}});
    assert_eq!(clean(schema.clone()), schema);
    let named =
        json!({"param_name": "password", "reason": "too short", "valid_params": ["token", "user"]});
    assert_eq!(clean(named.clone()), named);
}

#[test]
fn a_secret_in_several_parts_goes_in_all_of_them() {
    assert_eq!(
        clean(
            json!({"credentials": {"user": "ada", "type": "basic"}, "tokens": ["a"], "secret": ["b", 7]})
        ),
        json!({"credentials": {"user": "[redacted:secret]", "type": "basic"}, "tokens": ["a"], "secret": ["[redacted:secret]", "[redacted:secret]"]})
    );
    assert_eq!(
        clean(json!({"name": "password", "value": "x"}))["value"],
        "[redacted:password]"
    );
    assert_eq!(
        clean(json!([{"key": "api_key", "value": "x"}]))[0]["value"],
        "[redacted:api-key]"
    );
}

#[test]
fn texts_and_keys_are_read_too() {
    let value = clean(
        json!({"a": ["see /home/ada/x.txt", {"ada@example.com": 1}], "n": 4_111_111_111_111_111_u64}),
    );
    assert_eq!(
        value,
        json!({"a": ["see [path]", {"[redacted:email]": 1}], "n": "[redacted:card]"})
    );
}

#[test]
fn a_value_is_redacted_once() {
    let value = clean(
        json!({"password": "x", "deep": {"token": ["a"], "auth": {"pw": "x"}}, "text": "password=x y@example.com"}),
    );
    assert_eq!(clean(value.clone()), value);
}

//! Values and sources made to break things.

use breakfall::locale::{Language, Languages};
use breakfall::{Catalog, Fault, codes};
use serde_json::{Value, json};

use super::{TRANSLATED, message, remedy};

#[test]
fn a_value_is_never_taken_for_a_template() {
    for value in [
        "{ $x }",
        "{ NUMBER($limit) }",
        "{ \"quoted\" }",
        "{param_name}",
        "{ -term } { TOKEN_INVALID.user }",
        "a\n.user = b\nTOKEN_INVALID = c",
        "\u{2068}isolated\u{2069}",
        "\u{202e}backwards",
        "\0\u{1}\u{7f}",
        "'; DROP TABLE orders; --",
    ] {
        let fault = || Fault::missing_param(value);
        assert_eq!(
            message(fault(), Language::German),
            format!("Pflichtparameter '{value}' fehlt")
        );
        assert_eq!(
            message(fault(), Language::Spanish),
            format!("Falta el parámetro requerido '{value}'")
        );
        assert_eq!(
            message(fault(), Language::Japanese),
            format!("必須パラメーター'{value}'がありません")
        );
    }
}

#[test]
fn no_mark_of_ours_is_left_around_a_value() {
    for language in TRANSLATED {
        let said = message(Fault::missing_param("owner"), language);
        assert!(!said.contains([
            '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}', '\u{200e}', '\u{200f}'
        ]));
    }
}

#[test]
fn a_megabyte_is_copied_and_nothing_more() {
    let long = "{".repeat(1 << 20);
    for language in TRANSLATED {
        let said = message(Fault::missing_param(&long), language);
        assert!(said.contains(&long) && said.len() < long.len() + 100);
        let many: Vec<String> = (0..100_000).map(|at| at.to_string()).collect();
        let said = message(Fault::unknown_params("op", &many, &[]), language);
        assert!(said.contains("99999"));
    }
}

#[test]
fn any_json_value_in_any_place_is_said_or_left_out() {
    let values = [
        json!(null),
        json!(true),
        json!(-0.0),
        json!(1e300),
        json!(-1e-300),
        json!(f64::MAX),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(9_007_199_254_740_993_u64),
        json!(0.1 + 0.2),
        json!("one"),
        json!(["a", ["b"], {"c": 1}]),
        json!({"nested": {"deep": []}}),
    ];
    for code in breakfall::catalog::CODES {
        for value in &values {
            for language in Language::ALL {
                let details = code.entry().details.iter();
                let fault = details.fold(Fault::new(*code), |fault, detail| {
                    fault.detail(detail.name, value.clone())
                });
                let fault = fault.in_language(*language);
                let public = fault.public();
                assert!(!public.message().is_empty() && !public.remediation().is_empty());
            }
        }
    }
}

#[test]
fn a_number_of_any_size_is_exact() {
    let timeout = |value: Value| Fault::new(codes::UNAVAILABLE_TIMEOUT).detail("timeout_ms", value);
    for (value, german) in [
        (json!(u64::MAX), "18.446.744.073.709.551.615"),
        (json!(9_007_199_254_740_993_u64), "9.007.199.254.740.993"),
        (json!(-1234), "-1.234"),
        (json!(1e300), "1e+300"),
        (json!(0.1 + 0.2), "0,30000000000000004"),
    ] {
        let said = message(timeout(value), Language::German);
        assert_eq!(
            said,
            format!("Dienst antwortete nicht innerhalb von '{german}' ms")
        );
    }
    let limited = |value: Value| {
        Fault::new(codes::UNAVAILABLE_CIRCUIT_OPEN).detail("x_retry_after_seconds", value)
    };
    assert!(
        remedy(limited(json!(1)), Language::German).starts_with("Jetzt einen Ersatz verwenden")
    );
}

/// A source is a server's own file, and still: nothing about it ends the process.
#[test]
fn a_source_of_any_shape_is_refused_in_bounded_time() {
    let deep = 100_000;
    let sources = [
        "{".repeat(1 << 20),
        format!("TOKEN_INVALID = {}", "{".repeat(deep)),
        format!(
            "TOKEN_INVALID = {{ {}$x{} }}",
            "NUMBER(".repeat(deep),
            ")".repeat(deep)
        ),
        format!("TOKEN_INVALID = {{ $x{}", " ->\n *[a] { $x".repeat(deep)),
        format!("TOKEN_INVALID = {{\n{}", "NUMBER(\n".repeat(deep)),
        format!("TOKEN_INVALID = {{\n{}", "{\n".repeat(deep)),
        format!("-term = {{{}", " -a(b: -a(".repeat(deep)),
        "junk\n".repeat(100_000),
        "= = =\n".repeat(100_000),
        "\u{feff}".to_owned(),
        "TOKEN_INVALID = \"\\u0000\"\r\r\r\n\0".to_owned(),
        many_unknown_codes(),
        "x".repeat((1 << 20) + 1),
    ];
    for source in sources {
        let refused = Languages::of(Catalog::builtin()).with(Language::German, &source);
        match refused {
            Err(error) => {
                assert!((1..=20).contains(&error.problems().len()));
                assert!(error.to_string().len() < 20_000);
            }
            // Nothing in it is nothing wrong with it.
            Ok(_) => assert!(source.trim_matches('\u{feff}').is_empty(), "{source:.40}"),
        }
    }
}

#[test]
fn nothing_is_a_translation_of_nothing() {
    for nothing in ["", "\n\n", "# A comment\n", "### Deutsch\n## Gruppe\n"] {
        assert!(Languages::builtin().with(Language::German, nothing).is_ok());
    }
}

fn many_unknown_codes() -> String {
    let names: Vec<String> = (0..50_000)
        .map(|at| format!("UNKNOWN_CODE_{at} = x"))
        .collect();
    names.join("\n")
}

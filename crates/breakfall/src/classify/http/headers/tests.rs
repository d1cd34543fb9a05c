use super::*;

fn now() -> Timestamp {
    "2026-01-28T12:00:00Z".parse().expect("a moment")
}

fn heads(headers: &[(&str, &str)]) -> HeaderReading {
    read(
        headers
            .iter()
            .map(|(name, value)| (*name, value.as_bytes())),
        now(),
    )
}

fn reset(headers: &[(&str, &str)]) -> Option<String> {
    heads(headers).limit.resets_at.map(|at| at.to_string())
}

#[test]
fn every_header_of_the_table_is_understood() {
    for (name, fact, example) in HEADERS {
        let upper = name.to_ascii_uppercase();
        let heads = heads(&[(&upper, example)]);
        let understood = match fact {
            HeaderKind::Wait | HeaderKind::WaitMillis => heads.wait.is_some(),
            HeaderKind::Limit(_) => heads.limit.calls.is_some(),
            HeaderKind::Remaining(_) => heads.limit.is_spent(),
            HeaderKind::Reset(_) => heads.limit.resets_at.is_some_and(|at| at > now()),
            HeaderKind::Fields => heads.limit.is_spent() && heads.limit.resets_at.is_some(),
            HeaderKind::Policy => {
                heads.limit.calls == Some(100) && heads.window == Some(Window::Minute)
            }
            HeaderKind::RequestId => heads.request_id.as_deref() == Some(*example),
            HeaderKind::Challenge => {
                heads.scheme.as_deref() == Some("Bearer") && heads.challenge.is_some()
            }
            HeaderKind::ContentType => heads.content_type.as_deref() == Some("text/html"),
            HeaderKind::ErrorName => {
                example.starts_with(heads.error_name.as_deref().unwrap_or("?"))
            }
        };
        assert!(understood, "{name}: {example}: {heads:?}");
    }
}

#[test]
fn both_forms_of_the_draft_are_read() {
    for (value, want) in [
        (
            "\"default\";r=0;t=50",
            (None, Some(0), Some("2026-01-28T12:00:50Z")),
        ),
        (
            "limit=100, remaining=0, reset=50",
            (Some(100), Some(0), Some("2026-01-28T12:00:50Z")),
        ),
        (
            "\"a,b;c\";r=7;t=9, \"day\";r=0;t=60",
            (None, Some(0), Some("2026-01-28T12:01:00Z")),
        ),
        ("nonsense", (None, None, None)),
    ] {
        let limit = heads(&[("RateLimit", value)]).limit;
        let at = limit.resets_at.map(|at| at.to_string());
        assert_eq!(
            (limit.calls, limit.remaining, at.as_deref()),
            want,
            "{value}"
        );
    }
}

#[test]
fn the_limit_that_is_spent_is_the_one_that_was_hit() {
    let at = reset(&[
        ("x-ratelimit-remaining-requests", "59"),
        ("x-ratelimit-reset-requests", "2m"),
        ("x-ratelimit-remaining-tokens", "0"),
        ("x-ratelimit-reset-tokens", "6s"),
    ]);
    assert_eq!(at.as_deref(), Some("2026-01-28T12:00:06Z"));
    let unknown = reset(&[
        ("x-ratelimit-reset-requests", "2m"),
        ("x-ratelimit-reset-tokens", "6s"),
    ]);
    assert_eq!(
        unknown.as_deref(),
        Some("2026-01-28T12:02:00Z"),
        "never too early"
    );
}

#[test]
fn values_nobody_could_mean_are_not_believed() {
    let long = "9".repeat(5000);
    for value in [
        "-1",
        "NaN",
        "1e999",
        "\u{0}1",
        "1\r\nX-Evil: 1",
        "",
        "99999999999999999999999999",
        &long,
    ] {
        let heads = heads(&[
            ("retry-after", value),
            ("retry-after-ms", value),
            ("x-ratelimit-limit", value),
            ("x-ratelimit-remaining", value),
            ("x-ratelimit-reset", value),
            ("ratelimit", value),
            ("ratelimit-policy", value),
            ("content-type", &format!("{value}\u{7}")),
        ]);
        assert_eq!(
            (heads.wait, heads.limit, heads.window),
            (None, QuotaLimit::default(), None),
            "{value:.20}"
        );
        assert_eq!(heads.content_type, None);
    }
}

#[test]
fn milliseconds_say_more_than_seconds_in_any_order() {
    for order in [[0, 1], [1, 0]] {
        let both = [("retry-after", "2"), ("retry-after-ms", "1500")];
        let heads = heads(&order.map(|at| both[at]));
        assert_eq!(heads.wait, Some(Duration::from_millis(1500)));
    }
}

#[test]
fn an_id_that_is_none_is_dropped() {
    assert_eq!(heads(&[("x-request-id", "<script>")]).request_id, None);
    assert_eq!(
        heads(&[("x-request-id", &"x".repeat(500))]).request_id,
        None
    );
}

#[test]
fn a_challenge_tells_expired_from_refused() {
    let told = |value| heads(&[("www-authenticate", value)]).challenge;
    assert_eq!(
        told("Bearer error=\"invalid_token\", error_description=\"The access token expired\""),
        Some(codes::AUTHENTICATION_EXPIRED)
    );
    assert_eq!(
        told("Bearer error=\"invalid_token\""),
        Some(codes::AUTHENTICATION_INVALID_CREDENTIALS)
    );
    assert_eq!(told("Basic realm=\"x\""), None);
}

//! Parsing of `traceparent`.

use breakfall_gateway::record::Trace;
use proptest::prelude::*;

const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[test]
fn malformed_text_is_rejected() {
    for text in [
        "",
        "00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ] {
        assert!(text.parse::<Trace>().is_err(), "{text}");
    }
}

#[test]
fn a_later_version_is_read_as_version_00() {
    let later = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03-and-more";
    let trace: Trace = later.parse().expect("it has what this version has");
    assert_eq!(trace.to_string(), GOOD.replace("-01", "-03"));
}

#[test]
fn it_is_found_in_meta_and_nowhere_else() {
    for params in [
        format!(r#"{{"arguments":{{"traceparent":"{GOOD}"}}}}"#),
        format!(r#"{{"_meta":{{"inner":{{"traceparent":"{GOOD}"}}}}}}"#),
        r#"{"_meta":{"traceparent":7}}"#.to_owned(),
        r#"{"_meta":"traceparent"}"#.to_owned(),
        format!(r#"["traceparent","{GOOD}"]"#),
        "\"traceparent\"".to_owned(),
    ] {
        assert_eq!(Trace::of_params(&params), None, "{params}");
    }
}

proptest! {
    #[test]
    fn any_text_parses_to_a_trace_or_fails(text in "\\PC{0,80}|[0-9a-f-]{0,60}") {
        if let Ok(trace) = text.parse::<Trace>() {
            prop_assert_eq!(trace.to_string().parse(), Ok(trace));
        }
    }

    #[test]
    fn a_child_stays_in_its_trace(span: u64) {
        let trace: Trace = GOOD.parse().expect("a trace");
        let child = trace.child(span);
        prop_assert_eq!(child.trace_id(), trace.trace_id());
        prop_assert_eq!(child.to_string().parse(), Ok(child));
    }
}

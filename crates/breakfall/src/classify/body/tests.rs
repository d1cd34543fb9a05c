use serde_json::json;

use super::shapes::{BodyShape, SHAPES};
use super::*;
use crate::redact::unredacted;

#[test]
fn every_shape_reads_its_examples() {
    let mut wrong = Vec::new();
    for BodyShape { name, examples, .. } in SHAPES {
        assert!(!examples.is_empty(), "{name} has an example");
        for example in *examples {
            let body: Value = serde_json::from_str(example.body).expect("an example is JSON");
            let Some(said) = read(&body) else {
                wrong.push(format!("{name}: nothing read from {}", example.body));
                continue;
            };
            let pointers: Vec<_> = said.violations.iter().map(Violation::pointer).collect();
            let have = (
                said.shape,
                said.message.as_deref().unwrap_or_default(),
                said.name.as_deref().unwrap_or_default(),
                said.code.map_or("", Code::name),
                &pointers[..],
            );
            let want = (
                *name,
                example.message,
                example.name,
                example.code,
                example.violations,
            );
            if have != want {
                wrong.push(format!(
                    "{}\n  want {want:?}\n  have {have:?}",
                    example.body
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn data_is_no_failure() {
    for body in [
        json!({"orders": [], "total": 0}),
        json!({"tags": ["a", "b"]}),
        json!({}),
        json!([]),
        json!(null),
        json!(17),
        json!({"error": null}),
        json!({"errors": []}),
    ] {
        assert_eq!(read(&body), None, "{body}");
    }
}

#[test]
fn a_document_of_ours_is_read_exactly_and_a_mere_problem_is_not() {
    let fault = Fault::missing_param("owner").in_operation("get_repo");
    let outcome = Outcome::from(fault);
    for &dialect in Dialect::ALL {
        let body = wire::encode(unredacted(&outcome), dialect, &Options::new())
            .expect("every dialect says a fault")
            .to_value();
        let (read, as_dialect, sure) = exact(&body, &Options::new()).expect("ours");
        assert_eq!(as_dialect, dialect);
        assert_eq!(sure, Confidence::Exact, "{dialect}");
        assert_eq!(read.code().category(), Category::Validation, "{dialect}");
    }
    let anybody = json!({"type": "about:blank", "title": "Not Found", "status": 404});
    assert!(exact(&anybody, &Options::new()).is_none());
    for not_ours in [
        json!({"success": true, "data": {}}),
        json!({"success": false, "error": "User not found"}),
        json!({"success": false, "error": {"code": "E1234", "message": "no"}}),
        json!({"error": {"code": -1, "message": "no"}}),
    ] {
        assert!(exact(&not_ours, &Options::new()).is_none(), "{not_ours}");
    }
}

#[test]
fn violations_become_one_sentence_and_are_counted_beyond_a_bound() {
    let errors: Vec<_> = (0..120)
        .map(|n| json!({"loc": ["body", format!("f{n}")], "msg": "Field required", "type": "missing"}))
        .collect();
    let said = read(&json!({"detail": errors})).expect("a list of errors");
    assert_eq!(said.code, Some(codes::VALIDATION_MISSING_PARAM));
    assert_eq!(said.violations.len(), MOST_VIOLATIONS);
    let fault = said.add_to(Fault::new(codes::VALIDATION_MISSING_PARAM));
    assert_eq!(
        fault.public().message(),
        "'f0': Field required; 'f1': Field required; 'f2': Field required; and 47 more"
    );
    assert_eq!(
        fault.public().details().get("violations_total"),
        Some(&json!(120))
    );
}

#[test]
fn a_wait_is_only_believed_where_the_code_may_be_repeated() {
    let said = || read(&json!({"message": "slow down", "retry_after": 1.5})).expect("words");
    let may = said().add_to(Fault::new(codes::RATE_LIMIT_EXCEEDED));
    assert_eq!(
        may.public().retry_after(),
        Some(Duration::from_millis(1500))
    );
    let may_not = said().add_to(Fault::new(codes::NOT_FOUND_RESOURCE));
    assert_eq!(may_not.public().retry_after(), None);
}

#[test]
fn absurd_values_are_no_waits() {
    for value in [
        json!(-1),
        json!(1e300),
        json!("NaN"),
        json!("inf"),
        json!({}),
        json!("soon"),
    ] {
        let said = read(&json!({"message": "slow down", "retry_after": value})).expect("words");
        assert_eq!(said.wait, None, "{value}");
    }
}

#[test]
fn a_long_message_is_cut_and_control_characters_go() {
    let said = read(&json!({"message": format!("a\u{1b}b{}", "x".repeat(5000))})).expect("words");
    let message = said.message.expect("words");
    assert_eq!(message.chars().count(), excerpt::MESSAGE + 1);
    assert!(message.starts_with("abx"), "{message}");
}

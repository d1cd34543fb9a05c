//! Input nobody meant well: every case has to come back, with a fault, in bounded work.

use breakfall::classify::Classifier;
use breakfall::codes;
use serde_json::json;

use super::{failed, rule, said, text};

#[test]
fn a_text_of_fifty_megabytes_is_judged_by_its_ends() {
    let filler = "lorem ipsum dolor sit amet ".repeat(2_000_000);
    let front = text(&format!("Error: permission denied\n{filler}"));
    assert_eq!(rule(&front), "text.forbidden");
    let back = text(&format!("{filler}\nConnectionError: connection refused"));
    assert_eq!(rule(&back), "text.network");
    let middle = text(&format!("{filler}\nError: connection refused\n{filler}"));
    assert_eq!(rule(&middle), "default.unclassified");
    assert_eq!(
        middle.public().message().len(),
        2 * filler.len() + 27 - 1,
        "and yet kept"
    );
}

#[test]
fn bytes_that_are_no_text_are_judged_all_the_same() {
    let fault = Classifier::new().bytes(b"\xff\xfe\x00Error: ENOSPC\xc3\x28 no space left");
    assert_eq!(rule(&fault), "text.storage");
    assert_eq!(Classifier::new().bytes(&[]).code(), codes::INTERNAL_UNKNOWN);
    assert_eq!(
        Classifier::new().bytes(&[0x80; 4096]).code(),
        codes::INTERNAL_UNKNOWN
    );
}

#[test]
fn nesting_of_every_kind_comes_to_an_end() {
    let brackets = "[".repeat(100_000);
    let objects = r#"{"error":"#.repeat(50_000);
    let layers = "MCP error -32603: ".repeat(100_000);
    let openings = "Error: ".repeat(100_000);
    for hostile in [&brackets, &objects, &layers, &openings] {
        let fault = text(hostile);
        assert!(fault.public().provenance().is_some());
        assert!(
            Classifier::new()
                .unmask(true)
                .disguised(&said(hostile))
                .is_none()
        );
    }
}

#[test]
fn words_that_begin_many_phrases_do_not_multiply() {
    for word in [
        "invalid ",
        "is ",
        "no ",
        "tool ' ",
        "not ",
        "1 validation error for x\n",
        "✖ ",
        "429 ",
        "HTTP/",
        ", a: ",
    ] {
        let fault = text(&word.repeat(200_000));
        assert!(fault.public().provenance().is_some());
    }
}

#[test]
fn dumps_are_cut() {
    let complaint = "a\n  Field required [type=missing, input_value={}, input_type=dict]\n";
    let pydantic = format!("9 validation errors for x\n{}", complaint.repeat(5_000));
    let issue = json!({"code": "custom", "path": ["a"], "message": "x".repeat(2_000)});
    let zod = json!(vec![issue; 60]).to_string();
    for dump in [pydantic, zod] {
        let fault = text(&dump);
        assert_eq!(fault.public().violations().len(), 50);
        assert!(
            fault.public().message().len() <= 1_100,
            "{}",
            fault.public().message().len()
        );
    }
}

#[test]
fn strange_shapes_of_results_are_failures_all_the_same() {
    for result in [
        json!({"isError": true}),
        json!({"isError": true, "content": "Error: not a list"}),
        json!({"isError": true, "content": [7, null, {"type": "text"}, {"text": 3}]}),
        json!({"isError": true, "structuredContent": [1, 2]}),
        json!(null),
        json!("Error"),
    ] {
        assert_eq!(
            rule(&Classifier::new().result(&result)),
            "default.unclassified",
            "{result}"
        );
    }
    assert!(
        Classifier::new()
            .unmask(true)
            .disguised(&failed(""))
            .is_none()
    );
}

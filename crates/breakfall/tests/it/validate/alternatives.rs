//! `anyOf` and `oneOf`: the errors of the alternative that was meant, or one for all of them.

use breakfall::validate::Kind;
use serde_json::{Value, json};

use super::{compiled, found, violation};

fn one(schema: &Value, value: &Value) -> (String, Kind) {
    let schema = json!({"properties": {"v": schema}});
    let all = found(&schema, &json!({"v": value}));
    assert_eq!(all.len(), 1, "{all:?}");
    (all[0].0.clone(), all[0].2)
}

#[test]
fn a_value_of_no_type_of_any_alternative_has_the_wrong_type() {
    let optional = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
    assert_eq!(one(&optional, &json!("x")), ("/v".into(), Kind::Type));
    let told = violation(&json!({"properties": {"v": optional}}), &json!({"v": "50"}));
    assert_eq!(
        (&told["expected"], &told["suggestion"]),
        (&json!("null or integer"), &json!(50))
    );
}

#[test]
fn the_alternative_of_the_right_type_is_meant() {
    let optional =
        json!({"anyOf": [{"enum": ["open", "closed"], "type": "string"}, {"type": "null"}]});
    assert_eq!(one(&optional, &json!("Open")), ("/v".into(), Kind::Enum));
    let object = json!({"oneOf": [
        {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        {"type": "array"}
    ]});
    assert_eq!(
        one(&object, &json!({"n": "x"})),
        ("/v/n".into(), Kind::Type)
    );
}

#[test]
fn literals_are_values_to_choose_from() {
    let literals =
        json!({"oneOf": [{"const": "red", "title": "R"}, {"const": "green"}, {"const": "blue"}]});
    assert_eq!(one(&literals, &json!("grene")), ("/v".into(), Kind::Enum));
    let told = violation(
        &json!({"properties": {"v": literals}}),
        &json!({"v": "grene"}),
    );
    assert_eq!(told["expected"], json!(["red", "green", "blue"]));
    assert_eq!(told["suggestion"], "green");
}

#[test]
fn a_tag_says_which_alternative_is_meant() {
    let tagged = json!({"oneOf": [
        {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
        {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}
    ]});
    assert_eq!(
        one(&tagged, &json!({"kind": "square"})),
        ("/v/side".into(), Kind::Missing)
    );
    assert_eq!(
        one(&tagged, &json!({"kind": "circle", "radius": "x"})),
        ("/v/radius".into(), Kind::Type)
    );
    let told = violation(
        &json!({"properties": {"v": tagged}}),
        &json!({"v": {"kind": "Circle", "radius": 1}}),
    );
    assert_eq!(told["pointer"], "/v/kind");
    assert_eq!(told["expected"], json!(["circle", "square"]));
    assert_eq!(told["suggestion"], "circle");
}

#[test]
fn the_alternative_with_far_fewer_errors_is_meant() {
    let shapes = json!({"anyOf": [
        {"required": ["a", "b", "c", "d"]},
        {"required": ["x", "y"]}
    ]});
    assert_eq!(
        one(&shapes, &json!({"x": 1})),
        ("/v/y".into(), Kind::Missing)
    );
}

#[test]
fn one_of_several_names_can_be_what_is_missing() {
    let either = json!({"anyOf": [{"required": ["id"]}, {"required": ["name"]}]});
    let schema = compiled(&either);
    let fault = schema
        .check(&json!({}))
        .into_fault("find")
        .expect("a fault");
    assert_eq!(fault.code().name(), "VALIDATION_MISSING_PARAM");
    assert_eq!(
        fault.public().message(),
        "Missing required parameter 'id or name'"
    );
    assert_eq!(fault.public().violations().len(), 1);
}

#[test]
fn when_nothing_is_clear_there_is_one_violation_for_all() {
    let texts = json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "email"}]});
    assert_eq!(one(&texts, &json!("x")), ("/v".into(), Kind::Other));
    let told = violation(&json!({"properties": {"v": texts}}), &json!({"v": "x"}));
    assert_eq!(
        told["message"],
        "fits none of the alternatives: date; email"
    );
    let both = json!({"oneOf": [{"type": "integer"}, {"minimum": 2}]});
    assert_eq!(one(&both, &json!(5)), ("/v".into(), Kind::Other));
}

//! How a field becomes JSON: by conversion, by `Display`, by `Serialize`.

use std::fmt;

use breakfall::code::Shape;
use breakfall::{Codes, Fault};
use serde::{Serialize, Serializer};
use serde_json::json;

#[derive(Debug, Clone)]
struct OrderId(u32);

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ord_{}", self.0)
    }
}

#[derive(Debug, Serialize)]
struct Line {
    sku: &'static str,
    count: u8,
}

/// It refuses, as a map with keys that are no text does.
#[derive(Debug)]
struct Stubborn;

impl Serialize for Stubborn {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("refused"))
    }
}

#[derive(Debug, Fault)]
#[fault(code = "ORDER_TOO_LARGE", extends = BUSINESS_RULE_VIOLATION, message = "Order '{order}' is too large")]
struct TooLarge<Id> {
    #[fault(detail = "order", display)]
    id: Id,
    #[fault(display)]
    parent: Option<Id>,
    #[fault(serialize)]
    lines: Vec<Line>,
    #[fault(serialize, detail = "first")]
    largest: Option<Line>,
    #[fault(serialize)]
    stubborn: Option<Stubborn>,
}

fn too_large(parent: Option<OrderId>, stubborn: Option<Stubborn>) -> Fault {
    let line = || Line {
        sku: "tea",
        count: 2,
    };
    let largest = parent.is_some().then(line);
    TooLarge {
        id: OrderId(7),
        parent,
        lines: vec![line()],
        largest,
        stubborn,
    }
    .into()
}

#[test]
fn a_field_is_shown_or_serialised_on_demand() {
    let fault = too_large(Some(OrderId(6)), None);
    let details: Vec<_> = fault.public().details().iter().collect();
    let line = json!({"sku": "tea", "count": 2});
    assert_eq!(
        details,
        [
            ("first", &line),
            ("lines", &json!([line])),
            ("order", &json!("ord_7")),
            ("parent", &json!("ord_6")),
        ]
    );
    assert_eq!(fault.public().message(), "Order 'ord_7' is too large");
}

#[test]
fn what_is_none_is_left_out() {
    let fault = too_large(None, None);
    let keys: Vec<&str> = fault
        .public()
        .details()
        .iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["lines", "order"]);
}

#[test]
fn what_cannot_be_written_is_told_to_the_log_alone() {
    let fault = too_large(None, Some(Stubborn));
    assert!(fault.public().details().get("stubborn").is_none());
    assert!(
        fault
            .report()
            .to_string()
            .contains("'stubborn' could not be written: refused")
    );
}

#[test]
fn what_is_shown_is_declared_as_text() {
    let [code] = TooLarge::<OrderId>::CODES else {
        panic!("one code")
    };
    let declared = code.entry().details.iter();
    let declared: Vec<_> = declared.map(|d| (d.name, d.shape, d.required)).collect();
    assert_eq!(
        declared,
        [
            ("order", Shape::Text, true),
            ("parent", Shape::Text, false),
            ("lines", Shape::Any, true),
            ("first", Shape::Any, false),
            ("stubborn", Shape::Any, false),
        ]
    );
}

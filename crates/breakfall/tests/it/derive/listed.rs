//! The codes of an error type, and their registration.

use breakfall::{Catalog, Code, Codes, Entry, Fault, codes};
use serde_json::json;

#[derive(Debug, Fault)]
enum OrderError {
    #[fault(code = "ORDER_GONE", extends = NOT_FOUND_RESOURCE, message = "The order is gone")]
    Gone,
    #[fault(code = NOT_FOUND_RESOURCE, details(resource_type = "customer"))]
    Customer { resource_id: String },
    #[fault(code = self::ORDER_CLOSED)]
    Closed,
    #[fault(code = NOT_FOUND_RESOURCE, details(resource_type = "address"))]
    Address { resource_id: String },
    #[fault(transparent)]
    Other(Fault),
}

#[derive(Debug, Fault)]
enum ReturnError {
    #[fault(code = self::ORDER_CLOSED)]
    Closed,
    #[fault(code = "RETURN_TOO_LATE", extends = BUSINESS_RULE_VIOLATION, message = "Too late to return")]
    TooLate,
}

#[derive(Debug, Fault)]
#[fault(code = "ORDER_GONE", extends = CONFLICT_INVALID_STATE, message = "The order has left")]
struct Left;

static ORDER_CLOSED_ROW: Entry = Entry::extends(codes::CONFLICT_INVALID_STATE, "ORDER_CLOSED")
    .message("The order is closed", "The order is closed")
    .details(&[]);
const ORDER_CLOSED: Code = Code::new(&ORDER_CLOSED_ROW);

fn names(codes: &[Code]) -> Vec<&'static str> {
    codes.iter().map(|code| code.name()).collect()
}

#[test]
fn a_type_lists_its_codes_in_the_order_of_its_variants_each_once() {
    assert_eq!(
        names(OrderError::CODES),
        ["ORDER_GONE", "NOT_FOUND_RESOURCE", "ORDER_CLOSED"]
    );
    assert_eq!(names(Left::CODES), ["ORDER_GONE"]);
    let raised = [
        OrderError::Gone.into(),
        OrderError::Customer {
            resource_id: "1".to_owned(),
        }
        .into(),
        OrderError::Closed.into(),
        OrderError::Address {
            resource_id: "1".to_owned(),
        }
        .into(),
    ];
    assert!(
        raised
            .iter()
            .map(Fault::code)
            .all(|code| OrderError::CODES.contains(&code))
    );
    let other = OrderError::Other(Fault::internal());
    assert_eq!(Fault::from(other).code(), codes::INTERNAL_ERROR);
}

#[test]
fn the_rows_of_several_types_are_registered_with_what_they_share() {
    let catalog = Catalog::builtin().with_all::<OrderError>().unwrap();
    let catalog = catalog.with_all::<ReturnError>().unwrap();
    for code in OrderError::CODES.iter().chain(ReturnError::CODES) {
        assert_eq!(catalog.get(code.name()), Some(*code));
    }
    let own = catalog.iter().count() - breakfall::catalog::CODES.len();
    assert_eq!(own, 3);
    assert_eq!(
        names(&[Fault::from(ReturnError::Closed).code()]),
        ["ORDER_CLOSED"]
    );
    assert_eq!(
        names(&[Fault::from(ReturnError::TooLate).code()]),
        ["RETURN_TOO_LATE"]
    );
}

#[test]
fn two_rows_of_one_name_are_refused_by_the_names_of_both() {
    let catalog = Catalog::builtin().with_all::<OrderError>().unwrap();
    let error = catalog.with_all::<Left>().unwrap_err();
    assert_eq!(error.name(), "ORDER_GONE");
    let text = error.to_string();
    for part in ["listed::OrderError in ", "listed::Left in ", "listed.rs:"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(Fault::from(Left).public().message(), "The order has left");
}

#[test]
fn a_clash_with_a_row_by_hand_or_out_of_a_configuration_names_that() {
    static BY_HAND: Entry = Entry::extends(codes::INTERNAL_ERROR, "ORDER_GONE");
    let catalog = Catalog::builtin().with(Code::new(&BY_HAND)).unwrap();
    let text = catalog.with_all::<Left>().unwrap_err().to_string();
    assert!(
        text.contains("already, by ") && text.contains("listed.rs:"),
        "{text}"
    );

    let mut catalog = Catalog::builtin();
    let row = json!({"extends": "INTERNAL_ERROR"});
    catalog
        .add_map("ORDER_GONE", row.as_object().unwrap())
        .unwrap();
    let text = catalog.with_all::<Left>().unwrap_err().to_string();
    assert!(text.contains("by a configuration, and again by "), "{text}");
}

//! `#[derive(Fault)]`: what each attribute does.

mod errors;
mod listed;
#[cfg(feature = "rmcp")]
mod returned;
mod texts;
mod wrapped;
mod written;

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::time::Duration;

use breakfall::catalog::registry::Catalog;
use breakfall::code::{Detail, Shape, Status};
use breakfall::wire::{Dialect, Options, decode};
use breakfall::{Code, Entry, Fault, Outcome, Retry, codes};
use serde_json::{Value, json};

use crate::sample::document_of;

#[derive(Debug, Fault)]
enum OrderError {
    /// No order has the id.
    #[fault(
        code = "ORDER_NOT_FOUND",
        extends = NOT_FOUND_RESOURCE,
        message = "Order '{id}' not found",
        remediation = "List the orders and pick an id from there.",
        user_message = "We have no such order.",
        fallback_tool = "list_orders"
    )]
    NotFound {
        /// The id that leads nowhere.
        id: String,
    },
    #[fault(code = NOT_FOUND_RESOURCE)]
    Customer {
        resource_type: &'static str,
        resource_id: String,
    },
    #[fault(code = self::ORDER_CLOSED)]
    Closed,
    #[fault(code = UNAVAILABLE_DEPENDENCY, remediation = "Ask again tonight.", user_message = "Closed for tonight.")]
    #[fault(fallback_tool = "orders_archive")]
    Database {
        dependency: &'static str,
        #[fault(source)]
        cause: io::Error,
        #[fault(retry_after)]
        wait: Duration,
        #[fault(skip)]
        _connection: Connection,
    },
}

/// It is no JSON, so a derive that did not skip it would not compile.
#[derive(Debug)]
struct Connection;

static ORDER_CLOSED_ROW: Entry = Entry::extends(codes::CONFLICT_INVALID_STATE, "ORDER_CLOSED")
    .message("The order is closed", "The order is closed")
    .details(&[]);
const ORDER_CLOSED: Code = Code::new(&ORDER_CLOSED_ROW);

fn not_found(id: &str) -> Fault {
    OrderError::NotFound { id: id.to_owned() }.into()
}

#[test]
fn a_new_code_has_what_the_attribute_says_and_the_rest_from_its_base() {
    let fault = not_found("ord_7");
    let (entry, public) = (fault.code().entry(), fault.public());
    assert_eq!(entry.name, "ORDER_NOT_FOUND");
    assert_eq!(entry.status, Status::Custom);
    assert_eq!(entry.meaning, "No order has the id.");
    assert_eq!(entry.http, codes::NOT_FOUND_RESOURCE.entry().http);
    assert_eq!(entry.category, codes::NOT_FOUND_RESOURCE.category());
    assert_eq!(public.message(), "Order 'ord_7' not found");
    assert_eq!(
        public.remediation(),
        "List the orders and pick an id from there."
    );
    assert_eq!(public.user_message(), "We have no such order.");
    assert_eq!(public.fallback_tool(), Some("list_orders"));
    assert_eq!(
        public.details().iter().collect::<Vec<_>>(),
        [("id", &json!("ord_7"))]
    );
}

#[test]
fn a_new_code_declares_its_fields() {
    let [id] = not_found("ord_7").code().entry().details else {
        panic!("one field, one detail")
    };
    let expected = Detail {
        name: "id",
        shape: Shape::Text,
        required: true,
        about: "The id that leads nowhere.",
    };
    assert_eq!(*id, expected);
}

#[test]
fn a_message_without_its_value_has_no_hole() {
    assert_eq!(not_found("").public().message(), "Order not found");
}

#[test]
fn a_new_code_passes_the_lint_of_the_catalogue_and_is_read_back() {
    let catalog = Catalog::builtin().with(not_found("").code()).unwrap();
    let options = Options::new().catalog(catalog);
    for dialect in Dialect::ALL.iter().copied() {
        let outcome = Outcome::from(not_found("ord_7"));
        let document = document_of(&outcome, dialect, &options);
        let read = decode(document, dialect, &options).unwrap();
        let read = read.fault().unwrap();
        assert_eq!(read.code().name(), "ORDER_NOT_FOUND", "{dialect}");
        assert_eq!(
            read.public().message(),
            "Order 'ord_7' not found",
            "{dialect}"
        );
    }
}

#[test]
fn a_bare_name_is_a_built_in_code_whose_template_the_fields_fill() {
    let error = OrderError::Customer {
        resource_type: "Customer",
        resource_id: "c_1".to_owned(),
    };
    let fault = Fault::from(error);
    assert_eq!(fault.code(), codes::NOT_FOUND_RESOURCE);
    assert_eq!(fault.public(), Fault::not_found("Customer", "c_1").public());
}

#[test]
fn a_path_is_taken_as_it_stands() {
    let fault = Fault::from(OrderError::Closed);
    assert_eq!(fault.code(), ORDER_CLOSED);
    assert!(fault.public().details().is_empty());
}

#[test]
fn each_field_goes_where_its_attribute_says() {
    let fault = Fault::from(OrderError::Database {
        dependency: "postgres",
        cause: io::Error::other("password authentication failed"),
        wait: Duration::from_secs(5),
        _connection: Connection,
    });
    let public = fault.public();
    assert_eq!(
        public.details().iter().collect::<Vec<_>>(),
        [("dependency", &json!("postgres"))]
    );
    assert_eq!(public.retry_after(), Some(Duration::from_secs(5)));
    assert_eq!(
        fault.source().unwrap().to_string(),
        "password authentication failed"
    );
    assert!(!format!("{fault} {fault:?}").contains("password"));
}

#[test]
fn the_texts_of_a_built_in_code_are_overridden_in_the_fault() {
    let fault = Fault::from(OrderError::Database {
        dependency: "postgres",
        cause: io::Error::other("gone"),
        wait: Duration::ZERO,
        _connection: Connection,
    });
    let public = fault.public();
    assert_eq!(public.remediation(), "Ask again tonight.");
    assert_eq!(public.user_message(), "Closed for tonight.");
    // The keys may be spread over several attributes.
    assert_eq!(public.fallback_tool(), Some("orders_archive"));
}

#[test]
fn the_question_mark_converts() {
    fn order(id: &str) -> Result<(), OrderError> {
        Err(OrderError::NotFound { id: id.to_owned() })
    }
    fn tool(id: &str) -> Result<Value, Fault> {
        order(id)?;
        Ok(json!({}))
    }
    let outcome = Outcome::from(tool("ord_7"));
    assert_eq!(outcome.fault().map(Fault::code), Some(not_found("").code()));
}

#[derive(Debug, Fault)]
#[fault(code = "QUOTA_OF_TEAM", extends = RATE_LIMIT_EXCEEDED, message = "'{team}'")]
struct Quota<'a> {
    team: Option<&'a str>,
    seats: Option<Vec<String>>,
    limit: u32,
    share: f64,
    hard: bool,
    r#type: Cow<'a, str>,
    extra: Value,
    // Both name a part of the fault rather than a detail.
    http_status: u16,
    remediation: Option<String>,
    #[fault(retry_after)]
    wait: Option<Duration>,
}

impl Quota<'_> {
    const EMPTY: Self = Self {
        team: None,
        seats: None,
        limit: 0,
        share: 0.0,
        hard: false,
        r#type: Cow::Borrowed(""),
        extra: Value::Null,
        http_status: 429,
        remediation: None,
        wait: None,
    };
}

#[test]
fn the_type_of_a_field_tells_its_shape_and_whether_it_is_required() {
    let declared = Fault::from(Quota::EMPTY).code().entry().details;
    let declared: Vec<_> = declared
        .iter()
        .map(|d| (d.name, d.shape, d.required))
        .collect();
    assert_eq!(
        declared,
        [
            ("team", Shape::Text, false),
            ("seats", Shape::Texts, false),
            ("limit", Shape::Integer, true),
            ("share", Shape::Number, true),
            ("hard", Shape::Flag, true),
            ("type", Shape::Text, true),
            ("extra", Shape::Any, true),
        ]
    );
}

#[test]
fn what_is_none_is_left_out() {
    let fault = Fault::from(Quota::EMPTY);
    let keys: Vec<&str> = fault
        .public()
        .details()
        .iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["hard", "limit", "share", "type"]);
    assert_eq!(fault.public().retry_after(), None);
    // Nothing is left of the message without its value, so the base's plain form stands in.
    let base = codes::RATE_LIMIT_EXCEEDED.entry();
    assert_eq!(fault.public().message(), base.message.plain);
}

#[test]
fn what_is_some_is_there() {
    let fault = Fault::from(Quota {
        team: Some("red"),
        seats: Some(vec!["a".to_owned()]),
        extra: json!({"k": 1}),
        wait: Some(Duration::from_secs(3)),
        ..Quota::EMPTY
    });
    let public = fault.public();
    assert_eq!(public.message(), "'red'");
    assert_eq!(public.details().get("seats"), Some(&json!(["a"])));
    assert_eq!(public.details().get("extra"), Some(&json!({"k": 1})));
    assert_eq!(public.retry_after(), Some(Duration::from_secs(3)));
    assert_eq!(public.retry(), Retry::After);
}

#[test]
fn a_field_named_for_a_part_of_the_fault_sets_that_part() {
    let fault = Fault::from(Quota {
        remediation: Some("Ask red for a seat.".to_owned()),
        ..Quota::EMPTY
    });
    assert_eq!(fault.public().http_status(), Some(429));
    assert_eq!(fault.public().remediation(), "Ask red for a seat.");
}

#[derive(Debug, Fault)]
#[fault(code = UNAVAILABLE_SERVICE)]
struct Down(
    #[fault(detail = "service")] &'static str,
    #[fault(source)] Box<dyn Error + Send + Sync>,
    #[fault(retry_after)] Duration,
    #[fault(skip)] (),
);

#[test]
fn a_tuple_names_its_details() {
    let fault = Fault::from(Down(
        "search",
        "refused".into(),
        Duration::from_millis(1),
        (),
    ));
    let public = fault.public();
    assert_eq!(public.details().text("service"), Some("search"));
    assert_eq!(fault.source().unwrap().to_string(), "refused");
    assert_eq!(public.retry_after(), Some(Duration::from_millis(1)));
}

#[derive(Debug, Fault)]
#[fault(code = "ROW_OF_RENAMED", extends = VALIDATION_INVALID_VALUE, message = "'{param_name}' is '{source}'")]
struct Renamed {
    #[fault(detail = "param_name")]
    field: String,
    // Shown on purpose, which a field of this name has to say.
    #[fault(detail = "source")]
    source: u8,
}

#[test]
fn a_renamed_detail_is_what_placeholders_name() {
    let fault = Fault::from(Renamed {
        field: "age".to_owned(),
        source: 7,
    });
    assert_eq!(fault.public().message(), "'age' is '7'");
    let keys: Vec<&str> = fault
        .public()
        .details()
        .iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["param_name", "source"]);
}

#[derive(Debug, Fault)]
enum Generic<'a, Id, E>
where
    Id: Clone,
{
    #[fault(code = "GENERIC_MISS", extends = NOT_FOUND_RESOURCE, message = "'{id}' is not in '{shelf}'")]
    Miss { id: Id, shelf: &'a str },
    #[fault(code = INTERNAL_ERROR)]
    Broken(#[fault(source)] E),
}

#[test]
fn a_generic_type_converts_for_the_arguments_that_can() {
    let miss: Generic<'_, u8, io::Error> = Generic::Miss { id: 3, shelf: "b" };
    assert_eq!(Fault::from(miss).public().message(), "'3' is not in 'b'");
    let broken: Generic<'_, u8, io::Error> = Generic::Broken(io::Error::other("planted"));
    assert_eq!(Fault::from(broken).source().unwrap().to_string(), "planted");
}

/// Nothing to convert, which is no mistake: it compiles.
#[derive(Debug, Fault)]
enum Never {}

const _: fn(Never) -> Fault = Fault::from;

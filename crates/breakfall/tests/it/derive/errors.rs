//! The error type itself: `Display`, `Error`, conversions, and the derive beside thiserror.

use std::error::Error;
use std::fmt;
use std::io;

use breakfall::code::Shape;
use breakfall::{Codes, Fault, Origin, codes};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Debug, Fault)]
enum StoreError {
    #[fault(code = "SHELF_EMPTY", extends = NOT_FOUND_RESOURCE, message = "Nothing on shelf '{shelf}'")]
    Empty { shelf: u8 },
    #[fault(code = UNAVAILABLE_DEPENDENCY)]
    Down {
        dependency: &'static str,
        #[source]
        cause: io::Error,
    },
    #[fault(code = INTERNAL_ERROR)]
    Unreadable(#[from] fmt::Error),
    #[fault(code = INTERNAL_ERROR)]
    Perhaps(#[fault(source)] Option<io::Error>),
    #[fault(code = INTERNAL_ERROR)]
    InWords(#[fault(source)] String),
    #[fault(transparent)]
    Other(#[from] Fault),
}

#[test]
fn display_writes_the_message_of_the_fault() {
    let all = || {
        [
            StoreError::Empty { shelf: 7 },
            StoreError::Down {
                dependency: "cellar",
                cause: io::Error::other("planted"),
            },
            StoreError::Unreadable(fmt::Error),
            StoreError::InWords("planted".to_owned()),
            StoreError::Other(Fault::not_found("tea", "7")),
        ]
    };
    for (error, again) in all().into_iter().zip(all()) {
        let text = error.to_string();
        assert!(!text.contains("planted"), "{text}");
        assert_eq!(text, Fault::from(again).message_text(), "{error:?}");
    }
    assert_eq!(
        StoreError::Empty { shelf: 7 }.to_string(),
        "Nothing on shelf '7'"
    );
}

#[test]
fn the_private_cause_is_the_source() {
    let source = |error: StoreError| error.source().map(ToString::to_string);
    let down = StoreError::Down {
        dependency: "cellar",
        cause: io::Error::other("planted"),
    };
    assert_eq!(source(down).as_deref(), Some("planted"));
    let perhaps =
        |cause: Option<&'static str>| source(StoreError::Perhaps(cause.map(io::Error::other)));
    assert_eq!(perhaps(Some("planted")).as_deref(), Some("planted"));
    assert_eq!(perhaps(None), None);
    assert_eq!(source(StoreError::InWords("planted".to_owned())), None);
    let other = StoreError::Other(Fault::internal().caused_by("planted"));
    assert_eq!(source(other).as_deref(), Some("planted"));
    let fault = Fault::from(StoreError::Perhaps(Some(io::Error::other("planted"))));
    assert_eq!(fault.source().expect("a cause").to_string(), "planted");
}

#[test]
fn from_makes_the_error_by_a_question_mark() {
    fn write() -> Result<(), StoreError> {
        Err(fmt::Error)?;
        Ok(())
    }
    fn fault() -> Result<(), StoreError> {
        Err(Fault::not_found("tea", "7"))?;
        Ok(())
    }
    assert!(matches!(write(), Err(StoreError::Unreadable(fmt::Error))));
    let fault = fault().map_err(Fault::from).unwrap_err();
    assert_eq!(fault, Fault::not_found("tea", "7"));
}

#[derive(Debug, Fault)]
enum Generic<T, E> {
    #[fault(code = "GENERIC_MISSING", extends = NOT_FOUND_RESOURCE, message = "No '{value}'")]
    Missing { value: T },
    #[fault(code = INTERNAL_ERROR)]
    Broken(#[fault(source)] E),
    #[fault(transparent)]
    Inner(#[fault(from)] StoreError),
}

#[test]
fn a_generic_type_is_an_error_for_the_arguments_that_can() {
    let missing: Generic<u8, io::Error> = Generic::Missing { value: 7 };
    assert_eq!(missing.to_string(), "No '7'");
    let broken: Generic<u8, io::Error> = Generic::Broken(io::Error::other("planted"));
    assert_eq!(broken.source().expect("a cause").to_string(), "planted");
    let inner: Generic<u8, io::Error> = StoreError::Empty { shelf: 7 }.into();
    assert_eq!(inner.to_string(), "Nothing on shelf '7'");
}

/// Attributes of thiserror, and its conventions: the derive leaves `Display`, `Error` and `From` to it.
#[derive(Debug, thiserror::Error, Fault)]
enum Converted {
    #[error("shelf {shelf} has no '{name}'")]
    #[fault(code = "ARTICLE_MISSING", extends = NOT_FOUND_RESOURCE, message = display)]
    Missing { shelf: u8, name: String },
    #[error("cannot read the stock")]
    #[fault(code = INTERNAL_ERROR)]
    Stock(#[from] io::Error),
    #[error("shop {0} does not answer")]
    #[fault(code = UNAVAILABLE_SERVICE)]
    Silent(u8, #[source] fmt::Error),
    #[error("no ledger")]
    #[fault(code = INTERNAL_CONFIGURATION)]
    Ledger { source: fmt::Error },
    #[error(transparent)]
    #[fault(transparent)]
    Store(#[from] StoreError),
}

#[test]
fn the_attributes_of_thiserror_are_taken() {
    let missing = Converted::Missing {
        shelf: 7,
        name: "tea".to_owned(),
    };
    assert_eq!(missing.to_string(), "shelf 7 has no 'tea'");
    let fault = Fault::from(missing);
    assert_eq!(fault.code().name(), "ARTICLE_MISSING");
    assert_eq!(fault.message_text(), "shelf 7 has no 'tea'");
    assert_eq!(fault.details().get("name"), Some(&json!("tea")));

    let stock = Fault::from(Converted::from(io::Error::other("planted")));
    assert_eq!(
        (stock.code(), stock.responsible()),
        (codes::INTERNAL_ERROR, Origin::Tool)
    );
    assert_eq!(stock.source().expect("a cause").to_string(), "planted");
    assert!(
        !stock.message_text().contains("stock"),
        "Display is private unless it is the message"
    );

    let silent = Fault::from(Converted::Silent(7, fmt::Error));
    assert!(
        silent.details().is_empty(),
        "a field without a name is for Display"
    );
    assert!(silent.source().is_some());
    assert!(
        Fault::from(Converted::Ledger { source: fmt::Error })
            .source()
            .is_some()
    );
    let store = Converted::from(StoreError::Empty { shelf: 7 });
    assert_eq!(Fault::from(store).code().name(), "SHELF_EMPTY");
}

/// By hand.
#[derive(Debug, Fault)]
#[fault(no_error_impl, code = "SHOP_SHUT", extends = CONFLICT_INVALID_STATE, message = display, http = 423)]
struct Shut;

impl fmt::Display for Shut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the shop is shut")
    }
}

#[derive(Debug, Fault)]
#[fault(no_error_impl)]
enum Door {
    #[fault(code = "DOOR_SHUT", extends = CONFLICT_INVALID_STATE, message = display)]
    Shut,
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the door is shut")
    }
}

#[test]
fn display_and_error_may_be_written_by_hand() {
    assert_eq!(Fault::from(Shut).message_text(), "the shop is shut");
    assert_eq!(Fault::from(Door::Shut).message_text(), "the door is shut");
}

#[test]
fn a_row_has_the_http_status_of_its_attribute() {
    let [code] = Shut::CODES else {
        panic!("one code")
    };
    assert_eq!(code.entry().http, 423);
}

#[derive(Debug, Serialize)]
struct Page {
    limit: u8,
}

#[derive(Debug, Fault)]
enum Paging {
    #[fault(code = "PAGE_TOO_LONG", extends = VALIDATION_OUT_OF_RANGE, message = "The page is too long")]
    Long {
        #[fault(corrective_params)]
        params: Value,
    },
    #[fault(code = "PAGE_TOO_SHORT", extends = VALIDATION_OUT_OF_RANGE, message = "The page is too short")]
    Short(#[fault(corrective_params, serialize)] Option<Page>),
}

#[test]
fn a_field_is_the_corrective_params() {
    let params = json!({"limit": 100});
    let fault = Fault::from(Paging::Long {
        params: params.clone(),
    });
    assert_eq!(fault.corrective_arguments(), Some(&params));
    assert!(fault.details().is_empty());
    let fault = Fault::from(Paging::Long {
        params: Value::Null,
    });
    assert_eq!(fault.corrective_arguments(), None);
    let fault = Fault::from(Paging::Short(Some(Page { limit: 100 })));
    assert_eq!(fault.corrective_arguments(), Some(&params));
    assert_eq!(
        Fault::from(Paging::Short(None)).corrective_arguments(),
        None
    );
}

#[derive(Debug, Fault)]
#[fault(
    code = "SHOP_FULL",
    extends = CONFLICT_INVALID_STATE,
    message = "Shop '{shop}' is full",
    details(shop = "Leith", seats = 4, share = 0.5, open = true)
)]
struct Full;

#[test]
fn a_fixed_detail_is_in_every_fault_and_declared() {
    assert_eq!(Full.to_string(), "Shop 'Leith' is full");
    let fault = Fault::from(Full);
    let details: Vec<_> = fault.details().iter().collect();
    assert_eq!(
        details,
        [
            ("open", &json!(true)),
            ("seats", &json!(4)),
            ("share", &json!(0.5)),
            ("shop", &json!("Leith")),
        ]
    );
    let declared = fault.code().entry().details.iter();
    let declared: Vec<_> = declared.map(|d| (d.name, d.shape, d.required)).collect();
    assert_eq!(
        declared,
        [
            ("shop", Shape::Text, true),
            ("seats", Shape::Integer, true),
            ("share", Shape::Number, true),
            ("open", Shape::Flag, true),
        ]
    );
}

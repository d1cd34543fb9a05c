//! Texts with placeholders, the retry class and the link: of a code of one's own, and of one there is.

use std::time::Duration;

use breakfall::{Catalog, Fault, Hint, Retry, codes};

#[derive(Debug, Fault)]
enum OrderError {
    #[fault(
        code = "ORDER_MISLAID",
        extends = NOT_FOUND_RESOURCE,
        message = "Order '{id}' not found",
        remediation = "Look for {id} among the orders of {shop}.",
        user_message = "We cannot find order {id}.",
        docs_url = "https://shop.example/errors#mislaid"
    )]
    Mislaid { id: String, shop: Option<String> },
    #[fault(
        code = NOT_FOUND_RESOURCE,
        remediation = "List the orders of {shop}.",
        user_message = "{shop} has no such order.",
        docs_url = "https://shop.example/errors"
    )]
    Unknown {
        shop: Option<String>,
        remediation: Option<String>,
    },
    #[fault(
        code = "ORDER_LOCKED",
        extends = CONFLICT_INVALID_STATE,
        message = "Order '{id}' is being edited",
        retry = after,
        remediation = "Call again in {retry_after_seconds} seconds.",
        user_message = "Please wait {retry_after_seconds} seconds."
    )]
    Locked {
        id: String,
        #[fault(retry_after)]
        wait: Option<Duration>,
    },
    #[fault(code = UNAVAILABLE_DEPENDENCY, retry = never)]
    Retired { dependency: &'static str },
    #[fault(code = "ORDER_FROZEN", extends = CONFLICT_INVALID_STATE, message = "Frozen", retry = never)]
    Frozen,
}

fn mislaid(shop: Option<&str>) -> Fault {
    let (id, shop) = ("ord_7".to_owned(), shop.map(str::to_owned));
    OrderError::Mislaid { id, shop }.into()
}

#[test]
fn advice_and_the_users_text_name_details() {
    let fault = mislaid(Some("Leith"));
    let public = fault.public();
    assert_eq!(
        public.remediation(),
        "Look for ord_7 among the orders of Leith."
    );
    assert_eq!(public.user_message(), "We cannot find order ord_7.");
    assert_eq!(
        public.docs_url(),
        Some("https://shop.example/errors#mislaid")
    );
}

#[test]
fn advice_without_its_value_is_the_bases() {
    let base = codes::NOT_FOUND_RESOURCE.entry();
    assert_eq!(mislaid(None).public().remediation(), base.remediation.plain);
}

#[test]
fn a_code_that_exists_takes_such_texts_in_the_fault() {
    let unknown = |shop: Option<&str>, remediation: Option<&str>| {
        let (shop, remediation) = (shop.map(str::to_owned), remediation.map(str::to_owned));
        Fault::from(OrderError::Unknown { shop, remediation })
    };
    let fault = unknown(Some("Leith"), None);
    assert_eq!(fault.public().remediation(), "List the orders of Leith.");
    assert_eq!(fault.public().user_message(), "Leith has no such order.");
    assert_eq!(
        fault.public().docs_url(),
        Some("https://shop.example/errors")
    );
    let fault = unknown(None, None);
    let base = codes::NOT_FOUND_RESOURCE.entry();
    assert_eq!(fault.public().remediation(), base.remediation.plain);
    assert_eq!(fault.public().user_message(), base.user);
    // What a field says of this very failure is more exact than the attribute.
    let fault = unknown(Some("Leith"), Some("Ask in Leith."));
    assert_eq!(fault.public().remediation(), "Ask in Leith.");
}

#[test]
fn advice_may_name_the_wait() {
    let wait = Some(Duration::from_secs(7));
    let fault = Fault::from(OrderError::Locked {
        id: "a".to_owned(),
        wait,
    });
    let public = fault.public();
    assert_eq!(public.remediation(), "Call again in 7 seconds.");
    assert_eq!(public.user_message(), "Please wait 7 seconds.");
    assert_eq!(
        (public.retry(), public.hint()),
        (Retry::After, Hint::RetryLater)
    );
    // The base is not to be repeated, so its words would mislead where the wait is missing.
    let fault = Fault::from(OrderError::Locked {
        id: "a".to_owned(),
        wait: None,
    });
    assert!(
        fault.public().remediation().starts_with("Call again later"),
        "{}",
        fault.public().remediation()
    );
}

#[test]
fn a_retry_class_overrides_the_codes() {
    let fault = Fault::from(OrderError::Retired { dependency: "fax" });
    let public = fault.public();
    assert_eq!(
        (public.retry(), public.hint()),
        (Retry::Never, Hint::ReportToUser)
    );
    assert!(codes::UNAVAILABLE_DEPENDENCY.entry().retry.is_retryable());
    let frozen = Fault::from(OrderError::Frozen);
    assert_eq!(frozen.code().entry().retry, Retry::Never);
}

#[test]
fn rows_with_all_of_it_pass_the_lint() {
    Catalog::builtin().with_all::<OrderError>().unwrap();
}

/// A value that is not there takes the words with it that led to it; where too little is left, the code it extends speaks.
#[derive(Debug, Fault)]
enum ShelfError {
    #[fault(
        code = "SHELF_ITEM_GONE",
        extends = NOT_FOUND_RESOURCE,
        message = "no '{item}' in '{shop}'"
    )]
    Gone { item: String, shop: Option<String> },
    #[fault(
        code = "SHELF_IN_USE",
        extends = CONFLICT_INVALID_STATE,
        message = "Shelf '{shelf}' is in use by '{person}'"
    )]
    Used {
        shelf: String,
        person: Option<String>,
    },
}

#[test]
fn a_message_without_one_of_its_values_is_still_a_sentence() {
    let said = |error: ShelfError| Fault::from(error).public().message().into_owned();
    let gone = |shop: Option<&str>| ShelfError::Gone {
        item: "tea".into(),
        shop: shop.map(str::to_owned),
    };
    assert_eq!(said(gone(Some("Leith"))), "no 'tea' in 'Leith'");
    assert_eq!(
        said(gone(None)),
        codes::NOT_FOUND_RESOURCE.entry().message.plain
    );
    let (shelf, person) = ("7".to_owned(), None);
    assert_eq!(said(ShelfError::Used { shelf, person }), "Shelf is in use");
}

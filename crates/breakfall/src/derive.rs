//! `#[derive(Fault)]`: the macro lives in a crate of its own, its documentation and its examples here.

/// Makes faults of an error type: `impl From<TheError> for Fault`, so that `?` does the rest. It also writes
/// [`Display` and `Error`](#display-and-error).
///
/// Every variant of an enum, or a struct as a whole, says which code it is; its fields become details.
///
/// ```
/// use std::time::Duration;
///
/// use breakfall::Fault;
///
/// #[derive(Debug, Fault)]
/// enum OrderError {
///     /// Nothing is known of the order.
///     #[fault(
///         code = "ORDER_NOT_FOUND",
///         extends = NOT_FOUND_RESOURCE,
///         message = "Order '{id}' not found",
///         remediation = "List the orders and pick an id from there.",
///         fallback_tool = "list_orders"
///     )]
///     NotFound { id: String },
///
///     #[fault(code = UNAVAILABLE_DEPENDENCY, user_message = "The shop is closed for a moment.")]
///     Database {
///         dependency: &'static str,
///         #[fault(source)]
///         cause: std::io::Error,
///         #[fault(retry_after)]
///         wait: Duration,
///     },
/// }
///
/// fn order(id: &str) -> Result<String, OrderError> {
///     Err(OrderError::NotFound { id: id.to_owned() })
/// }
///
/// fn tool(id: &str) -> Result<String, Fault> {
///     Ok(order(id)?)
/// }
///
/// let fault = tool("ord_7").unwrap_err();
/// assert_eq!(fault.code().name(), "ORDER_NOT_FOUND");
/// assert_eq!(fault.public().message(), "Order 'ord_7' not found");
/// assert_eq!(fault.public().fallback_tool(), Some("list_orders"));
/// ```
///
/// The type also lists its codes ([`Codes`](crate::Codes)). With the feature `rmcp` a tool may fail with it as it is,
/// without turning it into a `Fault` first, and with the feature `http` so may a handler of axum.
///
/// # On a variant or struct
///
/// | key | value |
/// |---|---|
/// | [`code`](#code-and-extends) | a built-in code by its bare name, a constant by its path (`self::GONE`, `crate::codes::GONE`), or the name of a new one in quotes |
/// | [`extends`](#code-and-extends) | the code a new one behaves like |
/// | [`message`](#message-remediation-user_message) | what happened: the new code's template |
/// | [`remediation`, `user_message`](#message-remediation-user_message) | what the caller should do, what a person may be told: the new code's, or this fault's where the code exists |
/// | [`retry`](#retry) | `never`, `after_change`, `once`, `backoff` or `after`, where the code says otherwise |
/// | [`http`](#http) | the HTTP status of a new code, where the code it extends has another |
/// | [`details(name = value, …)`](#details) | details that are the same in every fault |
/// | [`fallback_tool`, `docs_url`](#fallback_tool-and-docs_url) | a tool to call instead, a page to read |
/// | [`transparent`](#transparent) | nothing: the one field is the fault |
/// | [`no_error_impl`](#display-and-error) | nothing, on the type as a whole: `Display` and `Error` are written by hand |
///
/// # On a field
///
/// | attribute | the field is |
/// |---|---|
/// | none | the detail of its name; anything that is `Into<serde_json::Value>`, and `None` is left out |
/// | [`#[fault(detail = "name")]`](#details) | the detail of that name, which a field without a name needs |
/// | [`#[fault(display)]`](#details) | a detail, as the text its `Display` writes |
/// | [`#[fault(serialize)]`](#details) | a detail, as the JSON its `Serialize` writes |
/// | [`#[fault(source)]`](#source-retry_after-skip) or `#[source]` | the private cause, which goes to the log and never to a caller |
/// | [`#[fault(from)]`](#display-and-error) or `#[from]` | the private cause, or the transparent fault, and `?` makes the error of it |
/// | [`#[fault(retry_after)]`](#source-retry_after-skip) | the wait before a repetition: a `Duration`, or an `Option` of one |
/// | [`#[fault(corrective_params)]`](#corrective_params) | complete arguments that would do |
/// | [`#[fault(skip)]`](#source-retry_after-skip) | left out |
///
/// Details are public. A field called `source` therefore has to say what it is.
///
/// ## `code` and `extends`
///
/// A bare name is a built-in code, and the fields fill its template. A name in quotes makes a new one, a row that
/// has its meaning from the doc comment, its details from the fields and everything else from the code it extends.
/// Register the rows where the server reads its own faults back, and to have their texts checked:
/// [`Catalog::with_all`](crate::Catalog::with_all).
///
/// ```
/// use breakfall::{Catalog, Code, Codes, Entry, Fault, codes};
///
/// static CLOSED_ROW: Entry = Entry::extends(codes::CONFLICT_INVALID_STATE, "ORDER_CLOSED")
///     .message("The order is closed", "The order is closed")
///     .details(&[]);
/// const CLOSED: Code = Code::new(&CLOSED_ROW);
///
/// #[derive(Debug, Fault)]
/// enum OrderError {
///     #[fault(code = NOT_FOUND_RESOURCE, details(resource_type = "customer"))]
///     Customer { resource_id: String },
///     #[fault(code = "ORDER_EMPTY", extends = BUSINESS_RULE_VIOLATION, message = "The order has no items")]
///     Empty,
///     #[fault(code = self::CLOSED)]
///     Closed,
/// }
///
/// # fn main() -> Result<(), breakfall::catalog::registry::RowError> {
/// let names: Vec<&str> = OrderError::CODES.iter().map(|code| code.name()).collect();
/// assert_eq!(names, ["NOT_FOUND_RESOURCE", "ORDER_EMPTY", "ORDER_CLOSED"]);
///
/// let catalog = Catalog::builtin().with_all::<OrderError>()?;
/// assert_eq!(catalog.get("ORDER_EMPTY").map(|code| code.entry().http), Some(422));
/// # Ok(())
/// # }
/// ```
///
/// ## `message`, `remediation`, `user_message`
///
/// A `{placeholder}` names a detail. In a message it stands in single quotes, so that a reader can tell the value
/// from the sentence. Advice may also name the wait, as `{retry_after_seconds}`. Where a value is missing, the plain
/// form of the message or the text of the code stands in: no placeholder is ever shown.
///
/// ```
/// use std::time::Duration;
///
/// use breakfall::Fault;
///
/// #[derive(Debug, Fault)]
/// #[fault(
///     code = "ORDER_LOCKED",
///     extends = RATE_LIMIT_EXCEEDED,
///     message = "Order '{id}' is being edited by '{editor}'",
///     remediation = "Call again in {retry_after_seconds} seconds, or ask {editor} to finish.",
///     user_message = "{editor} has this order open."
/// )]
/// struct Locked {
///     id: String,
///     editor: String,
///     #[fault(retry_after)]
///     wait: Duration,
/// }
///
/// let locked = Locked { id: "7".into(), editor: "Ada".into(), wait: Duration::from_secs(30) };
/// let fault = Fault::from(locked);
/// assert_eq!(fault.public().message(), "Order '7' is being edited by 'Ada'");
/// assert_eq!(fault.public().remediation(), "Call again in 30 seconds, or ask Ada to finish.");
/// assert_eq!(fault.public().user_message(), "Ada has this order open.");
/// ```
///
/// ## `retry`
///
/// Hint and actions follow it. A new code that may be repeated though the one it extends may not, or the reverse,
/// needs a remediation of its own.
///
/// ```
/// use breakfall::{Fault, Hint, Retry};
///
/// #[derive(Debug, Fault)]
/// enum SearchError {
///     #[fault(
///         code = "INDEX_NOT_READY",
///         extends = NOT_FOUND_RESOURCE,
///         message = "The index is being built",
///         retry = backoff,
///         remediation = "Wait for the index and call again."
///     )]
///     Building,
///     #[fault(code = UNAVAILABLE_SERVICE, retry = never)]
///     Retired { service: &'static str },
/// }
///
/// let building = Fault::from(SearchError::Building);
/// assert_eq!((building.public().retry(), building.public().hint()), (Retry::Backoff, Hint::RetryLater));
/// let retired = Fault::from(SearchError::Retired { service: "search" });
/// assert!(!retired.public().retry().is_retryable());
/// ```
///
/// ## `http`
///
/// ```
/// use breakfall::{Codes, Fault};
///
/// #[derive(Debug, Fault)]
/// #[fault(code = "ORDER_LOCKED", extends = CONFLICT_INVALID_STATE, message = "The order is locked", http = 423)]
/// struct Locked;
///
/// assert_eq!(Locked::CODES[0].entry().http, 423);
/// ```
///
/// ## `fallback_tool` and `docs_url`
///
/// ```
/// use breakfall::Fault;
///
/// #[derive(Debug, Fault)]
/// #[fault(
///     code = PERMISSION_DENIED,
///     fallback_tool = "request_access",
///     docs_url = "https://shop.example/docs/access"
/// )]
/// struct Denied;
///
/// let fault = Fault::from(Denied);
/// assert_eq!(fault.public().fallback_tool(), Some("request_access"));
/// assert_eq!(fault.public().docs_url(), Some("https://shop.example/docs/access"));
/// ```
///
/// ## `transparent`
///
/// The variant is the fault it wraps: a `Fault`, another error with `#[derive(Fault)]`, or whatever is
/// `Into<Fault>`. It lists no code; register what it wraps by itself.
///
/// ```
/// use breakfall::{Fault, codes};
///
/// #[derive(Debug, Fault)]
/// #[fault(code = UNAVAILABLE_DEPENDENCY)]
/// struct StoreError {
///     dependency: &'static str,
/// }
///
/// #[derive(Debug, Fault)]
/// enum OrderError {
///     #[fault(transparent)]
///     Store(StoreError),
///     #[fault(transparent)]
///     Other(Fault),
/// }
///
/// let error = OrderError::Store(StoreError { dependency: "orders.db" });
/// assert_eq!(Fault::from(error).code(), codes::UNAVAILABLE_DEPENDENCY);
/// let error = OrderError::Other(Fault::unauthenticated());
/// assert_eq!(Fault::from(error).code(), codes::AUTHENTICATION_REQUIRED);
/// ```
///
/// ## Details
///
/// ```
/// use std::net::Ipv4Addr;
///
/// use breakfall::Fault;
/// use serde_json::json;
///
/// #[derive(Debug, serde::Serialize)]
/// struct Line {
///     sku: &'static str,
/// }
///
/// #[derive(Debug, Fault)]
/// #[fault(code = BUSINESS_RULE_VIOLATION)]
/// struct Refused {
///     rule: &'static str,
///     limit: Option<u32>,
///     #[fault(detail = "terminal", display)]
///     address: Ipv4Addr,
///     #[fault(serialize)]
///     lines: Vec<Line>,
/// }
///
/// let fault = Fault::from(Refused {
///     rule: "no tea on Sundays",
///     limit: None,
///     address: Ipv4Addr::LOCALHOST,
///     lines: vec![Line { sku: "tea" }],
/// });
/// let details: Vec<_> = fault.public().details().iter().collect();
/// assert_eq!(details, [
///     ("lines", &json!([{"sku": "tea"}])),
///     ("rule", &json!("no tea on Sundays")),
///     ("terminal", &json!("127.0.0.1")),
/// ]);
/// ```
///
/// ## `source`, `retry_after`, `skip`
///
/// ```
/// use std::error::Error;
/// use std::time::Duration;
///
/// use breakfall::Fault;
///
/// #[derive(Debug, Fault)]
/// #[fault(code = UNAVAILABLE_SERVICE)]
/// struct Down(
///     #[fault(detail = "service")] &'static str,
///     #[fault(source)] std::io::Error,
///     #[fault(retry_after)] Option<Duration>,
///     #[fault(skip)] u64,
/// );
///
/// let refused = std::io::Error::other("10.0.0.7 refused the connection");
/// let fault = Fault::from(Down("search", refused, Some(Duration::from_secs(5)), 42));
/// assert_eq!(fault.public().retry_after(), Some(Duration::from_secs(5)));
/// assert_eq!(fault.source().unwrap().to_string(), "10.0.0.7 refused the connection");
/// assert!(!fault.public().message().contains("10.0.0.7"));
/// ```
///
/// ## `corrective_params`
///
/// ```
/// use breakfall::Fault;
/// use serde_json::{Value, json};
///
/// #[derive(Debug, Fault)]
/// #[fault(code = "PAGE_TOO_LONG", extends = VALIDATION_OUT_OF_RANGE, message = "'{limit}' is too many")]
/// struct TooLong {
///     limit: u32,
///     #[fault(corrective_params)]
///     params: Value,
/// }
///
/// let fault = Fault::from(TooLong { limit: 500, params: json!({"limit": 100}) });
/// assert_eq!(fault.corrective_arguments(), Some(&json!({"limit": 100})));
/// ```
///
/// # `Display` and `Error`
///
/// `Display` writes the message of the fault, and the source of the error is the private cause. `#[from]` on the only
/// field makes the error of it by `?`.
///
/// ```
/// use std::error::Error;
///
/// use breakfall::Fault;
///
/// #[derive(Debug, Fault)]
/// enum ReportError {
///     #[fault(code = "REPORT_EMPTY", extends = BUSINESS_RULE_VIOLATION, message = "Report '{name}' is empty")]
///     Empty { name: String },
///     #[fault(code = INTERNAL_ERROR)]
///     Write(#[from] std::fmt::Error),
/// }
///
/// let empty = ReportError::Empty { name: "May".to_owned() };
/// assert_eq!(empty.to_string(), "Report 'May' is empty");
/// let write = ReportError::from(std::fmt::Error);
/// assert!(write.source().is_some());
/// ```
///
/// Beside thiserror, recognised by its `#[error(…)]`, all three are thiserror's, and so are its conventions: a field called
/// `source` is the cause, and a field without a name belongs to the text. A type that writes them by hand says
/// `#[fault(no_error_impl)]`. In both cases `message = display` makes the message of what `Display` writes; without it that
/// text stays private. `examples/converted` shows a crate before and after.
///
/// ```
/// use breakfall::Fault;
///
/// #[derive(Debug, thiserror::Error, Fault)]
/// enum StockError {
///     #[error("unknown article '{name}'")]
///     #[fault(code = "ARTICLE_UNKNOWN", extends = NOT_FOUND_RESOURCE, message = display)]
///     Unknown { name: String },
///     #[error("cannot open /srv/stock")]
///     #[fault(code = INTERNAL_ERROR)]
///     Open(#[from] std::io::Error),
/// }
///
/// let fault = Fault::from(StockError::Unknown { name: "tea".to_owned() });
/// assert_eq!(fault.message_text(), "unknown article 'tea'");
/// let fault = Fault::from(StockError::from(std::io::Error::other("denied")));
/// assert_eq!(fault.message_text(), "Internal error");
/// ```
///
/// # Mistakes
///
/// These do not compile, and the error stands at the attribute: a detail that the code requires and no field is; a
/// placeholder without a detail, in a message of the type's own or in one that a row lends it; a value outside quotes; a text
/// that is empty, has two lines or says nothing ("Something went wrong"); an unknown or taken name, in the enum or by
/// a built-in code; a retry class or an HTTP status that contradicts the code; an unknown key, a field in two roles, and
/// `from` beside other fields. What the compiler cannot see, two types with one name for two codes, is told by
/// [`Catalog::with_all`](crate::Catalog::with_all) at start-up.
///
/// ```compile_fail
/// #[derive(Debug, breakfall::Fault)]
/// #[fault(code = "ORDER_NOT_FOUND", extends = NOT_FOUND_RESOURCE, message = "Order '{order}' not found")]
/// struct NotFound {
///     id: String,
/// }
/// ```
pub use breakfall_derive::Fault;

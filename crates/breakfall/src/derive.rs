//! `#[derive(Fault)]`: the macro lives in a crate of its own, its documentation and its examples here.

/// Makes faults of an error type: `impl From<TheError> for Fault`, so that `?` does the rest.
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
/// # On a variant or struct
///
/// | key | value |
/// |---|---|
/// | `code` | a built-in code by its bare name, a constant by its path (`self::GONE`, `crate::codes::GONE`), or the name of a new one in quotes |
/// | `extends` | the code a new one behaves like |
/// | `message` | the new code's template; a `'{placeholder}'` names a detail and stands in single quotes |
/// | `remediation`, `user_message` | texts without placeholders: the new code's, or this fault's where the code exists |
/// | `fallback_tool` | a tool to call instead |
///
/// A new code takes its meaning from the doc comment of its variant, and declares its details with the doc
/// comments of their fields. Register it, like any row of a server's own, where the server reads its own faults
/// back: [`Catalog::with`](crate::Catalog::with).
///
/// # On a field
///
/// | attribute | the field is |
/// |---|---|
/// | none | the detail of its name; anything that is `Into<serde_json::Value>`, and `None` is left out |
/// | `#[fault(detail = "name")]` | the detail of that name, which a field without a name needs |
/// | `#[fault(source)]` | the private cause, which goes to the log and never to a caller |
/// | `#[fault(retry_after)]` | the wait before a repetition: a `Duration`, or an `Option` of one |
/// | `#[fault(skip)]` | left out |
///
/// Details are public. A field called `source` therefore has to say what it is.
///
/// # Mistakes
///
/// A placeholder without a detail, a value outside quotes, a name that is no code's or is taken, in the enum or by
/// a built-in code, and a field in two roles do not compile; the error stands at the attribute.
///
/// ```compile_fail
/// #[derive(breakfall::Fault)]
/// #[fault(code = "ORDER_NOT_FOUND", extends = NOT_FOUND_RESOURCE, message = "Order '{order}' not found")]
/// struct NotFound {
///     id: String,
/// }
/// ```
pub use breakfall_derive::Fault;

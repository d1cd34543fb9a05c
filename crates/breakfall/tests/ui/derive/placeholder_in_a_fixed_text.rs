use breakfall::Fault;

#[derive(Fault)]
#[fault(
    code = "ORDER_GONE",
    extends = NOT_FOUND_RESOURCE,
    remediation = "Look for '{id}' elsewhere.",
    user_message = "We cannot find '{id}'.",
    fallback_tool = "find_{id}"
)]
struct Error {
    id: String,
}

fn main() {}

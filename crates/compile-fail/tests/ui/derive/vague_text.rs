use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "ORDER_LOST", extends = NOT_FOUND_RESOURCE, message = "Something went wrong")]
    Message,
    #[fault(code = UNAVAILABLE_SERVICE, remediation = "Sorry!")]
    Remediation,
    #[fault(code = UNAVAILABLE_SERVICE, user_message = "An unexpected error occurred.")]
    UserMessage,
}

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    // What the base says to do would be wrong.
    #[fault(code = "INDEX_NOT_READY", extends = NOT_FOUND_RESOURCE, message = "The index is not ready", retry = backoff)]
    Flipped,
    #[fault(code = "SHOP_CLOSED", extends = UNAVAILABLE_SERVICE, message = "The shop is closed", retry = never)]
    FlippedBack,
    // An invalid call stays invalid.
    #[fault(code = "AGE_INVALID", extends = VALIDATION_INVALID_VALUE, message = "The age is wrong", retry = once, remediation = "Call again.")]
    InVain,
    #[fault(code = PERMISSION_DENIED, retry = backoff)]
    InVainWithACodeThatExists,
}

fn main() {}

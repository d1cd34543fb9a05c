use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(
    code = "ORDER_CLOSED",
    extends = CONFLICT_INVALID_STATE,
    message = "The order is closed",
    remediation = "The order is closed."
)]
struct Error;

fn main() {}

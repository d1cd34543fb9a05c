use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = "ORDER_NOT_FOUND", message = "Order not found")]
struct Error;

fn main() {}

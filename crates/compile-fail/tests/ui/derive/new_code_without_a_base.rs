use breakfall::Fault;

#[derive(Fault)]
#[fault(code = "ORDER_NOT_FOUND", message = "Order not found")]
struct Error;

fn main() {}

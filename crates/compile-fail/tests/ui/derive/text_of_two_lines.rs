use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = "ORDER_LOST", extends = NOT_FOUND_RESOURCE, message = "The order\nis lost")]
struct Error;

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = NOT_FOUND_RESOURCE, extends = INTERNAL_ERROR)]
struct Error;

fn main() {}

use breakfall::Fault;

#[derive(Fault)]
#[fault(code = NOT_FOUND_RESOURCE, extends = INTERNAL_ERROR)]
struct Error;

fn main() {}

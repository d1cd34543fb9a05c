use breakfall::Fault;

#[derive(Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error;

fn main() {}

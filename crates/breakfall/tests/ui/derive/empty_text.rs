use breakfall::Fault;

#[derive(Fault)]
#[fault(code = INTERNAL_ERROR, remediation = " ")]
struct Error;

fn main() {}

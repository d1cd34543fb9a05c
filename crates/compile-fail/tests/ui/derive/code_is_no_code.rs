use breakfall::Fault;

const NAME: &str = "ORDER_NOT_FOUND";

#[derive(Debug, Fault)]
#[fault(code = self::NAME)]
struct Error;

fn main() {}

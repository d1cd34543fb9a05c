use breakfall::Fault;

const NAME: &str = "ORDER_NOT_FOUND";

#[derive(Fault)]
#[fault(code = self::NAME)]
struct Error;

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR, message = display)]
struct Itself;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR, message = debug)]
struct OtherWord;

fn main() {}

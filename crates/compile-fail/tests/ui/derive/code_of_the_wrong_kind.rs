use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = 404)]
    Number,
    #[fault(code = "ORDER_NOT_FOUND", extends = "NOT_FOUND_RESOURCE")]
    QuotedBase,
    #[fault(code)]
    NoValue,
}

fn main() {}

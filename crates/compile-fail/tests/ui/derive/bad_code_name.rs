use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "order_not_found", extends = NOT_FOUND_RESOURCE)]
    LowerCase,
    #[fault(code = "ORDER", extends = NOT_FOUND_RESOURCE)]
    OneWord,
    #[fault(code = "ORDER-NOT-FOUND", extends = NOT_FOUND_RESOURCE)]
    Hyphens,
    #[fault(code = "", extends = NOT_FOUND_RESOURCE)]
    Nothing,
}

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = "ORDER_NOT_FOUND", extends = NOT_FOUND_RESOURCE)]
struct Error {
    id: String,
}

fn main() {}

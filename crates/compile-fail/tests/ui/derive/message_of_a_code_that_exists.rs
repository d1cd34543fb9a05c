use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = NOT_FOUND_RESOURCE, message = "Order '{id}' not found")]
struct Error {
    id: String,
}

fn main() {}

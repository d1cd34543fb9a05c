use breakfall::Fault;

#[derive(Fault)]
#[fault(code = NOT_FOUND_RESOURCE, message = "Order '{id}' not found")]
struct Error {
    id: String,
}

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = NOT_FOUND_RESOURCE)]
    Order { resource_id: String },
    #[fault(code = NOT_FOUND_RESOURCE, details(resource_type = "order"))]
    Fine { resource_id: String },
}

fn main() {}

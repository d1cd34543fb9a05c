use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "NOT_FOUND_RESOURCE", extends = NOT_FOUND_RESOURCE, message = "The order is lost")]
    Fault,
    #[fault(code = "CONTENT_TRUNCATED", extends = INTERNAL_ERROR, message = "The order is cut")]
    Warning,
}

fn main() {}

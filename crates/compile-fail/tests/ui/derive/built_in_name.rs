use breakfall::Fault;

#[derive(Fault)]
enum Error {
    #[fault(code = "NOT_FOUND_RESOURCE", extends = NOT_FOUND_RESOURCE)]
    Fault,
    #[fault(code = "CONTENT_TRUNCATED", extends = INTERNAL_ERROR)]
    Warning,
}

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "ORDER_GONE", extends = NOT_FOUND_RESOURCE)]
    Deleted,
    #[fault(code = "ORDER_LOST", extends = NOT_FOUND_RESOURCE)]
    Lost,
    #[fault(code = "ORDER_GONE", extends = CONFLICT_INVALID_STATE)]
    Shipped,
}

fn main() {}

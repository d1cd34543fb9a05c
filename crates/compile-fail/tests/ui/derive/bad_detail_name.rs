use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    #[fault(detail = "order id")]
    spaced: String,
    id: String,
    #[fault(detail = "id")]
    taken: String,
}

fn main() {}

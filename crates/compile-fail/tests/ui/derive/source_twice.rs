use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    #[fault(source)]
    first: String,
    #[fault(source)]
    second: String,
}

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Waits(
    #[fault(retry_after)] std::time::Duration,
    #[fault(retry_after)] std::time::Duration,
);

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = CONFLICT_VERSION_MISMATCH)]
    Stale { expected_version: String },
    #[fault(code = UNAVAILABLE_SERVICE)]
    Fine,
}

#[derive(Debug, Fault)]
#[fault(code = RATE_LIMIT_EXCEEDED, details(remaining = 0, window = "minute"))]
struct TooFast {
    limit: u32,
    #[fault(retry_after)]
    wait: std::time::Duration,
}

fn main() {}

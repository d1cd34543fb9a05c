use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, remediation = " ")]
    Remediation,
    #[fault(code = "ORDER_GONE", extends = INTERNAL_ERROR, message = "")]
    Message,
}

fn main() {}

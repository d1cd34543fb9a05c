use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "ORDER_GONE", extends = INTERNAL_ERROR, message = 404)]
    Number,
    #[fault(code = INTERNAL_ERROR, remediation = Wait)]
    Word,
    #[fault(code = INTERNAL_ERROR, docs_url = "docs/errors.md")]
    NoLink,
    #[fault(code = INTERNAL_ERROR, fallback_tool)]
    NoValue,
}

fn main() {}

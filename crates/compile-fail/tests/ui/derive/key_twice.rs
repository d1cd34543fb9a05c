use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, code = INTERNAL_UNKNOWN)]
    InOneAttribute,
    #[fault(code = INTERNAL_ERROR, fallback_tool = "a")]
    #[fault(fallback_tool = "b")]
    InTwo,
}

fn main() {}

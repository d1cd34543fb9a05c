use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    #[fault(source, detail = "why")]
    cause: String,
    #[fault(display, skip)]
    shown: String,
    #[fault(display, serialize)]
    written: String,
    #[fault(detail = "a", detail = "b")]
    named: String,
}

fn main() {}

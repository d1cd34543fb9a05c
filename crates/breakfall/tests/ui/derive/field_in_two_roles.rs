use breakfall::Fault;

#[derive(Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    #[fault(source, detail = "why")]
    cause: String,
}

fn main() {}

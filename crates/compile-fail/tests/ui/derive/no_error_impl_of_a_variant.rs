use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, no_error_impl)]
    Broken,
}

fn main() {}

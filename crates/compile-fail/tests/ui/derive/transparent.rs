use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(transparent)]
    NoField,
    #[fault(transparent)]
    TwoFields(Fault, u8),
    #[fault(transparent, code = INTERNAL_ERROR)]
    WithACode(Fault),
    #[fault(transparent)]
    WithARole(#[fault(source)] Fault),
}

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR)]
    Store {
        #[from]
        cause: std::io::Error,
        path: String,
    },
    #[fault(code = INTERNAL_ERROR)]
    TwoRoles(
        #[from]
        #[fault(skip)]
        std::fmt::Error,
    ),
}

fn main() {}

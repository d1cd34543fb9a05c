use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = NOT_FOUND_RESORCE)]
    Misspelt,
    #[fault(code = "ORDER_NOT_FOUND", extends = NOT_FOUND_RESORCE, message = "The order is lost")]
    MisspeltBase,
}

fn main() {}

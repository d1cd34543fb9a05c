use breakfall::Fault;

#[derive(Fault)]
enum Error {
    #[fault(code = NOT_FOUND_RESORCE)]
    Misspelt,
    #[fault(code = "ORDER_NOT_FOUND", extends = NOT_FOUND_RESORCE)]
    MisspeltBase,
}

fn main() {}

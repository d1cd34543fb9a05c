use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
enum Error {
    #[fault(code = INTERNAL_ERROR)]
    Some,
}

#[derive(Fault)]
union Either {
    a: u8,
    b: i8,
}

fn main() {}

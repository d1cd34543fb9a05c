use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, details(shop = "Leith"))]
    FieldToo { shop: String },
    #[fault(code = INTERNAL_ERROR, details(shop = "Leith", shop = "York"))]
    Twice,
    #[fault(code = INTERNAL_ERROR, details(shop = b'x'))]
    OfTheWrongKind,
}

fn main() {}

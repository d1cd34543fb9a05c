use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(fallback_tool = "list_orders")]
    WithOtherKeys,
    WithoutAnAttribute,
    #[fault(extends = INTERNAL_ERROR)]
    WithABaseOnly,
}

#[derive(Debug, Fault)]
struct WithoutAnything {
    id: String,
}

// The mistakes above are told once; that the conversion is missing would be noise.
fn main() -> Result<(), Fault> {
    Err(Error::WithoutAnAttribute)?
}

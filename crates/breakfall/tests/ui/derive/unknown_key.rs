use breakfall::Fault;

#[derive(Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, hint = "none")]
    OnAVariant,
    #[fault(code = INTERNAL_ERROR)]
    OnAField {
        #[fault(cause)]
        why: String,
    },
    #[fault(code = INTERNAL_ERROR, very::unknown)]
    APath,
}

fn main() {}

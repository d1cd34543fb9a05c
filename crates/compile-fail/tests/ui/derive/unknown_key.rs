use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, colour = "none")]
    OnAVariant,
    #[fault(code = INTERNAL_ERROR, mesage = "none")]
    Misspelt,
    #[fault(code = INTERNAL_ERROR)]
    OnAField {
        #[fault(cause)]
        why: String,
        #[fault(retry_afer)]
        wait: std::time::Duration,
    },
    #[fault(code = INTERNAL_ERROR, very::unknown)]
    APath,
}

fn main() {}

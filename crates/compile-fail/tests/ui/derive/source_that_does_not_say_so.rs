// Details are public, so a field that is private by habit is not shown for want of an attribute.
use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    source: String,
}

fn main() {}

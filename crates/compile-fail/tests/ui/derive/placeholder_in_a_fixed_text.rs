use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = NOT_FOUND_RESOURCE, fallback_tool = "find_{id}", docs_url = "https://shop.example/{id}")]
struct Error {
    id: String,
}

fn main() {}

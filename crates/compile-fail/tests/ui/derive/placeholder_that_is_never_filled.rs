use breakfall::Fault;

#[derive(Debug, Fault)]
#[fault(code = "ORDER_INVALID", extends = VALIDATION_INVALID_VALUE, message = "'{field}' is wrong: '{http_status}'")]
struct Error {
    field: String,
    http_status: u16,
}

fn main() {}

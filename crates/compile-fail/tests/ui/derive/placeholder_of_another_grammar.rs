use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "ORDER_A", extends = NOT_FOUND_RESOURCE, message = "Order '{}' not found")]
    Empty { id: String },
    #[fault(code = "ORDER_B", extends = NOT_FOUND_RESOURCE, message = "Order '{id:?}' not found")]
    Specifier { id: String },
    #[fault(code = "ORDER_C", extends = NOT_FOUND_RESOURCE, message = "Order '{id' not found")]
    Open { id: String },
    #[fault(code = "ORDER_D", extends = NOT_FOUND_RESOURCE, message = "Order {id} not found")]
    Unquoted { id: String },
    #[fault(code = NOT_FOUND_RESOURCE, remediation = "Look for {0}.")]
    Position { id: String },
    #[fault(code = NOT_FOUND_RESOURCE, user_message = "Nothing under {{id}}.")]
    Doubled { id: String },
}

fn main() {}

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = "ORDER_GONE", extends = NOT_FOUND_RESOURCE, message = "Order '{order}' of '{shop}' not found")]
    Unknown { order_id: String, shop: String },
    #[fault(code = "ORDER_AWAY", extends = NOT_FOUND_RESOURCE, message = "Order '{ordre_id}' not found")]
    Misspelt { order_id: String, shop: String },
    #[fault(code = "ORDER_LOST", extends = NOT_FOUND_RESOURCE, message = "Order '{id}' not found")]
    NoFields,
    #[fault(code = "ORDER_HIDDEN", extends = NOT_FOUND_RESOURCE, message = "Order '{id}' not found: '{why}'")]
    PrivateFields {
        #[fault(skip)]
        id: String,
        #[fault(source)]
        why: String,
    },
    #[fault(code = "ORDER_RENAMED", extends = NOT_FOUND_RESOURCE, message = "Order '{id}' not found")]
    RenamedField {
        #[fault(detail = "order_id")]
        id: String,
    },
    #[fault(code = NOT_FOUND_RESOURCE, remediation = "Look for {id}.", user_message = "No {thing} there.")]
    InOtherTexts { order_id: String },
    #[fault(code = RATE_LIMIT_EXCEEDED, remediation = "Wait {retry_after_seconds} seconds.")]
    NoWait { limit: u32 },
}

fn main() {}

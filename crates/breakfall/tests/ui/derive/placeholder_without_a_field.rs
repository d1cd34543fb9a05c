use breakfall::Fault;

#[derive(Fault)]
enum Error {
    #[fault(code = "ORDER_GONE", extends = NOT_FOUND_RESOURCE, message = "Order '{order}' of '{shop}' not found")]
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
}

fn main() {}

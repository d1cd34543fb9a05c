use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = UNAVAILABLE_SERVICE, http = 503)]
    OfAnotherRow,
    #[fault(code = "ORDER_FINE", extends = NOT_FOUND_RESOURCE, message = "The order is fine", http = 200)]
    OfASuccess,
    #[fault(code = "ORDER_LOST", extends = NOT_FOUND_RESOURCE, message = "The order is lost", http = "404")]
    InQuotes,
}

#[derive(Debug, Fault)]
#[fault(code = "ORDER_GONE", extends = NOT_FOUND_RESOURCE, message = "The order is gone", http = 503)]
struct OfTheServer;

fn main() {}

use std::time::Duration;

use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR, retry = "never")]
    Quoted,
    #[fault(code = INTERNAL_ERROR, retry = backof)]
    Misspelt,
    #[fault(code = INTERNAL_ERROR, retry = sometimes)]
    Unknown,
    #[fault(code = UNAVAILABLE_SERVICE, retry = never)]
    Waits {
        #[fault(retry_after)]
        wait: Duration,
    },
}

fn main() {}

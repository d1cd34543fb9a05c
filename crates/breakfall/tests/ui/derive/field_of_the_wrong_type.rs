use std::rc::Rc;

use breakfall::Fault;

struct Handle;

#[derive(Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    handle: Handle,
    #[fault(source)]
    cause: Rc<str>,
    #[fault(retry_after)]
    wait: u64,
}

fn main() {}

use std::rc::Rc;

use breakfall::Fault;

struct Handle;

#[derive(Fault)]
#[fault(code = INTERNAL_ERROR)]
struct Error {
    handle: Handle,
    #[fault(display)]
    shown: Option<Handle>,
    #[fault(serialize)]
    written: Handle,
    #[fault(source)]
    cause: Rc<str>,
    #[fault(retry_after)]
    wait: u64,
}

#[derive(Fault)]
#[fault(transparent)]
struct Wrapper(Handle);

fn main() {}

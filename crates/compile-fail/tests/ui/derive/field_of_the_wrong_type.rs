use std::rc::Rc;

use breakfall::Fault;

#[derive(Debug, Clone)]
struct Handle;

#[derive(Debug, Fault)]
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

#[derive(Debug, Fault)]
#[fault(transparent)]
struct Wrapper(Handle);

fn main() {}

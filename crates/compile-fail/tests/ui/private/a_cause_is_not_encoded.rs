// No writer of a wire format takes a cause, a report, or a fault that still has its private half.
use std::error::Error;

use breakfall::Fault;
use breakfall::wire::{Dialect, Options, encode, rpc_error, tool_result};

fn main() {
    let fault = Fault::internal().caused_by("the password is hunter2");
    let options = Options::new();
    let _ = encode(&fault.source(), Dialect::Native, &options);
    let _ = encode(&fault.report(), Dialect::Native, &options);
    let _ = tool_result(&fault.report(), Dialect::Native, &options);
    let _ = rpc_error(&fault, Dialect::Native, &options);
}

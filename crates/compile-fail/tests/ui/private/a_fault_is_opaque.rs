// The halves are not reachable as fields.
use breakfall::Fault;

fn main() {
    let fault = Fault::internal().caused_by("the password is hunter2");
    let _ = &fault.0;
    let _ = fault.0.private;
    let Fault(_halves) = fault;
}

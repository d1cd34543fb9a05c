// Who has the public half cannot get from there to the private one.
use std::error::Error;

use breakfall::Fault;

fn main() {
    let fault = Fault::internal().caused_by("the password is hunter2").note("on host db-3");
    let public = fault.public();
    let _ = public.source();
    let _ = public.cause();
    let _ = public.notes();
    let _ = public.report();
}

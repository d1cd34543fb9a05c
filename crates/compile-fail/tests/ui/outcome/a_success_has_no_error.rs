// `success: true` with an error set cannot be said.
use breakfall::{Fault, Outcome, Success};

fn main() {
    let _ = Success::new(1).error("it failed");
    let _ = Success::new(1).fault(Fault::internal());
    let _ = Success::new(1).warning(Fault::internal());
    let _ = Success { data: 1.into(), error: "it failed" };
    let _ = Outcome::Success(Success::new(1), Fault::internal());
}

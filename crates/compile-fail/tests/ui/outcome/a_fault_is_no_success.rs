// Nothing turns a failure into a success.
use breakfall::{Fault, Outcome, Success};

fn main() {
    let _ = Success::from(Fault::internal());
    let _: Success = Fault::internal().into();
    let _ = Outcome::Success(Fault::internal());
    let _ = Success::new(Fault::internal());
}

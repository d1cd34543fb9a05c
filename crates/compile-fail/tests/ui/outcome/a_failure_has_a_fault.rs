// `success: false` without an error cannot be said.
use breakfall::{Fault, Outcome};

fn main() {
    let _: Outcome = Outcome::Fault;
    let _ = Outcome::Fault(None);
    let _ = Outcome::Fault(());
    let _ = Outcome::Fault(Fault::new());
}

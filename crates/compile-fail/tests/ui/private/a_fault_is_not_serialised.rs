// A fault has a private half, so it is not written as a whole.
use breakfall::Fault;

fn main() {
    let fault = Fault::internal().caused_by("the password is hunter2");
    let _ = serde_json::to_value(&fault);
}

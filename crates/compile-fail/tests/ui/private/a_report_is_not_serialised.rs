// The report shows the private half. It prints, and does nothing else.
use breakfall::Fault;

fn main() {
    let fault = Fault::internal().caused_by("the password is hunter2");
    let _ = serde_json::to_string(&fault.report());
}

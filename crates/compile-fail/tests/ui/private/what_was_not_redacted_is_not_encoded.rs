// An encoder takes what a redactor made, and nothing else makes that.
use breakfall::redact::Redacted;
use breakfall::wire::{Dialect, Options, encode, native, rpc_error, tool_result};
use breakfall::{Fault, Outcome};

fn main() {
    let outcome = Outcome::from(Fault::invalid("the password is hunter2"));
    let options = Options::new();
    let _ = encode(&outcome, Dialect::Native, &options);
    let _ = tool_result(&outcome, Dialect::Native, &options);
    let public = outcome.fault().unwrap().public();
    let _ = rpc_error(public, Dialect::Native, &options);
    let _ = native::object(public, &options);
    let _ = Redacted(outcome);
}

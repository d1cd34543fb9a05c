// Details are shown to callers. An error does not become one by accident; its text has to be put there in words.
use std::io;

use breakfall::Fault;

fn main() {
    let cause = io::Error::other("the password is hunter2");
    let _ = Fault::internal().detail("error", cause);
}

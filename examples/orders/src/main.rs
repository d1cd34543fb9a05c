//! An example server.

fn main() {}

use breakfall::{Fault, OptionExt, ResultExt};

#[derive(Debug)]
struct Foreign;

fn context(result: Result<u8, Foreign>) -> Result<u8, Fault> {
    result.context("reading the stock")
}

fn named(value: Option<u8>) -> Result<u8, Fault> {
    value.or_fault("not found")
}

fn main() {}

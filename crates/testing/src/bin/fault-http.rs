//! An MCP server over HTTP that is well behaved until it is told not to be: `fault-http --list` shows how.

use std::io;
use std::process::ExitCode;

fn main() -> io::Result<ExitCode> {
    testing::faulty_http::run(std::env::args().skip(1))
}

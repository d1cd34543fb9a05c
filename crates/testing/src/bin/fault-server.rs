//! An MCP server over stdio that is well behaved until it is told not to be: `fault-server --list` shows how.

use std::io;
use std::process::ExitCode;

fn main() -> io::Result<ExitCode> {
    testing::faulty::run(std::env::args().skip(1))
}

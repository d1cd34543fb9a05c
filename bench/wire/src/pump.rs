//! The least a program in between can do: two threads that copy bytes and look at nothing. What it adds is the price of
//! being in between; what the gateway adds beyond that is its own.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::thread;

pub(crate) fn run(command: &[String]) -> io::Result<()> {
    let (program, args) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (stdin, stdout) = (own(&io::stdin())?, own(&io::stdout())?);
    let to_child = child.stdin.take().map(|pipe| own(&pipe));
    let from_child = child.stdout.take().map(|pipe| own(&pipe));
    let (Some(to_child), Some(from_child)) = (to_child, from_child) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let (to_child, from_child) = (to_child?, from_child?);
    let back = thread::spawn(move || copy(from_child, stdout));
    // A stream that breaks is one that ends.
    let _ = copy(stdin, to_child);
    let _ = back.join();
    child.wait().map(drop)
}

fn copy(mut from: File, mut to: File) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            count => to.write_all(&buffer[..count])?,
        }
    }
}

/// Without the buffers of the standard library.
fn own(stream: &impl AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

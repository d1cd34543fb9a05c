//! Reads files that may be pipes to which no process ever writes.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The bytes of a file, as many as are asked for. A pipe has to be written to soon.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_within(path, most, PIPE_TIMEOUT)
}

fn read_within(path: &Path, most: u64, timeout: Duration) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.file_type().is_fifo() {
        return whole(path, most);
    }
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    // The thread is left behind if no process writes to the pipe: nothing else ends it.
    thread::Builder::new().spawn(move || sender.send(whole(&path, most)))?;
    receiver.recv_timeout(timeout).unwrap_or_else(|_| {
        let why = "it is a pipe without a writer";
        Err(io::Error::new(io::ErrorKind::TimedOut, why))
    })
}

fn whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Long enough for a program that asks its user first.
const PIPE_TIMEOUT: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_is_read_and_a_pipe_without_a_writer_times_out() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = |name: &str| {
            let pipe = folder.path().join(name);
            let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            pipe
        };
        let moment = Duration::from_millis(1);
        let error = read_within(&pipe("silent"), 9, moment).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let pipe = pipe("written");
        let writer = thread::spawn({
            let pipe = pipe.clone();
            move || fs::write(pipe, "upstreams").unwrap()
        });
        assert_eq!(read(&pipe, 2).unwrap(), b"up");
        writer.join().unwrap();
    }
}

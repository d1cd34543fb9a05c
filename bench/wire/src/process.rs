//! What the system knows about a process. Linux only; elsewhere it says nothing.

use std::fs;

/// Bytes of its own memory: what is not a file.
pub(crate) fn memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Nanoseconds all its threads have run.
pub(crate) fn cpu(pid: u32) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    threads
        .map(|thread| {
            let path = thread.ok()?.path().join("schedstat");
            let stat = fs::read_to_string(path).ok()?;
            stat.split(' ').next()?.parse::<u64>().ok()
        })
        .sum()
}

//! A process group: a process and what it started, as far as that has not left the group.

use std::fs;

use rustix::process::{Pid, test_kill_process_group};

/// A group, by the id of the process that leads it, or did.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProcessGroup(Pid);

impl ProcessGroup {
    /// The group that a process leads.
    pub(super) fn of(leader: u32) -> Option<Self> {
        Pid::from_raw(i32::try_from(leader).ok()?).map(Self)
    }

    /// Whether any process of it runs.
    pub(super) fn is_alive(self) -> bool {
        test_kill_process_group(self.0).is_ok() && !self.is_only_zombies()
    }

    /// Whether only zombies are left of it: in a container there is often no process that reaps them. Known only where the
    /// system has `/proc`.
    fn is_only_zombies(self) -> bool {
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = all.filter_map(|entry| fs::read(entry.path().join("stat")).ok());
        let mut is_there = false;
        for stat in stats {
            if let Some((state, group)) = read(&String::from_utf8_lossy(&stat))
                && group == self.0.as_raw_nonzero().get()
            {
                if !matches!(state, "Z" | "X") {
                    return false;
                }
                is_there = true;
            }
        }
        is_there
    }
}

/// The state of a process and its group, from its `stat` file. Its name stands before them, in brackets, and may be anything.
fn read(stat: &str) -> Option<(&str, i32)> {
    let mut rest = stat.rsplit_once(") ")?.1.split(' ');
    let state = rest.next()?;
    let group = rest.nth(1)?.parse().ok()?;
    Some((state, group))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_state_and_the_group_are_found_behind_any_name() {
        assert_eq!(read("7 (sh) S 1 5 5 0 -1"), Some(("S", 5)));
        assert_eq!(read("7 (a) Z 9 9) Z 1 6 5 0 -1"), Some(("Z", 6)));
        assert_eq!(read("7 (sh) S 1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_zombie_does_not_count() {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.process_group(0).spawn().expect("there is a cat");
        let group = ProcessGroup::of(child.id()).expect("a number");
        assert!(group.is_alive());
        drop(child.stdin.take());
        let mut output = child.stdout.take().expect("asked for");
        output.read_to_end(&mut Vec::new()).expect("it ends");
        // Its output ends a moment before it does.
        while group.is_alive() {}
        assert!(
            test_kill_process_group(group.0).is_ok(),
            "it is there still"
        );
        child.wait().expect("it is ours");
        assert!(!group.is_alive());
    }
}

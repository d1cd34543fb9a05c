//! Keeps other processes of the same user out of the memory of this one.

/// Forbids core dumps, and on Linux reading the memory and the environment of this process, except to the superuser. Both
/// hold the keys and tokens of the configuration, and the servers run as the same user.
pub(crate) fn forbid() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};

        // Where the system refuses, the process stays as readable as any other.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::{DumpableBehavior, dumpable_behavior};

    #[test]
    fn the_process_is_not_dumpable() {
        super::forbid();
        assert_eq!(dumpable_behavior(), Ok(DumpableBehavior::NotDumpable));
    }
}

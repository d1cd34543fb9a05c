//! What the servers work on.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Server;

/// Who commits, and when: the same commit twice has the same name.
pub(super) const FIXED: [(&str, &str); 7] = [
    ("GIT_AUTHOR_NAME", "Test"),
    ("GIT_AUTHOR_EMAIL", "test@example.test"),
    ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"),
    ("GIT_COMMITTER_NAME", "Test"),
    ("GIT_COMMITTER_EMAIL", "test@example.test"),
    ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
];

pub(super) fn prepare(server: Server, folder: &Path) {
    if folder.exists() {
        fs::remove_dir_all(folder).expect("a folder of the test's own");
    }
    fs::create_dir_all(folder).expect("the disk can be written");
    match server {
        Server::Filesystem => {
            write(folder, "hello.txt", "hello\nworld\n");
            fs::create_dir(folder.join("empty")).expect("the disk can be written");
        }
        Server::Git => {
            git(folder, &["init", "--quiet", "--initial-branch=main"]);
            write(folder, "hello.txt", "hello\n");
            git(folder, &["add", "hello.txt"]);
            git(folder, &["commit", "--quiet", "--message", "First"]);
            write(folder, "hello.txt", "hello\nworld\n");
        }
        Server::Everything | Server::Memory | Server::Time | Server::FastMcp => {}
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("the disk can be written");
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .envs(FIXED)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "git {arguments:?}"
    );
}

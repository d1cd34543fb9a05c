//! A store file that another program deletes, replaces or overwrites while it is in use.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use breakfall_gateway::config::{Retention, RetentionLimit};
use breakfall_gateway::store::{Sqlite, Store as _, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;

use super::{entries, moment, wait, whole};

/// A store with ten entries, in use.
struct InUse {
    directory: TempDir,
    store: Sqlite,
}

impl InUse {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Sqlite::open(directory.path().join("store.db")).expect("it is made");
        wait(store.append(entries(0..10))).expect("it is kept");
        Self { directory, store }
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("store.db")
    }

    /// The number of entries that another process finds under the name of the file.
    fn found(&self) -> u64 {
        let store = Sqlite::existing(self.file()).expect("it is a store");
        wait(whole(&store)).head.seq
    }
}

#[test]
fn a_deleted_store_is_created_again() {
    let it = InUse::new();
    fs::remove_file(it.file()).expect("it is there");
    wait(it.store.append(entries(0..3))).expect("it is kept");
    assert_eq!(it.found(), 3, "in the file that has the name");
    wait(it.store.append(entries(3..5))).expect("it is kept");
    assert_eq!(it.found(), 5);
}

#[test]
fn a_deleted_store_is_created_once_for_all_that_use_it() {
    let it = InUse::new();
    let other = Sqlite::open(it.file()).expect("it opens");
    wait(other.append(entries(0..1))).expect("it is kept");
    fs::remove_file(it.file()).expect("it is there");
    for n in 0..4 {
        wait(it.store.append(entries(n..n + 1))).expect("it is kept");
        wait(other.append(entries(n..n + 1))).expect("it is kept");
    }
    assert_eq!(it.found(), 8);
}

#[test]
fn a_store_that_takes_the_place_of_another_is_used() {
    let it = InUse::new();
    let backup = it.directory.path().join("backup.db");
    let other = Sqlite::open(&backup).expect("it is made");
    wait(other.append(entries(0..3))).expect("it is kept");
    drop(other);
    wait(super::settled(&backup));
    fs::rename(&backup, it.file()).expect("it is there");
    wait(it.store.append(entries(3..5))).expect("it is kept");
    assert_eq!(it.found(), 5, "and nothing of the earlier store");
}

#[test]
fn what_another_program_writes_over_a_store_is_left_as_it_is() {
    let it = InUse::new();
    let notes = "these are my notes, and they are longer than a page: ".repeat(2000);
    fs::write(it.file(), &notes).expect("written");
    let refused = wait(it.store.append(entries(0..3)));
    assert_eq!(refused, Err(StoreError::Foreign));
    assert_eq!(fs::read_to_string(it.file()).ok(), Some(notes));
    fs::remove_file(it.file()).expect("it is there");
    wait(it.store.append(entries(0..3))).expect("it is kept");
    assert_eq!(it.found(), 3);
}

#[test]
fn a_store_that_is_emptied_is_filled_again() {
    let it = InUse::new();
    File::create(it.file()).expect("it can be emptied");
    wait(it.store.append(entries(0..3))).expect("it is kept");
    assert_eq!(it.found(), 3);
}

/// Moves all of the write-ahead log into the file.
fn checkpoint(connection: &Connection) {
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    let is_busy = connection.query_row(sql, [], |row| row.get::<_, bool>(0));
    assert_eq!(is_busy, Ok(false));
}

/// Copies a file as another process does: one that this process closes loses the locks of its stores.
fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").args([from, to]).status();
    assert!(status.is_ok_and(|status| status.success()));
}

/// A copy of the file, made when all of the log is in it.
fn backup(it: &InUse) -> PathBuf {
    checkpoint(&Connection::open(it.file()).expect("it opens"));
    let backup = it.directory.path().join("backup.db");
    copy(&it.file(), &backup);
    backup
}

/// Logs of stores that were overwritten.
fn logs_aside(it: &InUse) -> usize {
    let files = fs::read_dir(it.directory.path()).expect("it can be listed");
    let names = files.map(|file| file.expect("an entry").file_name());
    let names = names.filter(|name| name.to_string_lossy().contains(".overwritten-"));
    names.count()
}

#[test]
fn a_backup_that_is_copied_over_a_store_in_use_is_used_without_the_log_of_that_store() {
    let it = InUse::new();
    let backup = backup(&it);
    wait(it.store.append(entries(10..1000))).expect("it is kept");
    checkpoint(&Connection::open(it.file()).expect("it opens"));
    wait(it.store.append(entries(1000..1500))).expect("it is kept, in the log");
    copy(&backup, &it.file());
    wait(it.store.append(entries(0..2))).expect("it is kept");
    wait(it.store.append(entries(2..5))).expect("it is kept");
    assert_eq!(wait(whole(&it.store)).head.seq, 15);
    assert_eq!(it.found(), 15);
    assert_eq!(logs_aside(&it), 1);
    let file = Connection::open(it.file()).expect("it opens");
    let verdict = file.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(verdict.as_deref(), Ok("ok"));
}

#[test]
fn a_store_with_more_changes_that_is_copied_over_one_in_use_is_used_without_the_log_of_that_store()
{
    let it = InUse::new();
    let directory = tempfile::tempdir().expect("a directory");
    let longer = InUse {
        store: Sqlite::open(directory.path().join("store.db")).expect("it is made"),
        directory,
    };
    for n in 0..100 {
        wait(longer.store.append(entries(n * 50..n * 50 + 50))).expect("it is kept");
    }
    let backup = backup(&longer);
    wait(it.store.append(entries(10..300))).expect("it is kept, in the log");
    copy(&backup, &it.file());
    wait(it.store.append(entries(0..2))).expect("it is kept");
    assert_eq!(it.found(), 5002);
    assert_eq!(wait(whole(&it.store)).head.seq, 5002);
    assert_eq!(logs_aside(&it), 1);
}

#[test]
fn a_store_that_another_program_vacuums_is_unchanged() {
    let it = InUse::new();
    let size = || fs::metadata(it.file()).expect("it is there").len();
    let tool = Connection::open(it.file()).expect("it opens");
    wait(it.store.append(entries(10..1000))).expect("it is kept");
    checkpoint(&tool);
    let before = size();
    let mut keep = Retention::default();
    keep.audit = RetentionLimit::new(1, Duration::MAX);
    wait(it.store.purge(keep, moment(0))).expect("old ones go");
    tool.execute_batch("VACUUM").expect("it is idle");
    checkpoint(&tool);
    assert!(size() < before, "{} of {before}", size());
    let other = Sqlite::open(it.file()).expect("it opens");
    wait(other.append(entries(0..3))).expect("it is kept, in the log");
    wait(it.store.append(entries(3..5))).expect("it is kept");
    wait(other.append(entries(5..7))).expect("it is kept");
    assert_eq!(it.found(), 1007);
    assert_eq!(wait(whole(&it.store)).head.seq, 1007);
    assert_eq!(logs_aside(&it), 0);
}

#[test]
fn what_is_written_over_a_store_is_left_as_it_is_with_a_long_log_beside_it() {
    let it = InUse::new();
    // So many that the log has the first page, too.
    wait(it.store.append(entries(10..1000))).expect("it is kept");
    let notes = "these are my notes, and they are longer than a page: ".repeat(2000);
    fs::write(it.file(), &notes).expect("written");
    for _ in 0..2 {
        let refused = wait(it.store.append(entries(0..3)));
        assert_eq!(refused, Err(StoreError::Foreign));
    }
    drop(it.store);
    assert_eq!(
        Sqlite::open(it.directory.path().join("store.db")).err(),
        Some(StoreError::Foreign)
    );
    assert_eq!(
        fs::read_to_string(it.directory.path().join("store.db")).ok(),
        Some(notes)
    );
}

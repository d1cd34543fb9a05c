//! The file of a store: how it comes to be, and what it is not.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::thread;

use breakfall_gateway::config;
use breakfall_gateway::store::{
    MemoryFallback, Sqlite, Store as _, StoreError, default_file, open,
};
use tempfile::TempDir;

use super::{entries, wait, whole};
use crate::config::World;

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn only_its_user_reads_a_store() {
    let directory = directory();
    let state = directory.path().join("state/breakfall");
    let file = state.join("breakfall.db");
    let store = Sqlite::open(&file).expect("it is made with its directories");
    wait(store.append(entries(0..3))).expect("it is kept");
    assert_eq!(mode(&state), 0o700);
    let mut names = Vec::new();
    for entry in fs::read_dir(&state).expect("it can be listed") {
        let entry = entry.expect("an entry");
        names.push(entry.file_name().into_string().expect("a name"));
        assert_eq!(mode(&entry.path()), 0o600, "{names:?}");
    }
    names.sort();
    assert_eq!(
        names,
        ["breakfall.db", "breakfall.db-shm", "breakfall.db-wal"]
    );
    drop(store);

    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("it is ours");
    Sqlite::open(&file).expect("it opens");
    assert_eq!(
        mode(&file),
        0o600,
        "what somebody has opened up is closed again"
    );
}

#[test]
fn what_is_no_store_is_left_as_it_is() {
    let directory = directory();
    let at = |name: &str| directory.path().join(name);
    fs::write(
        at("notes"),
        "these are my notes, and they are longer than a header: ".repeat(20),
    )
    .expect("written");
    let other = rusqlite::Connection::open(at("other.db")).expect("it opens");
    other
        .execute_batch("CREATE TABLE mine (x); PRAGMA user_version = 1;")
        .expect("it is theirs");
    drop(other);
    let newer = rusqlite::Connection::open(at("newer.db")).expect("it opens");
    newer
        .execute_batch("PRAGMA application_id = 0x62726b66; PRAGMA user_version = 999;")
        .expect("it is newer");
    drop(newer);
    let unknown = rusqlite::Connection::open(at("unknown.db")).expect("it opens");
    unknown
        .execute_batch(
            "PRAGMA application_id = 0x62726b66; PRAGMA user_version = 3; CREATE TABLE t (x);
             PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE t (x) SOMEHOW';",
        )
        .expect("it is newer, and has a schema in new words");
    drop(unknown);
    fs::create_dir(at("directory")).expect("made");
    for (name, failure) in [
        ("notes", StoreError::Foreign),
        ("other.db", StoreError::Foreign),
        ("newer.db", StoreError::Newer),
        ("unknown.db", StoreError::Newer),
        ("directory", StoreError::Foreign),
    ] {
        let before = fs::read(at(name)).ok();
        assert_eq!(
            Sqlite::open(at(name)).err(),
            Some(failure.clone()),
            "{name}"
        );
        assert_eq!(Sqlite::existing(at(name)).err(), Some(failure), "{name}");
        assert_eq!(fs::read(at(name)).ok(), before, "{name}");
    }
    assert_eq!(
        Sqlite::existing(at("none.db")).err(),
        Some(StoreError::Missing)
    );
    assert!(!at("none.db").exists(), "looking for one does not make one");
}

#[test]
fn an_empty_file_becomes_a_store() {
    let directory = directory();
    let file = directory.path().join("empty.db");
    fs::write(&file, "").expect("written");
    let store = Sqlite::open(&file).expect("it opens");
    wait(async {
        store.append(entries(0..3)).await.expect("it is kept");
        assert_eq!(whole(&store).await.head.seq, 3);
    });
}

#[test]
fn many_who_begin_at_the_same_time_share_one_store() {
    let directory = directory();
    let file = directory.path().join("shared.db");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = Sqlite::open(&file).expect("it opens");
                for n in 0..5 {
                    wait(store.append(entries(n..n + 2))).expect("it is kept");
                }
            });
        }
    });
    let store = Sqlite::existing(&file).expect("it is there");
    assert_eq!(wait(whole(&store)).head.seq, 8 * 5 * 2);
    let others = fs::read_dir(directory.path()).expect("it can be listed");
    let is_draft = |name: &str| name.contains(".new");
    let drafts = others.filter(|entry| {
        entry
            .as_ref()
            .is_ok_and(|entry| is_draft(&entry.file_name().to_string_lossy()))
    });
    assert_eq!(drafts.count(), 0, "drafts are gone");
}

#[test]
fn what_cannot_be_had_is_memory_and_says_why() {
    let directory = directory();
    let blocked = directory.path().join("file");
    fs::write(&blocked, "no directory").expect("written");
    let around = World::default();
    let below = blocked.join("store.db");
    let opened = open(&config::StoreLocation::Sqlite(below.clone()), &around);
    assert!(opened.file.is_none());
    let instead = opened.instead.expect("it is not what was asked for");
    let told = instead.to_string();
    let why = format!(
        "the directory {} for the store cannot be created: File exists",
        blocked.display()
    );
    assert!(told.starts_with(&why), "{told}");
    assert!(instead.fix().contains("XDG_STATE_HOME"), "{instead:?}");
    assert!(
        told.ends_with("; state is kept in memory, and lost when this process ends"),
        "{told}"
    );
    wait(opened.store.append(entries(0..3))).expect("memory takes it");

    let opened = open(&config::StoreLocation::Default, &around);
    assert_eq!(opened.instead, Some(MemoryFallback::Homeless));
}

#[test]
fn the_default_file_is_in_the_users_state_directory() {
    let with = |variables: &[(&'static str, &'static str)]| {
        let around = World {
            variables: variables.iter().copied().collect(),
            ..World::default()
        };
        default_file(&around).map(|file| file.display().to_string())
    };
    let home = ("HOME", "/home/ada");
    let expected = Some("/home/ada/.local/state/breakfall/breakfall.db".to_owned());
    assert_eq!(with(&[home]), expected);
    assert_eq!(
        with(&[home, ("XDG_STATE_HOME", "relative")]),
        expected,
        "a relative path counts for nothing"
    );
    assert_eq!(
        with(&[home, ("XDG_STATE_HOME", "/state")]),
        Some("/state/breakfall/breakfall.db".to_owned())
    );
    assert_eq!(with(&[]), None);
}

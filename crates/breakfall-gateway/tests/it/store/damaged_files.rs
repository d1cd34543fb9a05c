//! Files that were not written whole.

use std::fs::{self, File};
use std::path::Path;

use breakfall_gateway::store::{Sqlite, Store as _, StoreError};
use rusqlite::Connection;

use super::{entries, settled, wait, whole};

/// The names of files that were moved aside.
fn aside(directory: &Path) -> Vec<String> {
    let files = fs::read_dir(directory).expect("it can be listed");
    let names = files.map(|file| file.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("a name"));
    names.filter(|name| name.contains(".damaged-")).collect()
}

fn cut(file: &Path, length: u64) {
    let file = File::options().write(true).open(file);
    file.and_then(|file| file.set_len(length))
        .expect("it can be cut");
}

#[test]
fn a_store_of_which_only_some_pages_were_written_is_moved_aside() {
    for length in [8192, 20_480, 53_248] {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("store.db");
        drop(Sqlite::open(&file).expect("it is made"));
        wait(settled(&file));
        cut(&file, length);
        assert_eq!(
            Sqlite::existing(&file).err(),
            Some(StoreError::Damaged),
            "looking changes nothing"
        );
        let store = Sqlite::open(&file).expect("another takes its place");
        wait(store.append(entries(0..3))).expect("it is kept");
        assert_eq!(wait(whole(&store)).head.seq, 3);
        let aside = aside(directory.path());
        let [aside] = aside.as_slice() else {
            panic!("it is kept once: {aside:?}")
        };
        let kept = fs::metadata(directory.path().join(aside)).expect("it is there");
        assert_eq!(kept.len(), length);
    }
}

#[test]
fn a_page_that_turns_out_to_be_damaged_in_use_makes_a_store_move_aside() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let store = Sqlite::open(&file).expect("it is made");
    wait(store.append(entries(0..500))).expect("it is kept");
    drop(store);
    wait(settled(&file));
    // Everything but the header and the schema.
    let mut bytes = fs::read(&file).expect("it is there");
    bytes[8192..].fill(0xa5);
    fs::write(&file, bytes).expect("written");
    let store = Sqlite::open(&file).expect("its header is whole");
    assert_eq!(wait(store.append(entries(0..3))), Err(StoreError::Damaged));
    wait(store.append(entries(0..3))).expect("another takes its place");
    assert_eq!(wait(whole(&store)).head.seq, 3);
    assert_eq!(aside(directory.path()).len(), 1);
}

#[test]
fn an_empty_database_becomes_a_store() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let other = Connection::open(&file).expect("it opens");
    other
        .pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .expect("it can be set");
    drop(other);
    let length = fs::metadata(&file).expect("it is there").len();
    assert!(length > 0, "it has a header");
    let store = Sqlite::open(&file).expect("it opens");
    wait(store.append(entries(0..3))).expect("it is kept");
}

#[test]
fn a_damaged_file_of_another_program_is_left_as_it_is() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("other.db");
    let other = Connection::open(&file).expect("it opens");
    other
        .execute_batch("CREATE TABLE mine (x); CREATE TABLE more (x);")
        .expect("it is theirs");
    drop(other);
    cut(&file, 4096);
    let before = fs::read(&file).expect("it is there");
    assert_eq!(Sqlite::open(&file).err(), Some(StoreError::Foreign));
    assert_eq!(fs::read(&file).expect("it is there"), before);
    assert!(aside(directory.path()).is_empty());
}

//! Processes that write to the same file, and one that is killed while it does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use breakfall_gateway::store::{Sqlite, Store as _};

use super::{entries, wait, whole};

/// Another process that appends batches of ten to a file and says how many it has kept, after each: so many, or for
/// ever.
struct Writer {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
    /// Why it has given up.
    refused: Option<String>,
}

impl Writer {
    fn start(file: &Path, batches: u32) -> Self {
        let this = std::env::current_exe().expect("we run");
        Self::run(&mut Command::new(this), file, batches)
    }

    /// One whose files cannot grow beyond so many blocks, of 512 bytes or of 1024.
    fn confined(file: &Path, blocks: u32) -> Self {
        let this = std::env::current_exe().expect("we run");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        Self::run(shell.arg("-c").arg(script).arg(this), file, u32::MAX / 10)
    }

    fn run(command: &mut Command, file: &Path, batches: u32) -> Self {
        let mut child = command
            .args([
                "--exact",
                "store::processes::writes",
                "--ignored",
                "--nocapture",
            ])
            .env(FILE, file)
            .env(BATCHES, batches.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Self {
            child,
            lines,
            refused: None,
        }
    }

    /// How many entries it says it has kept, next.
    fn next(&mut self) -> Option<u64> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.lines.read_line(&mut line).expect("it can be read") == 0 {
                return None;
            }
            if let Some(count) = line.trim().strip_prefix("kept ") {
                return count.parse().ok();
            }
            if let Some(why) = line.trim().strip_prefix("refused ") {
                self.refused = Some(why.to_owned());
            }
        }
    }
}

const FILE: &str = "BREAKFALL_TEST_STORE";
const BATCHES: &str = "BREAKFALL_TEST_BATCHES";

#[test]
#[ignore = "it is what the other tests here start"]
fn writes() {
    let file = std::env::var_os(FILE).expect("a test starts it");
    let batches = std::env::var(BATCHES)
        .ok()
        .and_then(|text| text.parse().ok());
    let store = match Sqlite::open(file) {
        Ok(store) => store,
        Err(why) => return println!("\nrefused {why:?}"),
    };
    for batch in 0..batches.unwrap_or(0_u32) {
        let appended = wait(store.append(entries(batch * 10..batch * 10 + 10)));
        // Not `println!`, which the harness may hold back.
        let mut out = std::io::stdout().lock();
        if let Err(why) = appended {
            writeln!(out, "\nrefused {why:?}").expect("somebody listens");
            return;
        }
        writeln!(out, "\nkept {}", (batch + 1) * 10).expect("somebody listens");
    }
}

#[test]
fn processes_append_to_one_chain() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let mut writers = [(); 3].map(|()| Writer::start(&file, 30));
    for writer in &mut writers {
        while writer.next().is_some() {}
        assert!(writer.child.wait().expect("it ends").success());
    }
    let store = Sqlite::existing(&file).expect("it is there");
    let trail = wait(whole(&store));
    assert_eq!(trail.links.len(), 3 * 300);
    // They took turns, so the entries of one are not all in a row.
    let is_first = |entry: &str| entry == r#"{"n":0}"#;
    assert_eq!(
        trail
            .links
            .iter()
            .filter(|link| is_first(&link.entry))
            .count(),
        3
    );
}

#[test]
fn a_process_that_is_killed_loses_nothing_it_has_said_is_kept() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let mut kept = 0;
    for round in 1..=5 {
        let mut writer = Writer::start(&file, u32::MAX / 10);
        let said = (0..round * 3).map_while(|_| writer.next()).last();
        writer.child.kill().expect("it runs");
        writer.child.wait().expect("it ends");
        // What it said while it was being killed counts, too.
        let said = std::iter::from_fn(|| writer.next()).last().or(said);
        kept += said.expect("it has kept something");
        let store = Sqlite::open(&file).expect("it can be read");
        let trail = wait(whole(&store));
        let there = trail.links.len() as u64;
        // The last batch may have been kept without its having been said, and is there as a whole then.
        assert!(
            (kept..=kept + 10).contains(&there) && there.is_multiple_of(10),
            "{there} of {kept}"
        );
        kept = there;
    }
}

#[test]
fn a_file_the_system_lets_grow_no_further_is_full_and_whole() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let mut writer = Writer::confined(&file, 300);
    let kept = std::iter::from_fn(|| writer.next()).last();
    assert!(writer.child.wait().expect("it ends").success());
    assert_eq!(writer.refused.as_deref(), Some("Full"));
    let store = Sqlite::open(&file).expect("it can be read");
    assert_eq!(Some(wait(whole(&store)).head.seq), kept);
    wait(store.append(entries(0..10))).expect("there is room for others");
}

#[test]
fn a_store_that_cannot_be_created_whole_can_be_created_later() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut is_refused = false;
    for blocks in [1, 8, 20, 60, 100, 113, 120, 200] {
        let file = directory.path().join(format!("{blocks}.db"));
        let mut writer = Writer::confined(&file, blocks);
        while writer.next().is_some() {}
        assert!(writer.child.wait().expect("it ends").success());
        assert_eq!(writer.refused.as_deref(), Some("Full"), "{blocks}");
        is_refused |= std::fs::metadata(&file).is_ok_and(|about| about.len() == 0);
        let store = Sqlite::open(&file).expect("there is room now");
        wait(store.append(entries(0..3))).expect("it is kept");
    }
    assert!(is_refused, "the smallest have no room for a schema");
}

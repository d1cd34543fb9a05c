//! The trail of process ids a server leaves, so that a test can tell whether all of them are gone.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// A file that every process of a fault server leaves its id in. Dropping it ends whatever is left of them.
#[derive(Debug)]
pub struct Trail {
    file: PathBuf,
}

impl Trail {
    /// A trail in that folder. Give [`file`](Self::file) to the server as `--trail`.
    pub fn new(folder: &Path) -> Self {
        let file = folder.join("trail");
        Self { file }
    }

    /// Where it is written.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The ids of all processes that started so far: servers, and what they started themselves.
    pub fn all(&self) -> Vec<u32> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Those that are still there. One that ended counts as long as a parent other than the system has not reaped it.
    pub fn left(&self) -> Vec<u32> {
        let mut all = self.all();
        all.retain(|pid| is_there(*pid));
        all
    }

    /// Those that are still there after a grace for the system to end what was killed, some two seconds.
    #[expect(
        clippy::disallowed_methods,
        reason = "the end of somebody else's child is no event one could wait for"
    )]
    pub fn left_over(&self) -> Vec<u32> {
        for _ in 0..400 {
            if self.left().is_empty() {
                return Vec::new();
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.left()
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        for pid in self.left() {
            sh(r#"kill -KILL "$0""#, pid);
        }
    }
}

fn is_there(pid: u32) -> bool {
    let (state, parent) = if Path::new("/proc/self/stat").exists() {
        let told = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name of the program comes first, in parentheses, and may hold anything.
        let Some((_, fields)) = told.rsplit_once(')') else {
            return false;
        };
        two_words(fields)
    } else {
        two_words(&sh(r#"ps -o stat= -o ppid= -p "$0""#, pid))
    };
    let reaped_soon = state.starts_with('Z') && parent == "1";
    !state.is_empty() && !reaped_soon
}

fn two_words(text: &str) -> (String, String) {
    let mut words = text.split_ascii_whitespace().map(str::to_owned);
    let mut next = || words.next().unwrap_or_default();
    (next(), next())
}

fn sh(script: &str, pid: u32) -> String {
    let output = Command::new("sh")
        .args(["-c", script, &pid.to_string()])
        .stdin(Stdio::null())
        .output();
    let stdout = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&stdout).into_owned()
}

/// Adds an id, and tells how many there are now; none without a file.
pub(super) fn leave(file: Option<&Path>, pid: u32) -> u64 {
    let Some(file) = file else { return 0 };
    let line = format!("{pid}\n");
    let opened = OpenOptions::new().create(true).append(true).open(file);
    if let Err(error) = opened.and_then(|mut file| file.write_all(line.as_bytes())) {
        super::out::complain(&format!("{}: {error}", file.display()));
    }
    fs::read_to_string(file).map_or(0, |text| text.lines().count() as u64)
}

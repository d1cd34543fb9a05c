//! What a server said before it ended at its start: the line that tells most.

use breakfall_mcp::error::REDACTOR;

/// The line of a standard error that tells why a program ended: the last one that speaks of a failure, or else the last
/// one, without the frames of a stack trace and without credentials. `None` if there is nothing to read.
pub(super) fn last_words(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let lines = text.lines().map(plain);
    let lines: Vec<String> = lines.filter(|line| !is_frame(line)).collect();
    let told = lines.iter().rfind(|line| speaks_of_failure(line));
    let line = told.or(lines.last())?;
    // Before cutting: half of a credential is not recognised as one.
    let line = REDACTOR.text(line);
    let end = line.floor_char_boundary(MAX_BYTES);
    let mark = if end < line.len() { "…" } else { "" };
    Some(format!("{}{mark}", &line[..end]))
}

/// A line without colours and control characters.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.trim().chars();
    while let Some(one) = chars.next() {
        match one {
            '\u{1b}' => {
                // Up to the letter that ends the sequence.
                chars.by_ref().find(char::is_ascii_alphabetic);
            }
            '\t' => plain.push(' '),
            one if one.is_control() => {}
            one => plain.push(one),
        }
    }
    plain.trim().to_owned()
}

/// Lines of stack traces, and what runtimes print around them.
fn is_frame(line: &str) -> bool {
    let is_word = line.chars().any(char::is_alphanumeric);
    let starts = [
        "at ",
        "File \"",
        "Traceback (",
        "Node.js v",
        "node:",
        "npm error A complete log",
        "npm ERR! A complete log",
        "note: run with",
        "stack backtrace:",
        "goroutine ",
    ];
    !is_word || starts.iter().any(|start| line.starts_with(start))
}

fn speaks_of_failure(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    FAILURE_WORDS.iter().any(|word| line.contains(word))
}

const FAILURE_WORDS: &[&str] = &[
    "error",
    "exception",
    "missing",
    "required",
    "requires",
    "not set",
    "not found",
    "no such",
    "invalid",
    "fail",
    "denied",
    "refused",
    "unable",
    "cannot",
    "could not",
    "must ",
    "please ",
    "panic",
    "fatal",
    "usage:",
];

/// How much of a line the caller reads.
const MAX_BYTES: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_tells_most_is_found() {
        for (stderr, told) in [
            (
                "Error: API_KEY is not set\n",
                Some("Error: API_KEY is not set"),
            ),
            (
                "starting\n\u{1b}[31mError: GITHUB_TOKEN is required\u{1b}[0m\n    at main (file:///app/index.js:3:9)\n    at node:internal/x\n\nNode.js v22.1.0\n",
                Some("Error: GITHUB_TOKEN is required"),
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    key = os.environ['K']\n          ~~~~~~~^^^^^\nKeyError: 'K'\n",
                Some("KeyError: 'K'"),
            ),
            (
                "Please provide a path\nbye\n",
                Some("Please provide a path"),
            ),
            ("hello\nbye\n", Some("bye")),
            ("\n  \n", None),
            ("", None),
        ] {
            assert_eq!(last_words(stderr.as_bytes()).as_deref(), told, "{stderr}");
        }
        let long = last_words("error ü".repeat(100).as_bytes()).unwrap_or_default();
        assert!(long.ends_with('…') && long.len() < MAX_BYTES + 4, "{long}");
    }

    #[test]
    fn a_credential_is_redacted_before_the_line_is_cut() {
        let start = format!(
            "error: {} postgres://app:hunter2",
            "x".repeat(MAX_BYTES - 40)
        );
        for password in ["", "0123456789abcdefghijklmnopqrstuvwxyz"] {
            let stderr = format!("{start}{password}@db.internal/shop cannot be reached");
            let words = last_words(stderr.as_bytes()).unwrap_or_default();
            assert!(
                words.ends_with('…') && words.contains("postgres://"),
                "{words}"
            );
            assert!(!words.contains("hunter2"), "{words}");
        }
    }
}

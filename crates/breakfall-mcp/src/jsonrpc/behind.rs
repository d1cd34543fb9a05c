//! A message that does not begin where its line does: half of another one stands before it, or words.

use memchr::{memmem, memrchr_iter};

use super::members::Members;
use super::mend::without_nulls;

/// Where the message begins that a line ends with, if there is anything before it. It is looked for only where a line is no
/// message itself, and only in a few places: a line may be long, and whoever wrote it may mean no good.
pub fn message_behind(line: &[u8], depth: usize) -> Option<usize> {
    let first = line.len() - line.trim_ascii_start().len();
    let versions = memmem::rfind_iter(line, VERSION).take(MOST);
    versions
        .flat_map(|version| memrchr_iter(b'{', &line[..version]).take(MOST))
        .find(|start| *start > first && is_message(&line[*start..], depth))
}

/// Whether it has all that a message needs and nothing more, as most have. What it says is read by whoever takes it.
fn is_message(part: &[u8], depth: usize) -> bool {
    let is_plain =
        |text: &str| Members::plain(text, depth).is_some_and(|members| members.kind().is_ok());
    std::str::from_utf8(part)
        .is_ok_and(|text| is_plain(text) || without_nulls(text).is_some_and(|text| is_plain(&text)))
}

/// What every message has.
const VERSION: &[u8] = b"\"jsonrpc\"";

/// In how many places it is looked for, and from each of them at how many beginnings.
const MOST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"rows":[{"id":2},{"jsonrpc":{}}]}}"#;

    fn behind(line: &str) -> Option<&str> {
        message_behind(line.as_bytes(), 100).map(|at| &line[at..])
    }

    #[test]
    fn a_message_is_found_behind_words_and_behind_half_of_another() {
        let sorted = r#"{"id":1,"jsonrpc":"2.0","result":{"jsonrpc":[]}}"#;
        let nulls = r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#;
        let spaced = r#"{ "id" : 1 , "jsonrpc" : "2.0", "method" : "x"} "#;
        let fronts = [
            "Loading model... ",
            "\u{feff}",
            "> ",
            "\u{1b}[2J",
            "[INFO] ",
            "it's 5\" wide: ",
            r#"{"jsonrpc":"2.0","id":3,"resu"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"id":1},{"text":"said in h"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        ];
        for message in [MESSAGE, sorted, spaced, nulls] {
            for front in fronts {
                assert_eq!(
                    behind(&format!("{front}{message}")),
                    Some(message),
                    "{front}"
                );
            }
        }
    }

    #[test]
    fn what_is_inside_a_message_or_breaks_off_is_none() {
        for line in [
            "",
            "  ",
            MESSAGE,
            r#"{"level":"debug","got":{"jsonrpc":"2.0","id":1,"method":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":{"jsonrpc":"2.0","id":2,"result":{}}}"#,
            r#"said {"jsonrpc":"2.0","id":1,"result":{"#,
            r#"said {"jsonrpc":"2.0","id":1}"#,
            r#"said {"id":1,"result":{}}"#,
            r#"said {"jsonrpc":"2.0","id":1,"result":{}} and more"#,
        ] {
            assert_eq!(behind(line), None, "{line}");
        }
    }

    #[test]
    fn a_long_line_of_beginnings_is_given_up_soon() {
        for part in [
            "{",
            r#"{"jsonrpc":"#,
            r#"{"jsonrpc":["#,
            r#"{"jsonrpc":"2.0","id":"#,
        ] {
            assert_eq!(behind(&part.repeat(1 << 18)), None, "{part}");
        }
    }
}

//! A message at the end of a line that begins with text or an unfinished message.

use memchr::{memmem, memrchr_iter};

use super::members::MessageMembers;
use super::repair::without_nulls;

/// Where the message begins that a line ends with, if something stands before it. Only a few places are tried: a line may be
/// long, and hostile.
pub fn trailing_message(line: &[u8], depth: usize) -> Option<usize> {
    let first = line.len() - line.trim_ascii_start().len();
    let versions = memmem::rfind_iter(line, VERSION).take(MAX_TRIES);
    versions
        .flat_map(|version| memrchr_iter(b'{', &line[..version]).take(MAX_TRIES))
        .find(|start| *start > first && is_message(&line[*start..], depth))
}

/// Whether it is a valid message.
fn is_message(part: &[u8], depth: usize) -> bool {
    let is_plain = |text: &str| {
        MessageMembers::plain(text, depth).is_some_and(|members| members.kind().is_ok())
    };
    std::str::from_utf8(part)
        .is_ok_and(|text| is_plain(text) || without_nulls(text).is_some_and(|text| is_plain(&text)))
}

/// The key every message has.
const VERSION: &[u8] = b"\"jsonrpc\"";

/// How many places of the key are tried, and how many beginnings before each.
const MAX_TRIES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"rows":[{"id":2},{"jsonrpc":{}}]}}"#;

    fn behind(line: &str) -> Option<&str> {
        trailing_message(line.as_bytes(), 100).map(|at| &line[at..])
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
    fn nested_and_unfinished_messages_are_not_found() {
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

//! What a JSON reader cannot keep: numbers beyond its precision, and keys that occur more than once.
//!
//! A parser drops both, so this scans the text itself, once. The text must have been parsed before.

use std::collections::HashMap;

use breakfall_mcp::jsonrpc::string_end;
use serde_json::{Number, Value};

use crate::layout::shorten;
use crate::report::ReportNote;

/// Notes on what is not kept exactly in a JSON text, the first few by name.
pub(super) fn notes(text: &str) -> Vec<ReportNote> {
    let mut scan = LossScan::default();
    scan.text(text, "");
    let unnamed = scan.count - scan.found.len();
    let mut notes: Vec<ReportNote> = scan
        .found
        .into_iter()
        .map(|text| ReportNote::new("note", text))
        .collect();
    if unnamed > 0 {
        let text = format!("{unnamed} more numbers or keys are not kept as they stand");
        notes.push(ReportNote::new("note", text));
    }
    notes
}

/// More would hide other notes.
const MAX_NAMED: usize = 10;

#[derive(Default)]
struct LossScan {
    open: Vec<OpenContainer>,
    found: Vec<String>,
    count: usize,
}

/// An object or list that is open, and the position in it.
enum OpenContainer {
    Object {
        seen: HashMap<String, usize>,
        key: Option<String>,
    },
    List(usize),
}

impl LossScan {
    fn text(&mut self, text: &str, prefix: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let from = at;
            at += 1;
            match byte {
                b'{' => self.open.push(OpenContainer::Object {
                    seen: HashMap::new(),
                    key: None,
                }),
                b'[' => self.open.push(OpenContainer::List(0)),
                b'}' | b']' => {
                    self.open.pop();
                }
                b',' => self.next(),
                b'"' => {
                    at = string_end(bytes, at).map_or(bytes.len(), |quote| quote + 1);
                    self.string(&text[from..at], prefix);
                }
                b'-' | b'0'..=b'9' => {
                    at = end_of_number(bytes, at);
                    self.number(&text[from..at], prefix);
                }
                _ => {}
            }
        }
    }

    fn next(&mut self) {
        match self.open.last_mut() {
            Some(OpenContainer::Object { key, .. }) => *key = None,
            Some(OpenContainer::List(index)) => *index += 1,
            None => {}
        }
    }

    fn string(&mut self, token: &str, prefix: &str) {
        if let Some(OpenContainer::Object { seen, key }) = self.open.last_mut()
            && key.is_none()
        {
            let name: String = serde_json::from_str(token).unwrap_or_default();
            let times = seen.entry(name.clone()).or_default();
            *times += 1;
            if *times == 2 {
                let shown = shorten(&name);
                let loss = format!("key '{shown}' occurs more than once, the last one counts");
                self.add(prefix, &loss);
            }
            self.enter(name);
        } else if prefix.is_empty() && self.is_text_block() {
            self.block(token);
        }
    }

    fn enter(&mut self, name: String) {
        if let Some(OpenContainer::Object { key, .. }) = self.open.last_mut() {
            *key = Some(name);
        }
    }

    /// Whether the current value is the text of a tool result's block, which is read as JSON if it is JSON.
    fn is_text_block(&self) -> bool {
        let at = |open: &OpenContainer, name: &str| match open {
            OpenContainer::Object { key, .. } => key.as_deref() == Some(name),
            OpenContainer::List(_) => false,
        };
        let open = match self.open.as_slice() {
            [result, rest @ ..] if at(result, "result") => rest,
            open => open,
        };
        let [content, OpenContainer::List(_), block] = open else {
            return false;
        };
        at(content, "content") && at(block, "text")
    }

    fn block(&mut self, token: &str) {
        let text: String = serde_json::from_str(token).unwrap_or_default();
        if serde_json::from_str::<Value>(&text).is_ok() {
            let prefix = self.pointer();
            let outside = std::mem::take(&mut self.open);
            self.text(&text, &prefix);
            self.open = outside;
        }
    }

    fn number(&mut self, token: &str, prefix: &str) {
        let Ok(number) = serde_json::from_str::<Number>(token) else {
            return;
        };
        let kept = number.to_string();
        if decimal(token) != decimal(&kept) {
            let loss = format!("number {} becomes {kept}", shorten(token));
            self.add(prefix, &loss);
        }
    }

    fn add(&mut self, prefix: &str, loss: &str) {
        self.count += 1;
        if self.found.len() < MAX_NAMED {
            let place = format!("{prefix}{}", self.pointer());
            self.found.push(match place.as_str() {
                "" => loss.to_owned(),
                place => format!("{}: {loss}", shorten(place)),
            });
        }
    }

    /// The JSON pointer of the current value, or of the object of the current key.
    fn pointer(&self) -> String {
        let steps = self.open.iter().filter_map(|open| match open {
            OpenContainer::Object { key, .. } => key.as_ref().map(|key| {
                let key = key.replace('~', "~0").replace('/', "~1");
                format!("/{key}")
            }),
            OpenContainer::List(index) => Some(format!("/{index}")),
        });
        steps.collect()
    }
}

fn end_of_number(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    at + rest.iter().take_while(|byte| is_part(byte)).count()
}

/// A number as sign, digits without zeros around them, and the power of ten they are multiplied by: equal for
/// `100`, `1e2` and `100.0`. Zero has no digits, and one sign.
fn decimal(token: &str) -> (bool, String, i64) {
    let (negative, token) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return (false, String::new(), 0);
    }
    // An exponent too long to be counted is too large for any number that was kept.
    let exponent: i64 = exponent.parse().unwrap_or(i64::MAX);
    let shift = length(digits) - length(significant) - length(fraction);
    (
        negative,
        significant.to_owned(),
        exponent.saturating_add(shift),
    )
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        notes(text).into_iter().map(|note| note.text).collect()
    }

    #[test]
    fn a_number_that_is_not_kept_is_noted_with_its_place() {
        assert_eq!(
            said(r#"{"a": [0, {"b/c": 12345678901234567890123}]}"#),
            ["/a/1/b~1c: number 12345678901234567890123 becomes 1.2345678901234568e+22"]
        );
        assert_eq!(said("1e-400"), ["number 1e-400 becomes 0.0"]);
        assert_eq!(
            said("[-18446744073709551616]"),
            ["/0: number -18446744073709551616 becomes -1.8446744073709552e+19"]
        );
    }

    #[test]
    fn a_number_that_is_only_written_another_way_is_kept() {
        for text in [
            "18446744073709551615",
            "-9223372036854775808",
            "0.1",
            "1.10",
            "100",
            "1e2",
            "1E+2",
            "1.5e-7",
            "-0",
            "0.000",
            "0e99999999999999999999",
            "1e22",
            "12300000000000000000000",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }

    #[test]
    fn a_repeated_key_is_noted_once_with_its_object() {
        assert_eq!(
            said(r#"{"x": {"a": 1, "\u0061": 2, "a": {"a": 3}, "b": "a"}}"#),
            ["/x: key 'a' occurs more than once, the last one counts"]
        );
        assert!(said(r#"[{"a": 1}, {"a": "{\"a\":1,\"a\":1}"}]"#).is_empty());
    }

    #[test]
    fn text_blocks_of_a_tool_result_are_scanned() {
        let block = r#"{"content": [{"type": "text", "text": "{\"a\": 1e-400, \"a\": 2}"}]}"#;
        let expected = |prefix: &str| {
            [
                format!("{prefix}/content/0/text/a: number 1e-400 becomes 0.0"),
                format!(
                    "{prefix}/content/0/text: key 'a' occurs more than once, the last one counts"
                ),
            ]
        };
        assert_eq!(said(block), expected(""));
        assert_eq!(
            said(&format!(r#"{{"jsonrpc": "2.0", "result": {block}}}"#)),
            expected("/result")
        );
        assert!(said(r#"{"content": [{"text": "1e-400 is small"}], "text": "1e-400"}"#).is_empty());
    }

    #[test]
    fn only_the_first_are_named() {
        let many = format!("[{}1]", "1e-400,".repeat(MAX_NAMED + 5));
        let said = said(&many);
        assert_eq!(said.len(), MAX_NAMED + 1);
        assert_eq!(
            said.last().map(String::as_str),
            Some("5 more numbers or keys are not kept as they stand")
        );
    }
}

//! Members an object has twice. Parsers disagree on which of them counts, so a check of the one says nothing about
//! what a server will do with the other.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::{memchr2, memchr3};

/// The first key that an object has twice, at any depth of a valid JSON text.
pub(super) fn named_twice(json: &str) -> Option<Cow<'_, str>> {
    let mut keys = Keys::default();
    let mut rest = json;
    while let Some(at) = memchr3(b'{', b'}', b'"', rest.as_bytes()) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match found {
            b'{' => keys.open(),
            b'}' => keys.close(),
            _ => {
                let text = &rest[..end_of_string(rest)];
                rest = rest.get(text.len() + 1..).unwrap_or_default();
                if rest.trim_ascii_start().starts_with(':')
                    && let Some(twice) = keys.add(unescaped(text))
                {
                    return Some(twice);
                }
            }
        }
    }
    None
}

fn end_of_string(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at = (at + 2).min(bytes.len());
    }
    bytes.len()
}

/// A lone half of a surrogate pair has no text of its own; it is compared as it is written.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    serde_json::from_str(&format!("\"{text}\"")).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The keys of the objects that are open: few are compared, many are hashed.
struct Keys<'a> {
    /// Those of all of them, the innermost last.
    few: Vec<Cow<'a, str>>,
    objects: Vec<Object<'a>>,
}

/// An object that is open.
struct Object<'a> {
    /// Where its keys begin among the few.
    from: usize,
    many: Option<HashSet<Cow<'a, str>>>,
}

impl Default for Keys<'_> {
    fn default() -> Self {
        // Enough for most, so that they do not grow.
        Self {
            few: Vec::with_capacity(FEW),
            objects: Vec::with_capacity(FEW),
        }
    }
}

impl<'a> Keys<'a> {
    fn open(&mut self) {
        self.objects.push(Object {
            from: self.few.len(),
            many: None,
        });
    }

    fn close(&mut self) {
        if let Some(object) = self.objects.pop() {
            self.few.truncate(object.from);
        }
    }

    /// Adds a key to the innermost, or gives it back if it is there already.
    fn add(&mut self, key: Cow<'a, str>) -> Option<Cow<'a, str>> {
        let object = self.objects.last_mut()?;
        let few = &self.few[object.from..];
        if few.contains(&key) {
            return Some(key);
        }
        if few.len() < FEW {
            self.few.push(key);
            return None;
        }
        object.many.get_or_insert_default().replace(key)
    }
}

const FEW: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_counts_as_the_same_however_it_is_written_and_only_within_its_object() {
        let cases = [
            (r#"{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}"#, None),
            (r#"{"a":1,"a":1}"#, Some("a")),
            (r#"{"a" : "a:" , "b":"{\"a\":1,\"a\":2}"}"#, None),
            (r#"{"x":[{"k":1,"\u006b" :2}]}"#, Some("k")),
            (r#"{"q\"":1,"q\"":2}"#, Some("q\"")),
            (r#"{"\\":1,"b\\":{"\\":"\\"},"\\":2}"#, Some("\\")),
            (r#"{"":1,"n":1e999,"":2}"#, Some("")),
            (r#"["a","a","a"]"#, None),
            (r#""a""#, None),
        ];
        for (json, want) in cases {
            assert_eq!(named_twice(json).as_deref(), want, "{json}");
        }
    }

    #[test]
    fn many_keys_are_all_remembered() {
        let mut keys: Vec<String> = (0..1000).map(|key| format!("\"k{key}\":0")).collect();
        assert_eq!(named_twice(&format!("{{{}}}", keys.join(","))), None);
        keys.push("\"k500\":1".to_owned());
        assert_eq!(
            named_twice(&format!("{{{}}}", keys.join(","))).as_deref(),
            Some("k500")
        );
    }
}

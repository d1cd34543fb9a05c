//! Keys that an object has twice. Parsers disagree on which of them counts, so a check of one says nothing about what a server
//! does with the other.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memchr3;

use super::string_end::string_end;

/// The first key that an object has twice, at any depth of a valid JSON text.
pub(super) fn duplicate_key(json: &str) -> Option<Cow<'_, str>> {
    let mut keys = OpenKeys::default();
    let mut rest = json;
    while let Some(at) = memchr3(b'{', b'}', b'"', rest.as_bytes()) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match found {
            b'{' => keys.open(),
            b'}' => keys.close(),
            _ => {
                let text = &rest[..string_end(rest.as_bytes(), 0).unwrap_or(rest.len())];
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

/// A lone half of a surrogate pair has no text of its own; it is compared as it is written.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    serde_json::from_str(&format!("\"{text}\"")).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The keys of the open objects: few are compared, many are hashed.
struct OpenKeys<'a> {
    /// The keys of all open objects, the innermost last.
    few: Vec<Cow<'a, str>>,
    objects: Vec<OpenObject<'a>>,
}

/// An open object.
struct OpenObject<'a> {
    /// Where its keys begin in the list.
    from: usize,
    many: Option<HashSet<Cow<'a, str>>>,
}

impl Default for OpenKeys<'_> {
    fn default() -> Self {
        Self {
            few: Vec::with_capacity(FEW_KEYS),
            objects: Vec::with_capacity(FEW_KEYS),
        }
    }
}

impl<'a> OpenKeys<'a> {
    fn open(&mut self) {
        self.objects.push(OpenObject {
            from: self.few.len(),
            many: None,
        });
    }

    fn close(&mut self) {
        if let Some(object) = self.objects.pop() {
            self.few.truncate(object.from);
        }
    }

    /// Adds a key to the innermost object, or gives it back if the object has it.
    fn add(&mut self, key: Cow<'a, str>) -> Option<Cow<'a, str>> {
        let object = self.objects.last_mut()?;
        let few = &self.few[object.from..];
        if few.contains(&key) {
            return Some(key);
        }
        if few.len() < FEW_KEYS {
            self.few.push(key);
            return None;
        }
        object.many.get_or_insert_default().replace(key)
    }
}

/// How many keys of an object are compared.
const FEW_KEYS: usize = 16;

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
            assert_eq!(duplicate_key(json).as_deref(), want, "{json}");
        }
    }

    #[test]
    fn many_keys_are_all_remembered() {
        let mut keys: Vec<String> = (0..1000).map(|key| format!("\"k{key}\":0")).collect();
        assert_eq!(duplicate_key(&format!("{{{}}}", keys.join(","))), None);
        keys.push("\"k500\":1".to_owned());
        assert_eq!(
            duplicate_key(&format!("{{{}}}", keys.join(","))).as_deref(),
            Some("k500")
        );
    }
}

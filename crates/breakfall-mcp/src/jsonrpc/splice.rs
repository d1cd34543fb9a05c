//! Changes a few members of a JSON object: the rest keeps its bytes and its order.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::memchr;
use serde::Deserializer as _;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::Frame;

/// A JSON object and the places of some members. The others take no memory.
#[derive(Debug)]
pub struct Object<'a> {
    text: &'a str,
    found: Vec<FoundMember<'a>>,
    /// How many members there are.
    count: usize,
}

/// A member with one of the requested names.
#[derive(Debug)]
struct FoundMember<'a> {
    name: &'static str,
    /// How many members stand before it.
    index: usize,
    key_start: usize,
    value: &'a str,
    /// The end of the member before it.
    before: usize,
    /// The start of the member after it.
    after: Option<usize>,
}

impl<'a> Object<'a> {
    /// Finds members by name. `None` if the text is not an object, or has too many of those members.
    pub fn of(text: &'a str, names: &[&'static str]) -> Option<Self> {
        let mut object = Self {
            text,
            found: Vec::new(),
            count: 0,
        };
        let look = MemberSearch {
            object: &mut object,
            names,
        };
        serde_json::Deserializer::from_str(text)
            .deserialize_map(look)
            .ok()?;
        Some(object)
    }

    /// Whether it has no other members than the requested ones.
    pub fn has_no_others(&self) -> bool {
        self.count == self.found.len()
    }

    /// Whether it has a member more than once.
    pub fn has_twice(&self, name: &str) -> bool {
        self.found.iter().filter(|found| found.name == name).count() > 1
    }

    /// The value of a member, as it is written. Of duplicates the last counts, as with most parsers.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let mut found = self.found.iter().rev();
        Some(found.find(|found| found.name == name)?.value)
    }

    /// The value of a member that is a string.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        text(self.get(name)?)
    }

    /// Begins to edit it.
    pub fn edit(self) -> ObjectEdit<'a> {
        ObjectEdit {
            dropped: Vec::new(),
            put: Vec::new(),
            object: self,
        }
    }

    fn start_of(&self, part: &str) -> usize {
        part.as_ptr().addr() - self.text.as_ptr().addr()
    }
}

/// The text of a JSON string; `None` if the JSON is not a string.
pub fn text(json: &str) -> Option<Cow<'_, str>> {
    if !json.starts_with('"') {
        return None;
    }
    let plain = &json[1..json.len() - 1];
    if memchr(b'\\', plain.as_bytes()).is_some() {
        return serde_json::from_str(json).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(plain))
}

/// Edits of an object, made by [`Self::write`]. Only requested members can be changed or dropped.
#[derive(Debug)]
#[must_use = "nothing changes until it is written"]
pub struct ObjectEdit<'a> {
    object: Object<'a>,
    dropped: Vec<&'static str>,
    put: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> ObjectEdit<'a> {
    /// Drops a member.
    pub fn drop(mut self, name: &'static str) -> Self {
        self.dropped.push(name);
        self
    }

    /// Sets a member: in its old place, or at the end.
    pub fn put(mut self, name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        self.put.push((name, value.into()));
        self
    }

    /// Adds a member, unless there is one of that name.
    pub fn put_new(self, name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        match self.object.get(name) {
            Some(_) => self,
            None => self.put(name, value),
        }
    }

    /// The edited object.
    pub fn write(&self) -> String {
        let Object { text, found, count } = &self.object;
        let mut changes: Vec<(Range<usize>, &str)> = Vec::new();
        let mut dropped = 0;
        for member in found {
            let start = self.object.start_of(member.value);
            let end = start + member.value.len();
            if self.dropped.contains(&member.name) {
                // One comma goes with it: the one before, or the one after if nothing is left before.
                let cut = if member.index > dropped {
                    member.before..end
                } else {
                    member.key_start..member.after.unwrap_or(end)
                };
                dropped += 1;
                changes.push((cut, ""));
            } else if let Some((_, value)) = self.put.iter().find(|(name, _)| *name == member.name)
            {
                changes.push((start..end, value));
            }
        }
        let mut written = String::with_capacity(text.len() + self.longer());
        let mut from = 0;
        for (place, to) in changes {
            written.push_str(&text[from..place.start]);
            written.push_str(to);
            from = place.end;
        }
        let end = text.trim_ascii_end().len() - 1;
        written.push_str(&text[from..end]);
        self.write_new(&mut written, *count == dropped);
        written.push_str(&text[end..]);
        written
    }

    fn write_new(&self, written: &mut String, mut is_first: bool) {
        for (name, value) in &self.put {
            if self.object.get(name).is_some() && !self.dropped.contains(name) {
                continue;
            }
            if !is_first {
                written.push(',');
            }
            is_first = false;
            written.push('"');
            written.push_str(name);
            written.push_str("\":");
            written.push_str(value);
        }
    }

    fn longer(&self) -> usize {
        let put = self.put.iter();
        put.map(|(name, value)| name.len() + value.len() + 4).sum()
    }
}

struct MemberSearch<'o, 'a> {
    object: &'o mut Object<'a>,
    names: &'o [&'static str],
}

impl<'a> Visitor<'a> for MemberSearch<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut members: A) -> Result<(), A::Error> {
        let object = self.object;
        let mut before = 0;
        while let Some((key, value)) = members.next_entry::<&'a RawValue, &'a RawValue>()? {
            let (key, value) = (key.get(), value.get());
            let key_start = object.start_of(key);
            if let Some(last) = object.found.last_mut()
                && last.index + 1 == object.count
            {
                last.after = Some(key_start);
            }
            if let Some(name) = self.names.iter().find(|name| is(key, name)) {
                if object.found.len() == MAX_FOUND {
                    return Err(A::Error::custom("too many members of the same name"));
                }
                object.found.push(FoundMember {
                    name,
                    index: object.count,
                    key_start,
                    value,
                    before,
                    after: None,
                });
            }
            object.count += 1;
            before = object.start_of(value) + value.len();
        }
        Ok(())
    }
}

/// Whether a key equals a name, also with escapes.
fn is(key: &str, name: &str) -> bool {
    text(key).is_some_and(|key| key == name)
}

/// How many members are found at most.
const MAX_FOUND: usize = 64;

/// Calls a function with each item of a list; `None` if the text is not a list.
pub fn each<'a>(list: &'a str, look: impl FnMut(&'a str)) -> Option<()> {
    serde_json::Deserializer::from_str(list)
        .deserialize_seq(ItemVisitor(look))
        .ok()
}

/// Calls a function with each member of an object, as they are written; `None` if the text is not an object.
pub fn members<'a>(object: &'a str, look: impl FnMut(&'a str, &'a str)) -> Option<()> {
    serde_json::Deserializer::from_str(object)
        .deserialize_map(MemberVisitor(look))
        .ok()
}

/// Sets members of a JSON object, in their old places or at the end; `None` if the text is not an object. The rest keeps its
/// bytes.
///
/// ```
/// use breakfall_mcp::jsonrpc::put_all;
///
/// let new = [("b".to_owned(), "2".to_owned()), ("c".to_owned(), "3".to_owned())];
/// assert_eq!(put_all(r#"{"b": 1.0, "a": 1e400}"#, &new).as_deref(), Some(r#"{"b": 2, "a": 1e400,"c":3}"#));
/// ```
pub fn put_all(object: &str, new: &[(String, String)]) -> Option<String> {
    let mut places = Vec::new();
    let mut count = 0;
    members(object, |key, value| {
        count += 1;
        let found = new.iter().position(|(name, _)| is(key, name));
        places.extend(found.map(|at| (at, value)));
    })?;
    let mut out = String::with_capacity(object.len());
    let mut from = 0;
    for (at, value) in &places {
        let start = value.as_ptr().addr() - object.as_ptr().addr();
        out.push_str(&object[from..start]);
        out.push_str(&new[*at].1);
        from = start + value.len();
    }
    let end = object.trim_ascii_end().len() - 1;
    out.push_str(&object[from..end]);
    for (at, (name, value)) in new.iter().enumerate() {
        if places.iter().all(|(have, _)| *have != at) {
            out.push_str(if count == 0 { "" } else { "," });
            out.push_str(&serde_json::Value::from(name.as_str()).to_string());
            out.push(':');
            out.push_str(value);
            count += 1;
        }
    }
    out.push_str(&object[end..]);
    Some(out)
}

struct MemberVisitor<F>(F);

impl<'a, F: FnMut(&'a str, &'a str)> Visitor<'a> for MemberVisitor<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some((key, value)) = members.next_entry::<&'a RawValue, &'a RawValue>()? {
            (self.0)(key.get(), value.get());
        }
        Ok(())
    }
}

struct ItemVisitor<F>(F);

impl<'a, F: FnMut(&'a str)> Visitor<'a> for ItemVisitor<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut all: A) -> Result<(), A::Error> {
        while let Some(one) = all.next_element::<&'a RawValue>()? {
            (self.0)(one.get());
        }
        Ok(())
    }
}

/// A message with another body.
pub fn with_body(frame: &Frame, body: &str) -> Vec<u8> {
    let text = frame.bytes();
    let end = text.trim_ascii_end().len() - 1;
    let (place, name) = frame.body().map_or((end..end, r#","params":"#), |body| {
        (frame.place_of(body), "")
    });
    [
        &text[..place.start],
        name.as_bytes(),
        body.as_bytes(),
        &text[place.end..],
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::*;

    fn edited(text: &str, drop: &[&'static str], put: &[(&'static str, &'static str)]) -> String {
        let names: Vec<&'static str> = ["a", "b", "c"].to_vec();
        let mut edit = Object::of(text, &names).expect("an object").edit();
        for name in drop {
            edit = edit.drop(name);
        }
        for (name, value) in put {
            edit = edit.put(name, *value);
        }
        edit.write()
    }

    #[test]
    fn a_member_goes_with_one_comma_wherever_it_stands() {
        let cases = [
            (r#"{"a":1,"x":2}"#, r#"{"x":2}"#),
            (r#"{"x":2,"a":1}"#, r#"{"x":2}"#),
            (r#"{"x":2 , "a":1 , "y":3}"#, r#"{"x":2 , "y":3}"#),
            (r#"{"a":1,"b":2,"x":3}"#, r#"{"x":3}"#),
            (r#"{"a":1,"x":3,"b":2}"#, r#"{"x":3}"#),
            (r#"{ "a" : {"a":1} , "b":2 }"#, "{  }"),
            (r#"{"\u0061":1,"x":1e2,"a":2}"#, r#"{"x":1e2}"#),
            (r#"{"x":"a"}"#, r#"{"x":"a"}"#),
            ("{}", "{}"),
        ];
        for (text, want) in cases {
            assert_eq!(edited(text, &["a", "b"], &[]), want, "{text}");
        }
    }

    #[test]
    fn a_member_is_put_in_its_old_place_or_at_the_end() {
        let cases = [
            ("{}", r#"{"a":7}"#),
            (r#"{"x":1.0 }"#, r#"{"x":1.0 ,"a":7}"#),
            (r#"{"a":[1],"x":1}"#, r#"{"a":7,"x":1}"#),
            (r#"{"b":1}"#, r#"{"a":7}"#),
            (r#"{"b":1,"a":2}"#, r#"{"a":7}"#),
            (r#"{"x":0,"b":1}"#, r#"{"x":0,"a":7}"#),
        ];
        for (text, want) in cases {
            assert_eq!(edited(text, &["b"], &[("a", "7")]), want, "{text}");
        }
    }

    #[test]
    fn members_of_any_name_are_put_in() {
        let put = |text, new: &[(&str, &str)]| {
            let new: Vec<_> = new
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
                .collect();
            put_all(text, &new)
        };
        let cases = [
            ("{}", r#"{"a \"b":7,"x":8}"#),
            (
                r#" { "x" : [1] , "y":1e400 } "#,
                r#" { "x" : 8 , "y":1e400 ,"a \"b":7} "#,
            ),
            (
                r#"{"x":1,"\u0078":2,"a \"b":3}"#,
                r#"{"x":8,"\u0078":8,"a \"b":7}"#,
            ),
        ];
        for (text, want) in cases {
            assert_eq!(
                put(text, &[("a \"b", "7"), ("x", "8")]).as_deref(),
                Some(want)
            );
        }
        assert_eq!(put("[]", &[("a", "1")]), None);
    }

    #[test]
    fn only_objects_have_members() {
        for text in ["[]", "1", "null", "\"{}\"", "{", "{} x"] {
            let found = Object::of(text, &["a"]);
            assert!(found.is_none() || text == "{} x", "{text}");
        }
        let many = format!("{{{}}}", vec!["\"a\":1"; 1000].join(","));
        assert!(Object::of(&many, &["a"]).is_none());
        assert_eq!(Object::of(&many, &["b"]).expect("an object").count, 1000);
    }

    #[test]
    fn a_message_gets_a_body_where_it_had_one_or_none() {
        let limits = super::super::FrameLimits::REQUEST;
        let cases = [
            (
                r#"{"jsonrpc":"2.0","params":{"x":1},"id":1e0,"method":"m"}"#,
                None,
            ),
            (
                r#"{"params": {"x":1.50} ,"id":1,"method":"m","jsonrpc":"2.0","z":{}}"#,
                Some(r#"{"params": {"y":2} ,"id":1,"method":"m","jsonrpc":"2.0","z":{}}"#),
            ),
            (
                r#"{"id":1,"method":"m","jsonrpc":"2.0" } "#,
                Some(r#"{"id":1,"method":"m","jsonrpc":"2.0" ,"params":{"y":2}} "#),
            ),
            (
                r#"{"id":1,"method":"m","jsonrpc":"2.0","params":null}"#,
                Some(r#"{"id":1,"method":"m","jsonrpc":"2.0","params":{"y":2}}"#),
            ),
        ];
        for (text, want) in cases {
            let frame = Frame::parse(text.into(), &limits).ok();
            let body = frame.map(|frame| with_body(&frame, r#"{"y":2}"#));
            let body = body.map(|body| String::from_utf8(body).expect("text"));
            assert_eq!(body.as_deref(), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_else_changes(
            names in prop::collection::vec("[a-e]", 0..8),
            numbers in prop::collection::vec("-?[1-9][0-9]{0,30}(\\.[0-9]{1,5})?(e[0-9])?", 8),
            gaps in prop::collection::vec("[ \t]{0,2}", 16),
        ) {
            let members = names.iter().enumerate().map(|(at, name)| {
                let (left, right) = (&gaps[2 * at], &gaps[2 * at + 1]);
                format!("{left}\"{name}\"{right}:{left}{}{right}", numbers[at])
            });
            let text = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
            let written = edited(&text, &["a"], &[("b", "null")]);

            let plain: String = written.split([' ', '\t']).collect();
            let mut want: Vec<String> = Vec::new();
            let mut has_b = false;
            for (at, name) in names.iter().enumerate() {
                match name.as_str() {
                    "a" => {}
                    "b" => {
                        has_b = true;
                        want.push("\"b\":null".to_owned());
                    }
                    _ => want.push(format!("\"{name}\":{}", numbers[at])),
                }
            }
            if !has_b {
                want.push("\"b\":null".to_owned());
            }
            prop_assert_eq!(&plain, &format!("{{{}}}", want.join(",")));
            prop_assert!(serde_json::from_str::<Map<String, Value>>(&written).is_ok());
        }
    }
}

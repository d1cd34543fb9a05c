//! What a server put into the content of a failure: kept, without what must not be seen, and not without end.

use std::borrow::Cow;

use super::{Teller, quoted};
use crate::envelope::splice::{Object, each};
use crate::verdict::text_of;

/// The blocks of a server, and how long its texts were if they had to be cut.
#[derive(Debug, Default)]
pub(super) struct Theirs {
    pub(super) blocks: Vec<String>,
    /// All bytes of text there were, if not all are there any more.
    pub(super) cut_from: Option<usize>,
}

/// Takes the blocks out of content. Some servers send words, or one block, where a list should be.
pub(super) fn theirs(content: Option<&str>, teller: &Teller<'_>) -> Theirs {
    let mut room = Room {
        left: teller.manner.text_limit,
        all: 0,
        is_cut: false,
    };
    let mut blocks = Vec::new();
    match content {
        None | Some("null") => {}
        Some(list) if list.starts_with('[') => {
            each(list, |block| {
                blocks.push(disclosed(block, teller, &mut room));
            });
        }
        Some(words) if words.starts_with('"') => {
            let clean = room.text(&text_of(words), teller);
            blocks.push(block(&clean));
        }
        Some(block) if block.starts_with('{') => {
            blocks.push(disclosed(block, teller, &mut room));
        }
        Some(other) => {
            let clean = teller.redactor.text(other);
            blocks.push(block(&clean));
        }
    }
    let cut_from = room.is_cut.then_some(room.all);
    Theirs { blocks, cut_from }
}

/// A block of text.
pub(super) fn block(text: &str) -> String {
    let text = quoted(text);
    format!(r#"{{"type":"text","text":{text}}}"#)
}

/// How much text may still come.
struct Room {
    left: usize,
    all: usize,
    is_cut: bool,
}

impl Room {
    fn text(&mut self, text: &str, teller: &Teller<'_>) -> String {
        self.all += text.len();
        let room = self.left;
        self.left = self.left.saturating_sub(text.len());
        if text.len() <= room {
            return teller.clean(text);
        }
        self.is_cut = true;
        teller.redactor.clone().limit(room).text(text).into_owned()
    }

    /// A text as it is written, and as it may be; nothing if that is the same.
    fn raw(&mut self, raw: &str, teller: &Teller<'_>) -> Option<String> {
        let text = text_of(raw);
        let clean = self.text(&text, teller);
        (clean != text).then(|| quoted(&clean))
    }
}

/// A block without what its reader must not see. Pictures and sounds are as they are.
fn disclosed(block: &str, teller: &Teller<'_>, room: &mut Room) -> String {
    let Some(object) = Object::of(block, &["type", "text", "resource"]) else {
        return teller.redactor.json(block).into_owned();
    };
    let kind = object.text("type").unwrap_or_default();
    let clean = match &*kind {
        "text" => texted(block, object, teller, room),
        "resource" => {
            let resource = object.get("resource").filter(|raw| raw.starts_with('{'));
            let inner = resource.map(|raw| match Object::of(raw, &["text"]) {
                Some(found) => texted(raw, found, teller, room),
                None => teller.redactor.members(raw, |name| KEPT.contains(&name)),
            });
            let outer = teller
                .redactor
                .members(block, |name| KEPT.contains(&name) || name == "resource");
            put(outer, "resource", inner.as_deref())
        }
        _ => teller.redactor.members(block, |name| KEPT.contains(&name)),
    };
    clean.into_owned()
}

/// An object with a text that counts, which was looked for.
fn texted<'a>(
    object: &'a str,
    found: Object<'a>,
    teller: &Teller<'_>,
    room: &mut Room,
) -> Cow<'a, str> {
    let Some(raw) = found.get("text").filter(|raw| raw.starts_with('"')) else {
        return teller.redactor.members(object, |name| KEPT.contains(&name));
    };
    let clean = room.raw(raw, teller);
    // Nobody has looked at one that does not count.
    let clean = clean.or_else(|| found.has_twice("text").then(|| raw.to_owned()));
    // Mostly there is nothing but the text and its type.
    if found.has_no_others() && found.get("resource").is_none() {
        return match clean {
            Some(clean) => found.edit().put("text", clean).write().into(),
            None => Cow::Borrowed(object),
        };
    }
    let rest = teller
        .redactor
        .members(object, |name| KEPT.contains(&name) || name == "text");
    put(rest, "text", clean.as_deref())
}

/// An object with another member in the place of its own.
fn put<'a>(object: Cow<'a, str>, name: &'static str, value: Option<&str>) -> Cow<'a, str> {
    match (value, Object::of(&object, &[name])) {
        (Some(value), Some(found)) => found.edit().put(name, value).write().into(),
        (None, _) | (_, None) => object,
    }
}

/// Members that are no words, or words the protocol gives.
const KEPT: &[&str] = &["type", "mimeType", "data", "blob"];

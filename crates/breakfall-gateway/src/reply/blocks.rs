//! The content blocks of a server's failure: kept, but redacted and bounded.

use std::borrow::Cow;

use super::binary::{self, BinaryContent};
use super::{ReplyContext, quoted};
use crate::classify::{Block, text_of};
use breakfall_mcp::jsonrpc::splice::{Object, each};

/// The blocks of a server, and the original length of its texts if they were cut.
#[derive(Debug, Default)]
pub(super) struct UpstreamContent {
    pub(super) blocks: Vec<String>,
    /// The total length of the texts in bytes, if some were cut.
    pub(super) cut_from: Option<usize>,
}

/// Reads the blocks of content. Some servers send a string, or one block, instead of a list.
pub(super) fn theirs(content: Option<&str>, context: &ReplyContext<'_>) -> UpstreamContent {
    let mut room = TextBudget {
        left: context.options.text_limit,
        all: 0,
        is_cut: false,
    };
    let mut blocks = Vec::new();
    match content {
        None | Some("null") => {}
        Some(list) if list.starts_with('[') => {
            let mut given = Vec::new();
            each(list, |block| given.push(Cow::Borrowed(block)));
            take_split_secrets(&mut given, context);
            blocks.extend(
                given
                    .iter()
                    .map(|block| redacted(block, context, &mut room)),
            );
        }
        Some(one) => blocks.push(redacted(one, context, &mut room)),
    }
    let cut_from = room.is_cut.then_some(room.all);
    UpstreamContent { blocks, cut_from }
}

/// A text block.
pub(super) fn block(text: &str) -> String {
    let text = quoted(text);
    format!(r#"{{"type":"text","text":{text}}}"#)
}

/// The bytes that the remaining texts may take.
struct TextBudget {
    left: usize,
    all: usize,
    is_cut: bool,
}

impl TextBudget {
    fn text(&mut self, text: &str, context: &ReplyContext<'_>) -> String {
        self.all += text.len();
        let room = self.left;
        self.left = self.left.saturating_sub(text.len());
        let whole = context.redacts().then(|| binary::whole_text(text));
        let opened = match whole.flatten() {
            Some(BinaryContent::Text(inner)) => {
                let clean = context.clean(&inner);
                (clean != inner).then(|| binary::encode(&clean))
            }
            Some(BinaryContent::Opaque(description)) => Some(description),
            Some(BinaryContent::Media) | None => None,
        };
        if let Some(clean) = opened {
            let replaced = (text.to_owned(), clean.clone());
            context.replaced.borrow_mut().push(replaced);
            return clean;
        }
        if text.len() <= room {
            return context.clean(text);
        }
        self.is_cut = true;
        context.redactor.clone().limit(room).text(text).into_owned()
    }

    /// A string as it is written, redacted and cut; `None` if it is unchanged.
    fn raw(&mut self, raw: &str, context: &ReplyContext<'_>) -> Option<String> {
        let text = text_of(raw);
        let clean = self.text(&text, context);
        (clean != text).then(|| quoted(&clean))
    }
}

/// Takes secrets out of blocks that begin in the text of one and end in that of another.
fn take_split_secrets(blocks: &mut [Cow<'_, str>], context: &ReplyContext<'_>) {
    let texts = blocks.iter().map(|block| text_in(block));
    let (places, before): (Vec<usize>, Vec<String>) = texts
        .enumerate()
        .filter_map(|(at, text)| Some((at, text?)))
        .unzip();
    if before.len() < 2 {
        return;
    }
    let mut after = before.clone();
    context.redactor.split_secrets(&mut after);
    for ((at, was), text) in places.into_iter().zip(before).zip(after) {
        if was != text {
            blocks[at] = Cow::Owned(with_text(&blocks[at], &text));
            context.replaced.borrow_mut().push((was, text));
        }
    }
}

/// The text of a block, or of the resource in it.
fn text_in(block: &str) -> Option<String> {
    if block.starts_with('"') {
        return Some(text_of(block));
    }
    let object = Object::of(block, &["text", "resource"])?;
    let inner = || {
        let resource = Object::of(object.get("resource")?, &["text"])?;
        Some(resource.text("text")?.into_owned())
    };
    let own = object.text("text").map(Cow::into_owned);
    own.or_else(inner)
}

/// A block with another text.
fn with_text(block: &str, text: &str) -> String {
    let text = quoted(text);
    match Object::of(block, &["text", "resource"]) {
        None => text,
        Some(object) if object.text("text").is_some() => object.edit().put("text", text).write(),
        Some(object) => {
            let inner = object.get("resource").unwrap_or("{}");
            let inner = put(Cow::Borrowed(inner), "text", Some(&text));
            object.edit().put("resource", inner.as_ref()).write()
        }
    }
}

/// A redacted block. Pictures and sound are not changed.
fn redacted(block: &str, context: &ReplyContext<'_>, room: &mut TextBudget) -> String {
    let found = Object::of(block, &["type", "text", "resource"]);
    let Some(object) = found.filter(|_| Block::of(block).is_valid()) else {
        return odd(block, context, room);
    };
    let kind = object.text("type").unwrap_or_default();
    let clean = match &*kind {
        "text" => texted(block, object, context, room),
        "resource" => {
            let resource = object.get("resource").filter(|raw| raw.starts_with('{'));
            let inner = resource.map(|raw| {
                let clean = match Object::of(raw, &["text"]) {
                    Some(found) => texted(raw, found, context, room),
                    None => context.redactor.members(raw, |name| KEPT.contains(&name)),
                };
                match opened(clean, context, room) {
                    OpenedObject::Kept(clean) => addressed(clean, raw),
                    OpenedObject::Opaque(clean, text) => described(addressed(clean, raw), &text),
                }
            });
            let outer = context
                .redactor
                .members(block, |name| KEPT.contains(&name) || name == "resource");
            put(outer, "resource", inner.as_deref())
        }
        _ => {
            let clean = context.redactor.members(block, |name| KEPT.contains(&name));
            addressed(clean, block)
        }
    };
    match opened(clean, context, room) {
        OpenedObject::Opaque(_, text) if matches!(&*kind, "image" | "audio") => self::block(&text),
        OpenedObject::Kept(clean) | OpenedObject::Opaque(clean, _) => clean.into_owned(),
    }
}

/// An object whose embedded bytes were looked into.
enum OpenedObject<'a> {
    /// With the same bytes, or redacted ones.
    Kept(Cow<'a, str>),
    /// Some were replaced by these words.
    Opaque(Cow<'a, str>, String),
}

/// Redacts what an object embeds as base64.
fn opened<'a>(
    object: Cow<'a, str>,
    context: &ReplyContext<'_>,
    room: &mut TextBudget,
) -> OpenedObject<'a> {
    let found = Object::of(&object, &["data", "blob", "mimeType"]);
    let Some(found) = found.filter(|_| context.redacts()) else {
        return OpenedObject::Kept(object);
    };
    let kind = found.text("mimeType");
    let mut changes: Vec<(&'static str, String)> = Vec::new();
    let mut opaque = None;
    for name in ["data", "blob"] {
        let Some(raw) = found.get(name) else { continue };
        let Some(base64) = found.text(name) else {
            changes.push((name, context.redactor.json(raw).into_owned()));
            continue;
        };
        match BinaryContent::of(&base64, kind.as_deref()) {
            BinaryContent::Media => {}
            BinaryContent::Text(text) => {
                let clean = room.text(&text, context);
                if clean != text {
                    changes.push((name, quoted(&binary::encode(&clean))));
                }
            }
            BinaryContent::Opaque(text) => {
                changes.push((name, quoted(&text)));
                opaque = Some(text);
            }
        }
        // A repeated member was not checked.
        if found.has_twice(name) && !changes.iter().any(|(changed, _)| *changed == name) {
            changes.push((name, raw.to_owned()));
        }
    }
    let object = if changes.is_empty() {
        object
    } else {
        let mut edit = found.edit();
        for (name, value) in changes {
            edit = edit.put(name, value);
        }
        Cow::Owned(edit.write())
    };
    match opaque {
        None => OpenedObject::Kept(object),
        Some(text) => OpenedObject::Opaque(object, text),
    }
}

/// A resource with words in place of its bytes.
fn described<'a>(resource: Cow<'a, str>, text: &str) -> Cow<'a, str> {
    match Object::of(&resource, &["blob", "mimeType", "text"]) {
        Some(found) if found.get("text").is_none() => {
            let edit = found.edit().drop("blob").put("mimeType", r#""text/plain""#);
            Cow::Owned(edit.put("text", quoted(text)).write())
        }
        Some(_) | None => resource,
    }
}

/// A block for an invalid block: clients reject a whole result for one they cannot parse.
fn odd(raw: &str, context: &ReplyContext<'_>, room: &mut TextBudget) -> String {
    let clean = if raw.starts_with('"') {
        room.text(&text_of(raw), context)
    } else {
        room.text(&context.redactor.json(raw), context)
    };
    block(&clean)
}

/// An object with a text, which is redacted and cut.
fn texted<'a>(
    object: &'a str,
    found: Object<'a>,
    context: &ReplyContext<'_>,
    room: &mut TextBudget,
) -> Cow<'a, str> {
    let Some(raw) = found.get("text").filter(|raw| raw.starts_with('"')) else {
        return context
            .redactor
            .members(object, |name| KEPT.contains(&name));
    };
    let clean = room.raw(raw, context);
    // A repeated member was not checked.
    let clean = clean.or_else(|| found.has_twice("text").then(|| raw.to_owned()));
    // Usually there are no members but the text and its type.
    if found.has_no_others() && found.get("resource").is_none() {
        return match clean {
            Some(clean) => found.edit().put("text", clean).write().into(),
            None => Cow::Borrowed(object),
        };
    }
    let rest = context
        .redactor
        .members(object, |name| KEPT.contains(&name) || name == "text");
    put(rest, "text", clean.as_deref())
}

/// A redacted object whose `uri` is still a URI: clients reject a whole result for an invalid one.
fn addressed<'a>(clean: Cow<'a, str>, was: &str) -> Cow<'a, str> {
    let Cow::Owned(text) = &clean else {
        return clean;
    };
    let uri = |object: &str| Some(Object::of(object, &["uri"])?.text("uri")?.into_owned());
    match uri(text) {
        Some(left) if uri(was).as_ref() != Some(&left) => {
            let uri = quoted(&still_uri(&left));
            put(clean, "uri", Some(&uri))
        }
        Some(_) | None => clean,
    }
}

/// A URI in place of one with a redacted part: `redacted:path` for `[path]`, or for what follows it. In a query the
/// placeholder is percent-encoded.
fn still_uri(clean: &str) -> String {
    let (before, hidden) = clean.split_once('[').unwrap_or((clean, ""));
    if before.contains(':') && before.contains(['?', '#']) {
        return clean.replace('[', "%5B").replace(']', "%5D");
    }
    let hidden = hidden.split(']').next().unwrap_or_default();
    let kind = hidden.rsplit(':').next().unwrap_or_default();
    let is_kind = !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase());
    format!("redacted:{}", if is_kind { kind } else { "uri" })
}

/// An object with one member replaced.
fn put<'a>(object: Cow<'a, str>, name: &'static str, value: Option<&str>) -> Cow<'a, str> {
    match (value, Object::of(&object, &[name])) {
        (Some(value), Some(found)) => found.edit().put(name, value).write().into(),
        (None, _) | (_, None) => object,
    }
}

/// Members that are looked into one by one, or have values that the protocol defines.
const KEPT: &[&str] = &["type", "mimeType", "data", "blob"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_an_address_is_one() {
        for (clean, want) in [
            ("[path]", "redacted:path"),
            ("file://[path]", "redacted:path"),
            ("http://[address]/x", "redacted:address"),
            ("postgres://a:[redacted:password]@b/c", "redacted:password"),
            (
                "https://a.example/b?token=[redacted:token]",
                "https://a.example/b?token=%5Bredacted:token%5D",
            ),
            ("http://[::1]/x", "redacted:uri"),
            ("", "redacted:uri"),
        ] {
            assert_eq!(still_uri(clean), want);
        }
    }
}

//! The content blocks of a server's failure: kept, but redacted and bounded.

use std::borrow::Cow;

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
        left: context.manner.text_limit,
        all: 0,
        is_cut: false,
    };
    let mut blocks = Vec::new();
    match content {
        None | Some("null") => {}
        Some(list) if list.starts_with('[') => {
            each(list, |block| {
                blocks.push(disclosed(block, context, &mut room));
            });
        }
        Some(one) => blocks.push(disclosed(one, context, &mut room)),
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

/// A redacted block. Images and audio are not changed.
fn disclosed(block: &str, context: &ReplyContext<'_>, room: &mut TextBudget) -> String {
    let found = Object::of(block, &["type", "text", "resource"]);
    let Some(object) = found.filter(|_| Block::of(block).is_valid()) else {
        return odd(block, context, room);
    };
    let kind = object.text("type").unwrap_or_default();
    let clean = match &*kind {
        "text" => texted(block, object, context, room),
        "resource" => {
            let resource = object.get("resource").filter(|raw| raw.starts_with('{'));
            let inner = resource.map(|raw| match Object::of(raw, &["text"]) {
                Some(found) => texted(raw, found, context, room),
                None => context.redactor.members(raw, |name| KEPT.contains(&name)),
            });
            let inner = inner
                .zip(resource)
                .map(|(clean, raw)| addressed(clean, raw));
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
    clean.into_owned()
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

/// Members that are not text, or have values that the protocol defines.
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

//! What others put into the blocks and the metadata of a failure.

use rmcp::model::{ContentBlock, MetaObject, Resource, ResourceContents};
use serde_json::{Map, Value};

use crate::redact::Redactor;

/// Takes out of a block what its reader must not see. Pictures and sounds are as they are.
pub(super) fn redact(redactor: &Redactor, block: &mut ContentBlock) {
    let meta = match block {
        ContentBlock::Text(block) => {
            text(redactor, &mut block.text);
            &mut block.meta
        }
        ContentBlock::Image(block) => &mut block.meta,
        ContentBlock::Audio(block) => &mut block.meta,
        ContentBlock::Resource(block) => {
            contents(redactor, &mut block.resource);
            &mut block.meta
        }
        ContentBlock::ResourceLink(block) => {
            link(redactor, block);
            &mut block.meta
        }
        _ => return,
    };
    members(redactor, meta, |_, _| false);
}

/// The same for metadata, except for the members that are our own.
pub(super) fn members(
    redactor: &Redactor,
    meta: &mut Option<MetaObject>,
    is_ours: impl Fn(&str, &Value) -> bool,
) {
    let Some(MetaObject(meta)) = meta else {
        return;
    };
    let one = |(key, value): (String, Value)| {
        let ours = is_ours(&key, &value);
        let mut member = Value::Object(Map::from_iter([(key, value)]));
        if !ours {
            // With its name, which often is what tells that the value is a secret.
            redactor.value(&mut member);
        }
        match member {
            Value::Object(member) => member,
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Map::new(),
        }
    };
    *meta = std::mem::take(meta).into_iter().flat_map(one).collect();
}

fn contents(redactor: &Redactor, contents: &mut ResourceContents) {
    let (uri, meta) = match contents {
        ResourceContents::TextResourceContents {
            uri,
            text: words,
            meta,
            ..
        } => {
            text(redactor, words);
            (uri, meta)
        }
        ResourceContents::BlobResourceContents { uri, meta, .. } => (uri, meta),
        _ => return,
    };
    text(redactor, uri);
    members(redactor, meta, |_, _| false);
}

fn link(redactor: &Redactor, link: &mut Resource) {
    let said = [&mut link.title, &mut link.description].into_iter();
    for words in [&mut link.uri, &mut link.name]
        .into_iter()
        .chain(said.flatten())
    {
        text(redactor, words);
    }
}

fn text(redactor: &Redactor, text: &mut String) {
    *text = redactor.text(text).into_owned();
}

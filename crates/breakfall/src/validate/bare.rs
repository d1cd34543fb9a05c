//! A schema without what it says to people. A validator keeps every word of that, and never looks at it: with the
//! schemas of a thousand tools it is most of the memory.

use serde_json::Value;

use super::document::SchemaNode;
use super::edit::{self, child};

/// The schema with everything in it that judges, and with everything a reference leads to.
pub(super) fn bare(schema: &Value, nodes: &[SchemaNode]) -> Value {
    let mut bare = schema.clone();
    let mut places: Vec<&str> = nodes.iter().map(|node| &*node.pointer).collect();
    places.sort_unstable();
    for place in &places {
        let Some(Value::Object(map)) = edit::get_mut(&mut bare, place) else {
            continue;
        };
        for word in WORDS {
            if map.contains_key(*word) && !leads_into(&places, &child(place, word)) {
                map.remove(*word);
            }
        }
    }
    bare
}

/// Whether a schema is at a place or inside of it. People write none there, but a reference may lead anywhere.
fn leads_into(places: &[&str], place: &str) -> bool {
    let inside = format!("{place}/");
    let first = places.partition_point(|other| **other < *inside);
    let is_inside = places
        .get(first)
        .is_some_and(|first| first.starts_with(&inside));
    is_inside || places.binary_search(&place).is_ok()
}

/// What no dialect judges by.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly",
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::SchemaDocument;

    #[test]
    fn words_go_and_names_stay() {
        let schema = json!({
            "title": "Order",
            "properties": {
                "title": {"type": "string", "title": "Title", "description": "What it is called"},
                "description": {"enum": [{"title": "kept"}], "default": {"title": "gone"}},
                "default": {"const": {"description": "kept"}},
            },
            "x-words": {"title": "kept"},
        });
        let (_, bare) = SchemaDocument::read(&schema).expect("a schema");
        assert_eq!(
            bare,
            json!({
                "properties": {
                    "title": {"type": "string"},
                    "description": {"enum": [{"title": "kept"}]},
                    "default": {"const": {"description": "kept"}},
                },
                "x-words": {"title": "kept"},
            })
        );
    }

    #[test]
    fn what_a_reference_leads_to_stays() {
        let schema = json!({
            "properties": {"a": {"$ref": "#/default"}, "b": {"$ref": "#/examples/0/inner"}},
            "default": {"type": "integer", "title": "gone"},
            "default-of": 1,
            "examples": [{"inner": {"type": "string"}}],
            "description": "gone",
        });
        let (_, bare) = SchemaDocument::read(&schema).expect("a schema");
        assert_eq!(
            bare,
            json!({
                "properties": {"a": {"$ref": "#/default"}, "b": {"$ref": "#/examples/0/inner"}},
                "default": {"type": "integer"},
                "default-of": 1,
                "examples": [{"inner": {"type": "string"}}],
            })
        );
    }
}

//! Lists of tools with a schema that nests too deeply: the deep parts of the schema are pruned.
//!
//! Such a list cannot be forwarded as it is: parsers of clients give up at some depth, too, and lose all tools.

use std::ops::Range;

use super::frame::{Edit, edited};
use super::scan::FrameScan;
use super::splice::{Object, each};
use super::string_end::string_end;
use crate::protocol::meta::SCHEMA_CUT;

/// The list with every schema pruned to fit into so many levels of the message. `None` if the message is not a list of tools,
/// or if something else in it is too deep.
pub(super) fn list_of_tools(message: &[u8], depth: usize) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(message).ok()?;
    let members = Object::of(text, &["method", "result"])?;
    let result = members
        .get("result")
        .filter(|_| members.get("method").is_none())?;
    let members = Object::of(result, &["content", "tools"])?;
    let tools = members
        .get("tools")
        .filter(|_| members.get("content").is_none())?;
    let mut edits: Vec<Edit> = Vec::new();
    each(tools, |tool| {
        let is_deep = |tool: &&str| depth_of(tool) + OF_TOOL > depth;
        let new = Some(tool).filter(|tool| edits.len() <= MAX_EDITS && is_deep(tool));
        if let Some(new) = new.and_then(|tool| shallow(tool, depth)) {
            let start = tool.as_ptr().addr() - text.as_ptr().addr();
            edits.push((start..start + tool.len(), new));
        }
    })?;
    let text = (1..=MAX_EDITS)
        .contains(&edits.len())
        .then(|| edited(text, &edits))?;
    (depth_of(&text) <= depth).then(|| text.into_bytes())
}

/// A tool with schemas of fewer levels than that, counted from the message it is in: parsers do not agree on how levels are
/// counted, and a client may wrap the list.
fn shallow(tool: &str, depth: usize) -> Option<String> {
    let levels = (depth - depth / 8).checked_sub(OF_SCHEMA)?;
    let members = Object::of(tool, &["inputSchema", "outputSchema", "_meta"])?;
    let of = |name: &str| members.get(name).map(|schema| (schema, depth_of(schema)));
    let is_cut = |(_, found): &(&str, usize)| *found > levels;
    let (input, output) = (of("inputSchema"), of("outputSchema"));
    let (input, output) = (input.filter(is_cut), output.filter(is_cut));
    let note = |name: &str, (_, found): (&str, usize)| {
        format!(
            r#""{name}":"nests {found} levels deep, more than limits.depth leaves to it; {levels} are listed""#
        )
    };
    let notes = [
        input.map(|found| note("inputSchema", found)),
        output.map(|found| note("outputSchema", found)),
    ];
    let notes = notes.into_iter().flatten().collect::<Vec<_>>().join(",");
    let meta = members.get("_meta").unwrap_or("{}");
    let meta = Object::of(meta, &[SCHEMA_CUT]).or_else(|| Object::of("{}", &[]))?;
    let meta = meta.edit().put(SCHEMA_CUT, format!("{{{notes}}}")).write();
    let mut edit = members.edit().put("_meta", meta);
    if let Some((schema, _)) = input {
        edit = edit.put("inputSchema", pruned(schema, levels));
    }
    if output.is_some() {
        // Clients check results by it, and a part of a schema may take less than the whole.
        edit = edit.put("outputSchema", ANYTHING);
    }
    Some(edit.write())
}

/// A schema with `{}`, which allows any value, in place of what has more levels.
fn pruned(schema: &str, levels: usize) -> String {
    let bytes = schema.as_bytes();
    let mut edits: Vec<Edit> = Vec::new();
    // The beginnings of the open objects and lists; that of the one to prune, and how many are open inside it.
    let mut open: Vec<usize> = Vec::with_capacity(levels);
    let mut cut: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], &mut cut) {
            (b'"', _) => {
                at = string_end(bytes, at + 1).map_or(bytes.len(), |end| end + 1);
                continue;
            }
            (b'{' | b'[', Some((_, inside))) => *inside += 1,
            (b'{' | b'[', None) if open.len() < levels => open.push(at),
            (b'{' | b'[', None) => {
                // Where a list of schemas must not be empty, the object around it is pruned.
                let mut inside = 2;
                while open.pop_if(|start| bytes[*start] == b'[').is_some() {
                    inside += 1;
                }
                let Some(start) = open.pop() else {
                    return ANYTHING.to_owned();
                };
                cut = Some((start, inside));
            }
            (b'}' | b']', Some((start, inside))) => {
                *inside -= 1;
                if *inside == 0 {
                    let place: Range<usize> = *start..at + 1;
                    // Something in it may have been pruned before.
                    while edits
                        .pop_if(|(inner, _)| inner.start > place.start)
                        .is_some()
                    {}
                    if edits.len() == MAX_EDITS {
                        return ANYTHING.to_owned();
                    }
                    edits.push((place, "{}".to_owned()));
                    cut = None;
                }
            }
            (b'}' | b']', None) => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    match &*edits {
        [(place, _)] if place.start == 0 => ANYTHING.to_owned(),
        _ => edited(schema, &edits),
    }
}

fn depth_of(text: &str) -> usize {
    FrameScan::of(text.as_bytes()).deepest()
}

/// The schema that allows any arguments.
const ANYTHING: &str = r#"{"type":"object"}"#;

/// How many schemas are pruned, and in how many places each. A list with more is refused.
const MAX_EDITS: usize = 10_000;

/// The levels around a tool: the message, its result, the list.
const OF_TOOL: usize = 3;

/// The levels around a schema.
const OF_SCHEMA: usize = OF_TOOL + 1;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_schema_is_pruned() {
        let schema = r#"{"a":{"b":{"c":{"d":1}},"e":2},"f":[{"g":[[1]]},"]}"],"h":"{\"["}"#;
        let cases = [
            (9, schema),
            (
                4,
                r#"{"a":{"b":{"c":{"d":1}},"e":2},"f":[{},"]}"],"h":"{\"["}"#,
            ),
            (3, r#"{"a":{"b":{},"e":2},"f":[{},"]}"],"h":"{\"["}"#),
            (2, r#"{"type":"object"}"#),
            (1, r#"{"type":"object"}"#),
            (0, r#"{"type":"object"}"#),
        ];
        for (levels, want) in cases {
            assert_eq!(pruned(schema, levels), want, "{levels}");
        }
        assert_eq!(pruned("[[[1]]]", 2), ANYTHING);
        let wide = format!("[{}1]", r#"{"a":[[]]},"#.repeat(100_000));
        let wide = format!(r#"{{"a":{wide}}}"#);
        assert_eq!(pruned(&wide, 4), ANYTHING);
    }

    #[test]
    fn other_messages_and_lists_that_are_deep_elsewhere_are_not_changed() {
        let deep = "[".repeat(20) + &"]".repeat(20);
        for text in [
            format!(r#"{{"id":1,"result":{{"tools":[{{"name":"a","x":{deep}}}]}}}}"#),
            format!(r#"{{"id":1,"result":{{"content":[],"tools":[{{"inputSchema":{deep}}}]}}}}"#),
            format!(r#"{{"id":1,"method":"x","result":{{"tools":[{{"inputSchema":{deep}}}]}}}}"#),
            format!(r#"{{"id":1,"result":{{"tools":{deep}}}}}"#),
            format!(r#"{{"id":1,"result":{{"tools":[{{"inputSchema":{deep}}}]}}"#),
        ] {
            assert_eq!(list_of_tools(text.as_bytes(), 10), None, "{text}");
        }
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(json!(1)), Just(json!("{[\"]}")), Just(json!(null))];
        leaf.prop_recursive(12, 60, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[a-c]", inner, 0..3)
                    .prop_map(|members| Value::from(serde_json::Map::from_iter(members))),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_pruned_list_is_a_list_that_fits(schemas in prop::collection::vec(tree(), 0..4), depth in 6..14_usize) {
            let tool = |schema: Value| json!({"name": "a", "inputSchema": {"x": schema.clone()}, "outputSchema": {"y": schema}});
            let tools: Vec<Value> = schemas.into_iter().map(tool).collect();
            let sent = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}});
            let text = sent.to_string();
            if let Some(list) = list_of_tools(text.as_bytes(), depth) {
                let list: Value = serde_json::from_slice(&list).expect("JSON");
                prop_assert!(depth_of(&list.to_string()) <= depth);
                let tools = list["result"]["tools"].as_array().expect("a list");
                for (tool, was) in tools.iter().zip(sent["result"]["tools"].as_array().expect("a list")) {
                    let is_cut = tool["_meta"][SCHEMA_CUT].is_object();
                    prop_assert_eq!(is_cut, tool != was);
                    prop_assert!(tool["inputSchema"].is_object());
                }
            } else {
                prop_assert!(depth_of(&text) <= depth);
            }
        }
    }
}

//! Translates the capabilities of clients and servers between the eras, without those that cannot be bridged.

use super::splice::Object;
use breakfall_mcp::protocol::meta::TASKS_EXTENSION;

/// The capabilities of a legacy client, for a modern server.
pub(super) fn of_legacy_client(capabilities: Option<&str>) -> String {
    let Some(all) = object(capabilities, &["tasks", "roots", "extensions"]) else {
        return NONE.to_owned();
    };
    let roots = all.get("roots");
    let roots = roots.and_then(|roots| Object::of(roots, &["listChanged"]));
    let roots = roots.map(|roots| roots.edit().drop("listChanged").write());
    let extensions = without_tasks(&all);
    let mut edit = all.edit().drop("tasks");
    if let Some(roots) = roots {
        edit = edit.put("roots", roots);
    }
    if let Some(extensions) = extensions {
        edit = edit.put("extensions", extensions);
    }
    edit.write()
}

/// The capabilities of a modern client, for a legacy server: without those that such a server uses by sending
/// requests, which a modern client does not receive.
pub(super) fn of_modern_client(capabilities: Option<&str>) -> String {
    const NAMES: [&str; 5] = ["elicitation", "sampling", "roots", "tasks", "extensions"];
    let Some(all) = object(capabilities, &NAMES) else {
        return NONE.to_owned();
    };
    let extensions = without_tasks(&all);
    let edit = all.edit().drop("elicitation").drop("sampling");
    let edit = edit.drop("roots").drop("tasks");
    let edit = match extensions {
        Some(extensions) => edit.put("extensions", extensions),
        None => edit,
    };
    edit.write()
}

/// The capabilities of a server, for a client of the other era: everything but tasks.
pub(super) fn of_server(capabilities: Option<&str>) -> String {
    let Some(all) = object(capabilities, &["tasks", "extensions"]) else {
        return NONE.to_owned();
    };
    let extensions = without_tasks(&all);
    let edit = all.edit().drop("tasks");
    let edit = match extensions {
        Some(extensions) => edit.put("extensions", extensions),
        None => edit,
    };
    edit.write()
}

/// The capabilities of a server that matter to a bridge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "that is what abilities are")]
pub(super) struct ServerFeatures {
    pub(super) logs: bool,
    pub(super) subscribes: bool,
    pub(super) tools_change: bool,
    pub(super) prompts_change: bool,
    pub(super) resources_change: bool,
}

impl ServerFeatures {
    pub(super) fn of(capabilities: Option<&str>) -> Self {
        let names = ["logging", "tools", "prompts", "resources"];
        let Some(all) = object(capabilities, &names) else {
            return Self::default();
        };
        let is = |feature: &str, what: &'static str| {
            let feature = all.get(feature);
            let feature = feature.and_then(|feature| Object::of(feature, &[what]));
            feature.is_some_and(|feature| feature.get(what) == Some("true"))
        };
        Self {
            logs: all.get("logging").is_some_and(is_object),
            subscribes: is("resources", "subscribe"),
            tools_change: is("tools", "listChanged"),
            prompts_change: is("prompts", "listChanged"),
            resources_change: is("resources", "listChanged"),
        }
    }

    /// Whether the server sends any `list_changed` notification.
    pub(super) fn changes(self) -> bool {
        self.tools_change || self.prompts_change || self.resources_change
    }
}

fn object<'a>(capabilities: Option<&'a str>, names: &[&'static str]) -> Option<Object<'a>> {
    Object::of(capabilities?, names)
}

fn without_tasks(all: &Object<'_>) -> Option<String> {
    let extensions = Object::of(all.get("extensions")?, &[TASKS_EXTENSION])?;
    extensions.get(TASKS_EXTENSION)?;
    Some(extensions.edit().drop(TASKS_EXTENSION).write())
}

fn is_object(json: &str) -> bool {
    json.starts_with('{')
}

const NONE: &str = "{}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_cross_is_not_told_and_all_else_is() {
        let both = r#"{"vendor":{"x":1.0},"tasks":{"list":{}},"roots":{"listChanged":true,"y":2},"sampling":{"tools":{}},"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{}}}"#;
        assert_eq!(
            of_legacy_client(Some(both)),
            r#"{"vendor":{"x":1.0},"roots":{"y":2},"sampling":{"tools":{}},"elicitation":{},"extensions":{"a/b":{}}}"#
        );
        assert_eq!(
            of_modern_client(Some(both)),
            r#"{"vendor":{"x":1.0},"extensions":{"a/b":{}}}"#
        );
        let server = r#"{"tools":{"listChanged":true},"tasks":{},"logging":{}}"#;
        assert_eq!(
            of_server(Some(server)),
            r#"{"tools":{"listChanged":true},"logging":{}}"#
        );
        for odd in [None, Some("[]"), Some("null"), Some("7")] {
            assert_eq!(of_legacy_client(odd), "{}");
            assert_eq!(of_modern_client(odd), "{}");
            assert_eq!(of_server(odd), "{}");
        }
    }

    #[test]
    fn a_server_changes_what_it_says_it_does() {
        let all = r#"{"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{"subscribe":true},"logging":{}}"#;
        let server = ServerFeatures::of(Some(all));
        let want = ServerFeatures {
            logs: true,
            subscribes: true,
            tools_change: true,
            ..ServerFeatures::default()
        };
        assert_eq!(server, want);
        assert_eq!(
            ServerFeatures::of(Some(r#"{"tools":true}"#)),
            ServerFeatures::default()
        );
    }
}

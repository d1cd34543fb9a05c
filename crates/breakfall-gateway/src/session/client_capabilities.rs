//! The requests a client can answer.

use breakfall_mcp::jsonrpc::splice::Object;

/// The requests of a server that a client can answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "capabilities are independent of each other"
)]
pub(crate) struct ClientCapabilities {
    pub(crate) fills_forms: bool,
    pub(crate) opens_pages: bool,
    pub(crate) samples: bool,
    pub(crate) has_roots: bool,
}

impl ClientCapabilities {
    /// Reads the JSON object `capabilities`.
    pub(crate) fn of(capabilities: Option<&str>) -> Self {
        let names = ["elicitation", "sampling", "roots"];
        let Some(all) = capabilities.and_then(|json| Object::of(json, &names)) else {
            return Self::default();
        };
        let modes = all
            .get("elicitation")
            .and_then(|modes| Object::of(modes, &["form", "url"]));
        let has = |mode: &str| {
            modes
                .as_ref()
                .is_some_and(|modes| modes.get(mode).is_some())
        };
        let is_object = |name: &str| all.get(name).is_some_and(|json| json.starts_with('{'));
        Self {
            // No mode means forms: the first version of elicitation had no other.
            fills_forms: modes.is_some() && (has("form") || !has("url")),
            opens_pages: has("url"),
            samples: is_object("sampling"),
            has_roots: is_object("roots"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elicitation_without_a_mode_is_forms() {
        let client = |json| ClientCapabilities::of(Some(json));
        let cases = [
            (r#"{"elicitation":{}}"#, (true, false)),
            (r#"{"elicitation":{"form":{}}}"#, (true, false)),
            (r#"{"elicitation":{"url":{}}}"#, (false, true)),
            (r#"{"elicitation":{"url":{},"form":{}}}"#, (true, true)),
            (r#"{"elicitation":true}"#, (false, false)),
            ("{}", (false, false)),
        ];
        for (json, want) in cases {
            let client = client(json);
            assert_eq!((client.fills_forms, client.opens_pages), want, "{json}");
        }
        assert!(client(r#"{"sampling":{},"roots":{}}"#).samples);
    }
}

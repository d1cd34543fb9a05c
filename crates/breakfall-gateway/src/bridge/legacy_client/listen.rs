//! The notifications of a legacy client, as one stream of a modern server. The stream is requested again whenever the
//! subscriptions change.

use std::collections::BTreeSet;

use crate::bridge::capabilities::ServerFeatures;
use crate::bridge::meta;
use crate::bridge::splice::{Object, each, text, with_body};
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::protocol::meta::SUBSCRIPTION_ID;

/// The subscriptions of a client.
#[derive(Debug, Clone, Default)]
pub(in crate::bridge) struct ClientSubscriptions {
    /// The resources it has subscribed to.
    uris: BTreeSet<Box<str>>,
}

impl ClientSubscriptions {
    /// Adds a resource; false if there are too many.
    pub(in crate::bridge) fn add(&mut self, uri: &str) -> bool {
        if self.uris.len() >= MAX_SUBSCRIPTIONS || uri.len() > MAX_URI_BYTES {
            return self.uris.contains(uri);
        }
        self.uris.insert(uri.into());
        true
    }

    /// Removes a resource.
    pub(in crate::bridge) fn remove(&mut self, uri: &str) {
        self.uris.remove(uri);
    }

    /// Whether the client has subscribed to a resource.
    pub(in crate::bridge) fn has(&self, uri: &str) -> bool {
        self.uris.contains(uri)
    }

    /// The request for a stream of all subscriptions; `None` without subscriptions.
    pub(in crate::bridge) fn request(&self, server: ServerFeatures) -> Option<Vec<u8>> {
        if self.uris.is_empty() && !server.changes() {
            return None;
        }
        let mut wanted = serde_json::Map::new();
        let kinds = [
            ("toolsListChanged", server.tools_change),
            ("promptsListChanged", server.prompts_change),
            ("resourcesListChanged", server.resources_change),
        ];
        for (name, _) in kinds.into_iter().filter(|(_, changes)| *changes) {
            wanted.insert(name.to_owned(), true.into());
        }
        if !self.uris.is_empty() {
            let uris: Vec<&str> = self.uris.iter().map(|uri| &**uri).collect();
            wanted.insert("resourceSubscriptions".to_owned(), uris.into());
        }
        let wanted = serde_json::Value::Object(wanted);
        let request = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"subscriptions/listen","params":{{"notifications":{wanted}}}}}"#
        );
        Some(request.into_bytes())
    }
}

/// Whether the acknowledgement of a stream includes a resource.
pub(in crate::bridge) fn is_agreed(acknowledged: &Frame, uri: &str) -> bool {
    let agreed = || {
        let params = Object::of(acknowledged.body()?, &["notifications"])?;
        let filter = Object::of(params.get("notifications")?, &["resourceSubscriptions"])?;
        let mut is_there = false;
        each(filter.get("resourceSubscriptions")?, |one| {
            is_there |= text(one).is_some_and(|one| one == uri);
        })?;
        Some(is_there)
    };
    agreed().unwrap_or(false)
}

/// A notification of a stream, without its subscription id.
pub(in crate::bridge) fn unwrapped(note: &Frame) -> Vec<u8> {
    let Some(body) = note.body() else {
        return note.bytes().to_vec();
    };
    let body = meta::with_meta(Some(body), &[SUBSCRIPTION_ID], |meta| {
        meta.drop(SUBSCRIPTION_ID)
    });
    with_body(note, &body)
}

/// The resource that `resources/subscribe` or `unsubscribe` names.
pub(in crate::bridge) fn uri(request: &Frame) -> Option<String> {
    let params = Object::of(request.body()?, &["uri"])?;
    params.text("uri").map(Into::into)
}

/// How many resources one client may subscribe to.
const MAX_SUBSCRIPTIONS: usize = 10_000;
/// How long an address may be, in bytes.
const MAX_URI_BYTES: usize = 8 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    fn frame(text: &str) -> Frame {
        Frame::parse(text.into(), &FrameLimits::RESPONSE).expect("a message")
    }

    #[test]
    fn there_is_a_stream_only_if_there_is_something_to_hear() {
        let mut wishes = ClientSubscriptions::default();
        let quiet = ServerFeatures::default();
        assert_eq!(wishes.request(quiet), None);
        let loud = ServerFeatures {
            tools_change: true,
            ..quiet
        };
        let request = |wishes: &ClientSubscriptions, server| {
            let request = wishes.request(server).expect("a stream");
            String::from_utf8(request).expect("text")
        };
        assert_eq!(
            request(&wishes, loud),
            r#"{"jsonrpc":"2.0","id":0,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}"#
        );
        assert!(wishes.add("b:\"2\"") && wishes.add("a:1"));
        assert_eq!(
            request(&wishes, quiet),
            r#"{"jsonrpc":"2.0","id":0,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a:1","b:\"2\""]}}}"#
        );
        wishes.remove("a:1");
        wishes.remove("b:\"2\"");
        assert_eq!(wishes.request(quiet), None);
    }

    #[test]
    fn wishes_have_an_end() {
        let mut wishes = ClientSubscriptions::default();
        assert!((0..MAX_SUBSCRIPTIONS).all(|at| wishes.add(&at.to_string())));
        assert!(!wishes.add("one more"));
        assert!(wishes.add("0"), "it is there already");
        assert!(!ClientSubscriptions::default().add(&"x".repeat(MAX_URI_BYTES + 1)));
    }

    #[test]
    fn a_note_of_a_stream_reads_like_one_without() {
        let cases = [
            (
                r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7},"uri":"a:b","x":1.0}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b","x":1.0}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"n","params":{"_meta":{"a/b":1,"io.modelcontextprotocol/subscriptionId":7}}}"#,
                r#"{"jsonrpc":"2.0","method":"n","params":{"_meta":{"a/b":1}}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"n"}"#,
                r#"{"jsonrpc":"2.0","method":"n"}"#,
            ),
        ];
        for (note, want) in cases {
            let told = String::from_utf8(unwrapped(&frame(note))).expect("text");
            assert_eq!(told, want);
        }
    }

    #[test]
    fn a_server_agrees_to_what_it_names() {
        let note = frame(
            r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":["a:\u0062"]}}}"#,
        );
        assert!(is_agreed(&note, "a:b") && !is_agreed(&note, "c:d"));
        assert!(!is_agreed(
            &frame(r#"{"jsonrpc":"2.0","method":"n"}"#),
            "a:b"
        ));
    }
}

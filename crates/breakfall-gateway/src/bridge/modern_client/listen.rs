//! A stream of a modern client, made from the notifications of a legacy server and `resources/subscribe`.

use std::collections::BTreeSet;

use crate::bridge::capabilities::ServerFeatures;
use crate::bridge::meta;
use crate::bridge::splice::{Object, each, text, with_body};
use breakfall_mcp::jsonrpc::{Frame, Id};
use breakfall_mcp::protocol::meta::SUBSCRIPTION_ID;
use breakfall_mcp::protocol::method;

/// The notifications a stream wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::bridge) struct StreamFilter {
    tools: bool,
    prompts: bool,
    resources: bool,
    pub(in crate::bridge) uris: BTreeSet<Box<str>>,
}

impl StreamFilter {
    /// The subscriptions of `subscriptions/listen` that the server supports; `None` if they are missing.
    pub(in crate::bridge) fn of(listen: &Frame, server: ServerFeatures) -> Option<Self> {
        const NAMES: [&str; 4] = [
            "toolsListChanged",
            "promptsListChanged",
            "resourcesListChanged",
            "resourceSubscriptions",
        ];
        let params = Object::of(listen.body()?, &["notifications"])?;
        let wanted = Object::of(params.get("notifications")?, &NAMES)?;
        let mut uris = BTreeSet::new();
        if let Some(all) = wanted.get("resourceSubscriptions") {
            each(all, |uri| {
                if let (Some(uri), true) = (text(uri), uris.len() < MAX_RESOURCES) {
                    uris.insert(uri.into());
                }
            })?;
        }
        let wants = |name| wanted.get(name) == Some("true");
        Some(Self {
            tools: wants("toolsListChanged") && server.tools_change,
            prompts: wants("promptsListChanged") && server.prompts_change,
            resources: wants("resourcesListChanged") && server.resources_change,
            uris: if server.subscribes {
                uris
            } else {
                BTreeSet::new()
            },
        })
    }

    /// The acknowledgement of the stream, with the accepted subscriptions.
    pub(in crate::bridge) fn acknowledged(&self, stream: &Id) -> Vec<u8> {
        let mut will = serde_json::Map::new();
        let kinds = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        for (name, _) in kinds.into_iter().filter(|(_, will)| *will) {
            will.insert(name.to_owned(), true.into());
        }
        if !self.uris.is_empty() {
            let uris: Vec<&str> = self.uris.iter().map(|uri| &**uri).collect();
            will.insert("resourceSubscriptions".to_owned(), uris.into());
        }
        let will = serde_json::Value::Object(will);
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"{SUBSCRIPTION_ID}":{stream}}},"notifications":{will}}}}}"#
        )
        .into_bytes()
    }

    /// Whether the stream wants this notification.
    pub(in crate::bridge) fn wants(&self, note: &Frame) -> bool {
        match &*note.method() {
            method::TOOLS_LIST_CHANGED => self.tools,
            method::PROMPTS_LIST_CHANGED => self.prompts,
            method::RESOURCES_LIST_CHANGED => self.resources,
            method::RESOURCES_UPDATED => updated(note).is_some_and(|uri| self.has(&uri)),
            _ => false,
        }
    }

    /// Also true for a part of a subscribed resource.
    fn has(&self, uri: &str) -> bool {
        let is_part = |whole: &str| {
            let rest = uri.strip_prefix(whole);
            rest.is_some_and(|rest| whole.ends_with('/') || rest.starts_with(['/', '#', '?']))
        };
        self.uris.contains(uri) || self.uris.iter().any(|whole| is_part(whole))
    }
}

/// A notification with the id of its stream.
pub(in crate::bridge) fn wrapped(note: &Frame, stream: &Id) -> Vec<u8> {
    let body = meta::with_meta(note.body(), &[SUBSCRIPTION_ID], |meta| {
        meta.put(SUBSCRIPTION_ID, stream.as_json().to_owned())
    });
    with_body(note, &body)
}

/// The result that ends a stream.
pub(in crate::bridge) fn ended(stream: &Id) -> String {
    format!(r#"{{"_meta":{{"{SUBSCRIPTION_ID}":{stream}}}}}"#)
}

/// Subscribes to a resource, or unsubscribes.
pub(in crate::bridge) fn subscribe(uri: &str, is_wanted: bool) -> Vec<u8> {
    let method = if is_wanted {
        "subscribe"
    } else {
        "unsubscribe"
    };
    let uri = serde_json::Value::from(uri);
    format!(r#"{{"jsonrpc":"2.0","id":0,"method":"resources/{method}","params":{{"uri":{uri}}}}}"#)
        .into_bytes()
}

fn updated(note: &Frame) -> Option<String> {
    let params = Object::of(note.body()?, &["uri"])?;
    params.text("uri").map(Into::into)
}

/// How many resources a stream may subscribe to.
const MAX_RESOURCES: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    fn frame(text: &str) -> Frame {
        Frame::parse(text.into(), &FrameLimits::REQUEST).expect("a message")
    }

    const LISTEN: &str = r#"{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":false,"resourceSubscriptions":["a:\u0062","a:b"]}}}"#;

    #[test]
    fn a_stream_tells_what_is_wanted_and_can_be_told() {
        let server = ServerFeatures {
            subscribes: true,
            tools_change: true,
            resources_change: true,
            ..ServerFeatures::default()
        };
        let filter = StreamFilter::of(&frame(LISTEN), server).expect("a filter");
        let stream = Id::from_json("\"s\"").expect("an id");
        assert_eq!(
            String::from_utf8(filter.acknowledged(&stream)).expect("text"),
            r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{"resourceSubscriptions":["a:b"],"toolsListChanged":true}}}"#
        );
        let note = |method: &str, uri: &str| {
            frame(&format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"uri":"{uri}"}}}}"#
            ))
        };
        let cases = [
            ("tools/list_changed", "", true),
            ("prompts/list_changed", "", false),
            ("resources/list_changed", "", false),
            ("resources/updated", "a:b", true),
            ("resources/updated", "a:b/c", true),
            ("resources/updated", "a:bc", false),
            ("message", "", false),
        ];
        for (method, uri, want) in cases {
            assert_eq!(filter.wants(&note(method, uri)), want, "{method} {uri}");
        }
        let deaf = StreamFilter::of(&frame(LISTEN), ServerFeatures::default());
        assert_eq!(deaf, Some(StreamFilter::default()));
    }

    #[test]
    fn a_note_says_which_stream_it_belongs_to_and_all_it_said_before() {
        let stream = Id::from_json("\"s\"").expect("an id");
        let cases = [
            (
                r#"{"jsonrpc":"2.0","method":"n"}"#,
                r#"{"jsonrpc":"2.0","method":"n","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"n","params":{"uri":"a:b","_meta":{"x":1.0}}}"#,
                r#"{"jsonrpc":"2.0","method":"n","params":{"uri":"a:b","_meta":{"x":1.0,"io.modelcontextprotocol/subscriptionId":"s"}}}"#,
            ),
        ];
        for (note, want) in cases {
            let told = String::from_utf8(wrapped(&frame(note), &stream)).expect("text");
            assert_eq!(told, want);
        }
    }

    #[test]
    fn a_request_without_notifications_is_not_a_subscription() {
        for odd in [
            "{}",
            r#"{"notifications":[]}"#,
            r#"{"notifications":{"resourceSubscriptions":7}}"#,
        ] {
            let text = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{odd}}}"#
            );
            assert_eq!(
                StreamFilter::of(&frame(&text), ServerFeatures::default()),
                None,
                "{odd}"
            );
        }
    }
}

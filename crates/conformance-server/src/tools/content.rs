//! Tools that answer at once, each with another kind of content.

use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, ResourceContents};

use super::{Call, Reply, text};

pub(super) fn simple_text() -> CallToolResponse {
    text("This is a simple text response for testing.")
}

pub(super) fn image() -> CallToolResponse {
    success(vec![png()])
}

pub(super) fn audio() -> CallToolResponse {
    success(vec![ContentBlock::audio(WAV, "audio/wav")])
}

pub(super) fn resource() -> CallToolResponse {
    let words = "This is an embedded resource content.";
    success(vec![embedded(
        "test://embedded-resource",
        "text/plain",
        words,
    )])
}

pub(super) fn mixed() -> CallToolResponse {
    let data = r#"{"test":"data","value":123}"#;
    success(vec![
        ContentBlock::text("Multiple content types test:"),
        png(),
        embedded("test://mixed-content-resource", "application/json", data),
    ])
}

pub(super) fn failure() -> CallToolResponse {
    let words = "This tool intentionally returns an error for testing";
    CallToolResult::error(vec![ContentBlock::text(words)]).into()
}

/// The transport compared the header with the argument before it came here.
pub(super) fn custom_header(call: &Call<'_>) -> Reply {
    Ok(text(call.required("value")?))
}

fn success(content: Vec<ContentBlock>) -> CallToolResponse {
    CallToolResult::success(content).into()
}

fn png() -> ContentBlock {
    ContentBlock::image(PNG, "image/png")
}

fn embedded(uri: &str, kind: &str, words: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(words, uri).with_mime_type(kind))
}

/// One blue pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQcFgAAAGEAQF/g289AAAAAElFTkSuQmCC";

/// A millisecond of silence.
const WAV: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

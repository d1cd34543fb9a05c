//! Log levels, and which messages a client wants.

use breakfall::Fault;

use super::splice::Object;
use breakfall_mcp::jsonrpc::Frame;

/// The levels of a log, least verbose last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct McpLogLevel(usize);

impl McpLogLevel {
    pub(super) fn of(name: &str) -> Option<Self> {
        NAMES.iter().position(|level| *level == name).map(Self)
    }

    pub(super) fn name(self) -> &'static str {
        NAMES[self.0]
    }

    /// The level of `notifications/message`. One without a level counts as the most severe.
    pub(super) fn of_note(note: &Frame) -> Self {
        let level = || {
            let params = Object::of(note.body()?, &["level"])?;
            Self::of(&params.text("level")?)
        };
        level().unwrap_or(Self(NAMES.len() - 1))
    }

    /// The level `logging/setLevel` requests.
    pub(super) fn wanted(request: &Frame) -> Option<Self> {
        let params = Object::of(request.body()?, &["level"])?;
        Self::of(&params.text("level")?)
    }

    /// The fault for an unknown level.
    pub(super) fn unknown(name: &str) -> Fault {
        Fault::invalid_enum(name, &NAMES)
    }
}

const NAMES: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    #[test]
    fn levels_have_an_order() {
        assert!(McpLogLevel::of("debug") < McpLogLevel::of("info"));
        assert!(McpLogLevel::of("alert") < McpLogLevel::of("emergency"));
        assert_eq!(McpLogLevel::of("loud"), None);
        assert_eq!(
            McpLogLevel::of("notice").map(McpLogLevel::name),
            Some("notice")
        );
    }

    #[test]
    fn a_note_without_a_level_is_not_lost() {
        let note = |params: &str| {
            let text = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{params}}}"#
            );
            McpLogLevel::of_note(
                &Frame::parse(text.into(), &FrameLimits::RESPONSE).expect("a note"),
            )
        };
        assert_eq!(note(r#"{"level":"info","data":1}"#).name(), "info");
        assert_eq!(note(r#"{"data":1}"#).name(), "emergency");
    }
}

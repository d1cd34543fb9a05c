//! What frameworks put in front of an error when they turn it into text. Each layer is taken off: it may name a code,
//! the tool, and says where the words of the failure itself begin.

use super::rpc::code_for_rpc;
use super::rule::RuleRow;
use super::status::code_for_status;
use crate::catalog::codes;
use crate::code::Code;

/// A text without the prefixes that wrapped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnwrappedText<'a> {
    /// What is left, as it came.
    pub(crate) inner: &'a str,
    /// What is left behind openings like `Error:` too, which are words of the failure and say nothing by themselves.
    pub(crate) bare: &'a str,
    /// The code of the innermost layer that names one, and its rule.
    pub(crate) code: Option<(Code, &'static str)>,
    /// The HTTP status of the innermost layer that has one for a number.
    pub(crate) status: Option<u16>,
    /// The tool a layer names.
    pub(crate) tool: Option<&'a str>,
}

/// Takes the layers off a text. `on` tells whether a rule is in use.
pub(crate) fn unwrap<'a>(text: &'a str, on: &dyn Fn(&str) -> bool) -> UnwrappedText<'a> {
    let mut found = UnwrappedText {
        inner: text.trim(),
        bare: text.trim(),
        code: None,
        status: None,
        tool: None,
    };
    // Who nests deeper does so to see what happens; what is left is text like any other.
    for _ in 0..DEEPEST {
        let layer = LAYERS
            .iter()
            .filter(|layer| on(layer.row.id))
            .find_map(|layer| Some((layer, layer.take_off(found.bare)?)));
        if let Some((layer, off)) = layer {
            let code = off.code.or(layer.row.code);
            found.code = code.map(|code| (code, layer.row.id)).or(found.code);
            found.status = off.status.or(found.status);
            found.tool = off.tool.or(found.tool);
            if off.rest.is_empty() {
                return found;
            }
            (found.inner, found.bare) = (off.rest, off.rest);
        } else if let Some(rest) = after_opening(found.bare) {
            found.bare = rest;
        } else {
            return found;
        }
    }
    found
}

/// A text of more layers than this is not unwrapped further.
const DEEPEST: usize = 16;

/// The rules, for the list of all.
pub(crate) fn rows() -> impl Iterator<Item = &'static RuleRow> {
    LAYERS.iter().map(|layer| &layer.row)
}

struct PrefixLayer {
    row: RuleRow,
    /// How it begins, in any case.
    leads: &'static [&'static str],
    what: LayerTail,
}

/// What separates the prefix from the rest of the text.
#[derive(Clone, Copy)]
enum LayerTail {
    /// A colon.
    Colon,
    /// A number and a colon.
    Number,
    /// The name of a tool and a colon.
    Tool,
    /// The name of a tool, one of these words, and a colon.
    ToolThen(&'static [&'static str]),
}

struct StrippedLayer<'a> {
    rest: &'a str,
    code: Option<Code>,
    status: Option<u16>,
    tool: Option<&'a str>,
}

impl PrefixLayer {
    fn take_off<'a>(&self, text: &'a str) -> Option<StrippedLayer<'a>> {
        let after = self.leads.iter().find_map(|lead| strip(text, lead))?;
        match self.what {
            LayerTail::Colon => Some(StrippedLayer {
                rest: after.trim_start().strip_prefix(':')?.trim_start(),
                code: None,
                status: None,
                tool: None,
            }),
            LayerTail::Number => {
                let after = after.strip_prefix(' ')?;
                let end = after
                    .find(|c: char| !c.is_ascii_digit() && c != '-')
                    .unwrap_or(after.len());
                let number: i64 = after[..end].parse().ok()?;
                let rest = &after[end..];
                let rest = if rest.is_empty() {
                    rest
                } else {
                    rest.strip_prefix(':')?.trim_start()
                };
                // Some servers send the status of the API behind them for a number.
                let status = u16::try_from(number).ok();
                let status = status.filter(|status| (400..=599).contains(status));
                Some(StrippedLayer {
                    rest,
                    code: code_for_rpc(number).or(status.map(code_for_status)),
                    status,
                    tool: None,
                })
            }
            LayerTail::Tool => {
                let (name, rest) = name(after)?;
                Some(StrippedLayer {
                    rest,
                    code: None,
                    status: None,
                    tool: Some(name),
                })
            }
            LayerTail::ToolThen(words) => {
                let (head, rest) = name(after)?;
                let fits = |word: &&str| head.to_ascii_lowercase().ends_with(*word);
                let word = words.iter().find(|word| fits(word))?;
                let tool = tidy(&head[..head.len() - word.len()]);
                Some(StrippedLayer {
                    rest,
                    code: None,
                    status: None,
                    tool: (!tool.is_empty()).then_some(tool),
                })
            }
        }
    }
}

/// A name up to a colon and a space, or up to the end.
fn name(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(' ')?;
    let near = &text[..text.floor_char_boundary(LONGEST_NAME)];
    let line = near.lines().next().unwrap_or_default();
    let at = line
        .find(": ")
        .or_else(|| line.strip_suffix(':').map(str::len));
    match at {
        Some(at) => Some((tidy(&text[..at]), text[at + 1..].trim_start())),
        // Some say no more than which tool it was.
        None if line.len() == text.len() => Some((tidy(line), "")),
        None => None,
    }
    .filter(|(name, _)| !name.is_empty())
}

const LONGEST_NAME: usize = 160;

fn tidy(name: &str) -> &str {
    name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '`'))
}

/// What follows an opening that is one word and a colon: `Error:`, `**Error:**`, `McpError:`, `ValueError:`.
pub(crate) fn after_opening(text: &str) -> Option<&str> {
    let start = text.trim_start_matches(['*', '❌', '✖', '⚠', '\u{fe0f}', ' ']);
    let (word, rest) = start.split_once(':').filter(|(word, _)| {
        word.len() <= 80
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._".contains(&b))
    })?;
    let lower = word.to_ascii_lowercase();
    let is_error = ["error", "exception"]
        .iter()
        .any(|end| lower.ends_with(end));
    let rest = rest.trim_start_matches('*').trim_start();
    (is_error && !rest.is_empty()).then_some(rest)
}

/// Strips a lead in any case.
fn strip<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    // Nearly all differ in the first letter already. Leads are in lower case.
    let first = text.as_bytes().first().map(u8::to_ascii_lowercase);
    if first != lead.bytes().next() {
        return None;
    }
    let head = text.get(..lead.len())?;
    head.eq_ignore_ascii_case(lead).then(|| &text[lead.len()..])
}

/// Rows as `id: CODE, tail, about;`, the leads, the examples and the counter-examples. A layer without a code decides nothing.
macro_rules! layers {
    ($($id:literal: $code:tt, $what:expr, $about:literal; $leads:expr; $examples:expr; $counter:expr;)*) => {
        &[$(PrefixLayer {
            row: RuleRow {
                id: $id,
                about: $about,
                code: layers!(@ $code),
                examples: &$examples,
                counter_examples: &$counter,
                ..RuleRow::STRUCTURAL
            },
            leads: &$leads,
            what: $what,
        },)*]
    };
    (@ -) => { None };
    (@ $code:ident) => { Some(codes::$code) };
}

static LAYERS: &[PrefixLayer] = layers! {
    "prefix.mcp-error": -, LayerTail::Number, "A JSON-RPC error turned into text: \"MCP error -32602: …\". Its number decides unless what follows says more.";
    ["mcp error", "json-rpc error", "jsonrpc error", "rpc error"];
    [
        "MCP error -32602: Nope", "MCP error -32603: MCP error -32602: Nope", "Error: MCP error -32603: boom",
        "McpError: MCP error -32601", "MCP error 429: come back",
    ];
    ["MCP error", "MCP error -32602: Tool x not found", "MCP error 5: boom"];

    "prefix.validation": VALIDATION_INVALID_VALUE, LayerTail::Colon, "A framework's word that it refused the arguments: \"Input validation error: …\".";
    ["input validation error", "invalid arguments", "invalid params", "invalid parameters"];
    ["Input validation error: nope", "MCP error -32602: Invalid params: nope"];
    ["Input validation error", "Input validation error: 'q' is a required property"];

    "prefix.arguments": VALIDATION_INVALID_VALUE, LayerTail::Tool, "A framework's word on which tool's arguments it refused: \"Invalid arguments for tool x: …\".";
    ["invalid arguments for tool", "invalid arguments for"];
    ["Invalid arguments for tool echo: nope", "Input validation error: Invalid arguments for tool echo: nope"];
    ["Invalid arguments for tool echo: message: Invalid input: expected string, received undefined"];

    "prefix.output": INTERNAL_BAD_UPSTREAM, LayerTail::Colon, "A framework's word that the tool's own answer broke its schema: \"Output validation error: …\".";
    ["output validation error", "structured content does not match the tool's output schema"];
    ["MCP error -32602: Output validation error: total is odd"];
    ["Input validation error: total is odd"];

    "prefix.tool": -, LayerTail::Tool, "A framework's word on which tool failed: \"Error executing tool x: …\". It decides nothing.";
    [
        "error executing tool", "error calling tool", "error running tool", "error invoking tool",
        "error in tool", "error invoking remote method", "failed to execute tool", "failed to call tool",
        "tool execution failed for",
    ];
    ["Error executing tool add: boom", "Error calling tool 'add': boom"];
    ["Error executing the plan: boom"];

    "prefix.tool-failed": -, LayerTail::ToolThen(&["execution failed", "execution error", "call failed", "failed", "error"]), "The same in other words: \"Tool x failed: …\", \"Tool execution failed: …\". It decides nothing.";
    ["tool"];
    ["Tool 'add' failed: boom", "Tool add execution failed: boom"];
    ["Tool execution failed: boom", "Tools failed: boom"];
};

#[cfg(test)]
mod tests {
    use super::*;

    fn off(text: &str) -> UnwrappedText<'_> {
        unwrap(text, &|_| true)
    }

    #[test]
    fn layers_come_off_one_by_one() {
        for (text, inner, code, tool) in [
            (
                "MCP error -32602: Nope",
                "Nope",
                "VALIDATION_INVALID_VALUE",
                None,
            ),
            (
                "MCP error -32603: MCP error -32601: Nope",
                "Nope",
                "NOT_FOUND_OPERATION",
                None,
            ),
            (
                "Error executing tool add_two: Nope",
                "Nope",
                "",
                Some("add_two"),
            ),
            (
                "Error calling tool 'add two': Error: Nope",
                "Error: Nope",
                "",
                Some("add two"),
            ),
            ("Tool 'x' execution failed: Nope", "Nope", "", Some("x")),
            ("Tool execution failed: Nope", "Nope", "", None),
            (
                "Error executing tool divide",
                "Error executing tool divide",
                "",
                Some("divide"),
            ),
            (
                "Error: MCP error -32603: a: b",
                "a: b",
                "INTERNAL_ERROR",
                None,
            ),
            ("Error: Nope", "Error: Nope", "", None),
            ("", "", "", None),
        ] {
            let found = off(text);
            assert_eq!(found.inner, inner, "{text}");
            assert_eq!(
                found.code.map_or("", |(code, _)| code.name()),
                code,
                "{text}"
            );
            assert_eq!(found.tool, tool, "{text}");
        }
        assert_eq!(off("**Error:** McpError: x").bare, "x");
    }

    #[test]
    fn thousands_of_layers_are_left_alone() {
        let text = "MCP error -32603: ".repeat(5000) + "end";
        assert!(off(&text).inner.starts_with("MCP error"));
    }
}

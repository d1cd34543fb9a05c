//! The tools of the server: to look one up, and to be listed.

use std::fmt::Write as _;

use breakfall::validate::Schema;
use breakfall_gateway::classify::value_of;
use breakfall_mcp::jsonrpc::Kind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Done;
use super::session::{Meta, Session};
use crate::out::{self, printable};
use crate::report::{Body, Note, Report};
use crate::text::{Sheet, shorten};

/// All of them, in the order of the server.
#[derive(Debug, Clone, Default)]
pub(super) struct Tools {
    all: Vec<Tool>,
    /// The server had more, and never came to an end.
    is_cut: bool,
}

#[derive(Debug, Clone)]
struct Tool {
    known: Known,
    raw: Box<RawValue>,
}

/// What we understand of a tool.
#[derive(Debug, Clone)]
struct Known {
    name: String,
    description: Value,
    input_schema: Value,
}

impl Known {
    /// One without a name cannot be called.
    fn of(tool: &str) -> Option<Self> {
        let mut tool = value_of(tool);
        Some(Self {
            name: tool["name"].as_str()?.to_owned(),
            description: tool["description"].take(),
            input_schema: tool["inputSchema"].take(),
        })
    }
}

#[derive(Serialize)]
struct Params<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<&'a str>,
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    meta: Meta,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    tools: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}

/// Asks for all of them, page by page.
pub(super) async fn list(session: &mut Session) -> Result<Tools, Done> {
    let mut tools = Tools::default();
    let mut cursor: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let params = Params {
            cursor: cursor.as_deref(),
            meta: session.meta(),
        };
        let answer = session.ask("tools/list", &params).await?;
        if answer.kind() != Kind::Result {
            return Err(Done::Answer(answer.into()));
        }
        let page = answer.body().map(serde_json::from_str::<Page>);
        let Some(Ok(page)) = page else {
            return Err(Done::NoList(answer));
        };
        tools.all.extend(page.tools.into_iter().filter_map(|raw| {
            let known = Known::of(raw.get())?;
            Some(Tool { known, raw })
        }));
        cursor = page.next_cursor.filter(|cursor| !cursor.is_empty());
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    tools.is_cut = true;
    Ok(tools)
}

impl Tools {
    /// Whether there is such a tool, or might be.
    pub(super) fn has(&self, name: &str) -> bool {
        self.is_cut || self.all.iter().any(|tool| tool.known.name == name)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.all.iter().map(|tool| &*tool.known.name).collect()
    }

    pub(super) fn schema_of(&self, name: &str) -> Option<&Value> {
        let tool = self.all.iter().find(|tool| tool.known.name == name)?;
        Some(&tool.known.input_schema)
    }

    /// Arguments that break no rule of a tool, if these do and it is certain what was meant.
    pub(super) fn correction(&self, name: &str, arguments: &RawValue) -> Option<Value> {
        let schema = Schema::compile(self.schema_of(name)?).ok()?.closed();
        let arguments: Value = serde_json::from_str(arguments.get()).ok()?;
        schema.check(&arguments).corrective_params().cloned()
    }

    /// The names, in a line that can be read.
    pub(super) fn shown(&self) -> String {
        let names = self.names();
        let Some(more) = names.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) else {
            return if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
        };
        format!("{} and {more} more", names[..MOST_SHOWN].join(", "))
    }
}

/// The list, for people or for programs.
pub(super) fn report(tools: &Tools, json: bool) -> Report {
    let body = if json {
        let raw: Vec<&RawValue> = tools.all.iter().map(|tool| &*tool.raw).collect();
        let json = serde_json::to_string(&raw).expect("it came as JSON");
        Body::Foreign(format!("{json}\n"))
    } else {
        Body::Page(page(tools))
    };
    let mut report = Report::new(body);
    if tools.all.is_empty() {
        report
            .notes
            .push(Note::new("note", "the server has no tools"));
    }
    if tools.is_cut {
        let text = "the server has more tools, and its list does not end";
        report.notes.push(Note::new("warning", text));
    }
    report
}

fn page(tools: &Tools) -> String {
    let width = out::terminal_width().unwrap_or(WIDTH).min(WIDTH);
    let mut sheet = Sheet::new(width);
    for (index, tool) in tools.all.iter().enumerate() {
        if index > 0 {
            sheet.gap();
        }
        sheet.title(&printable(&tool.known.name), "");
        let description = tool.known.description.as_str().unwrap_or_default();
        // The first paragraph says what it does, the others are for those who use it.
        let first = description.trim().split("\n\n").next().unwrap_or_default();
        sheet.paragraph(&tame(first));
        let rows = rows(&tool.known.input_schema);
        if !rows.is_empty() {
            sheet.table("takes", &rows);
        }
    }
    sheet.finish()
}

/// The arguments as cells: name, what it is, what it says. Those that must be there come first.
pub(super) fn rows(schema: &Value) -> Vec<[String; 3]> {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let all = schema["properties"].as_object().into_iter().flatten();
    let (must, may): (Vec<_>, Vec<_>) = all.partition(|(name, _)| is_required(name));
    let must = must.into_iter().map(|property| (property, ", required"));
    let may = may.into_iter().map(|property| (property, ""));
    must.chain(may)
        .map(|((name, property), mark)| {
            let about = property["description"].as_str().unwrap_or_default();
            [
                printable(name),
                format!("{}{mark}", kind(property)),
                tame(about),
            ]
        })
        .collect()
}

/// What a value has to be, in a few words.
fn kind(property: &Value) -> String {
    let word = |value: &Value| match value.as_str() {
        Some(text) => printable(text),
        None => printable(&value.to_string()),
    };
    let words = |all: &Vec<Value>| all.iter().map(word).collect::<Vec<_>>().join(" | ");
    let mut text = match (&property["enum"], &property["type"]) {
        (Value::Array(values), _) | (_, Value::Array(values)) => words(values),
        (_, Value::String(kind)) => printable(kind),
        _ => "any".to_owned(),
    };
    if let Some(default) = property.get("default").filter(|value| !value.is_null()) {
        // Writing to a string cannot fail.
        let _ = write!(text, " = {}", word(default));
    }
    shorten(&text).into_owned()
}

/// Somebody else's words on our page: white space is laid out anew, the rest must not speak to the terminal.
fn tame(text: &str) -> String {
    let words = text.split_whitespace().map(printable);
    words.collect::<Vec<_>>().join(" ")
}

const MOST_PAGES: usize = 100;
const MOST_SHOWN: usize = 20;
const WIDTH: usize = 100;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_must_be_there_comes_first_and_everything_has_a_kind() {
        let schema = json!({"required": ["z"], "properties": {
            "z": {"type": "integer", "description": "how\nmany"},
            "a": {"enum": ["x", "y"], "default": "x"},
            "b": {"type": ["string", "null"], "default": null},
            "c": true,
        }});
        let rows = rows(&schema);
        let rows: Vec<String> = rows.into_iter().map(|row| row.join("|")).collect();
        assert_eq!(
            rows,
            [
                "z|integer, required|how many",
                "a|x | y = x|",
                "b|string | null|",
                "c|any|"
            ]
        );
    }
}

//! The tools of the server: listed, and looked up by name.

use std::fmt::Write as _;

use breakfall::catalog::warning::UPSTREAM_LOST;
use breakfall::validate::Schema;
use breakfall::wire::native::SUCCESS_KEY;
use breakfall_gateway::classify::value_of;
use breakfall_gateway::tools::{Hints, SchemaCache, Tool};
use breakfall_mcp::jsonrpc::Kind;
use breakfall_mcp::list_pages::ListPages;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::CallEnd;
use super::session::CallSession;
use crate::layout::{TextSheet, shorten};
use crate::output::{self, printable};
use crate::report::{CommandReport, ReportBody, ReportNote};
use breakfall_mcp::protocol::method;

/// All of them, in the order of the server.
#[derive(Debug, Clone, Default)]
pub(super) struct ToolList {
    all: Vec<ListedTool>,
    /// The list of the server did not end.
    is_cut: bool,
    /// What a gateway says of the servers behind it that did not answer.
    lost: Vec<String>,
}

#[derive(Debug, Clone)]
struct ListedTool {
    known: ToolSummary,
    raw: Box<RawValue>,
}

/// The parts of a tool that are used here.
#[derive(Debug, Clone)]
struct ToolSummary {
    name: String,
    description: Value,
    input_schema: Value,
    /// Its annotations say that it may be called twice.
    may_repeat: bool,
}

impl ToolSummary {
    /// A tool without a name cannot be called.
    fn of(tool: &str) -> Option<Self> {
        let hints = Tool::read(tool, &SchemaCache::new("")).map(|tool| tool.hints());
        let mut tool = value_of(tool);
        Some(Self {
            may_repeat: hints.is_some_and(Hints::may_repeat),
            name: tool["name"].as_str()?.to_owned(),
            description: tool["description"].take(),
            input_schema: tool["inputSchema"].take(),
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolListPage {
    tools: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
    #[serde(rename = "_meta")]
    meta: Option<Box<RawValue>>,
}

/// Lists all tools, page by page.
pub(super) async fn list(session: &mut CallSession) -> Result<ToolList, CallEnd> {
    let mut tools = ToolList::default();
    let mut pages = ListPages::new(method::TOOLS_LIST, None);
    while let Some(request) = pages.request() {
        let answer = session.send(request).await?;
        if answer.kind() != Kind::Result {
            return Err(CallEnd::Answer(answer.into()));
        }
        let page = answer.body().map(serde_json::from_str::<ToolListPage>);
        let Some(Ok(page)) = page else {
            return Err(CallEnd::NoList(answer));
        };
        let meta = page.meta.map(|meta| value_of(meta.get()));
        for lost in meta.iter().flat_map(lost_upstreams) {
            if !tools.lost.contains(&lost) {
                tools.lost.push(lost);
            }
        }
        tools.all.extend(page.tools.into_iter().filter_map(|raw| {
            let known = ToolSummary::of(raw.get())?;
            Some(ListedTool { known, raw })
        }));
        if !pages.advance(page.next_cursor) {
            break;
        }
    }
    tools.is_cut = !pages.is_complete();
    Ok(tools)
}

/// The warnings of a gateway about servers whose tools are missing.
fn lost_upstreams(meta: &Value) -> Vec<String> {
    let warnings = meta[SUCCESS_KEY]["warnings"].as_array();
    let lost = warnings.into_iter().flatten();
    let lost = lost.filter(|warning| warning["code"] == UPSTREAM_LOST.name());
    lost.map(|warning| {
        let text = warning["message"]
            .as_str()
            .unwrap_or("a server did not answer");
        match warning["context"]["reason"].as_str() {
            Some(reason) => format!("{text} ({reason})"),
            None => text.to_owned(),
        }
    })
    .collect()
}

impl ToolList {
    /// Whether the server has the tool, or may have it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.is_cut || !self.lost.is_empty() || self.all.iter().any(|tool| tool.known.name == name)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.all.iter().map(|tool| &*tool.known.name).collect()
    }

    /// Whether a tool may be called twice, by its annotations.
    pub(super) fn may_repeat(&self, name: &str) -> bool {
        let mut named = self.all.iter().filter(|tool| tool.known.name == name);
        named.next().is_some_and(|tool| tool.known.may_repeat)
    }

    pub(super) fn schema_of(&self, name: &str) -> Option<&Value> {
        let tool = self.all.iter().find(|tool| tool.known.name == name)?;
        Some(&tool.known.input_schema)
    }

    /// Arguments that break no rule of the tool, if these do and the repair is certain.
    pub(super) fn correction(&self, name: &str, arguments: &RawValue) -> Option<Value> {
        let schema = Schema::compile(self.schema_of(name)?).ok()?.closed();
        let arguments: Value = serde_json::from_str(arguments.get()).ok()?;
        schema.check(&arguments).corrective_params().cloned()
    }

    /// The first names, in one line.
    pub(super) fn shown(&self) -> String {
        let names = self.names();
        let Some(more) = names.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) else {
            return if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
        };
        format!("{} and {more} more", names[..MAX_NAMED].join(", "))
    }
}

/// The list as a page or as JSON.
pub(super) fn report(tools: &ToolList, json: bool) -> CommandReport {
    let body = if json {
        let raw: Vec<&RawValue> = tools.all.iter().map(|tool| &*tool.raw).collect();
        let json = serde_json::to_string(&raw).expect("raw JSON values");
        ReportBody::Foreign(format!("{json}\n"))
    } else {
        ReportBody::Page(page(tools))
    };
    let mut report = CommandReport::new(body);
    let lost = tools.lost.iter();
    let lost = lost.map(|text| ReportNote::new("warning", printable(text)));
    report.notes.extend(lost);
    if tools.all.is_empty() {
        report
            .notes
            .push(ReportNote::new("note", "the server has no tools"));
    }
    if tools.is_cut {
        let text = "the server has more tools, and its list does not end";
        report.notes.push(ReportNote::new("warning", text));
    }
    report
}

fn page(tools: &ToolList) -> String {
    let width = output::terminal_width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let mut sheet = TextSheet::new(width);
    for (index, tool) in tools.all.iter().enumerate() {
        if index > 0 {
            sheet.gap();
        }
        sheet.title(&printable(&tool.known.name), "");
        let description = tool.known.description.as_str().unwrap_or_default();
        // The first paragraph is the summary.
        let first = description.trim().split("\n\n").next().unwrap_or_default();
        sheet.paragraph(&one_line(first));
        let rows = rows(&tool.known.input_schema);
        if !rows.is_empty() {
            sheet.table("takes", &rows);
        }
    }
    sheet.finish()
}

/// The arguments as cells: name, type, description; required ones first.
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
                one_line(about),
            ]
        })
        .collect()
}

/// The type of a value in a few words.
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

/// Text of a server for a page: white space collapsed, control characters escaped.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().map(printable);
    words.collect::<Vec<_>>().join(" ")
}

const MAX_NAMED: usize = 20;
const MAX_WIDTH: usize = 100;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn required_arguments_come_first_and_each_has_a_type() {
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

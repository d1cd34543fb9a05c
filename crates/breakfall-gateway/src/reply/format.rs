//! The `format` argument, by which a caller chooses the format of a failure if the operator offers it. It is added to
//! the input schemas of listed tools, and removed from a call before the call is sent to the server. A tool that
//! declares an argument of that name keeps it.

use std::borrow::Cow;

use breakfall::Fault;
use breakfall::wire::Format;

use breakfall_mcp::jsonrpc::splice::{Object, each};

/// The name of the argument.
pub const NAME: &str = "format";

/// The schema of the argument.
const SCHEMA: &str = r#"{"type":"string","enum":["markdown","json","both"],"default":"markdown","description":"How a failure is told: markdown for words, json for a JSON object, both for words and then the object."}"#;

/// A tool of a list with the argument added; `None` if that is impossible: the tool has an argument of that name, or no
/// input schema.
///
/// ```
/// use breakfall_gateway::reply::format::offered;
///
/// let tool = r#"{"name":"buy","inputSchema":{"type":"object","properties":{"sku":{"type":"string"}}}}"#;
/// let offers = offered(tool).expect("it has none");
/// assert!(offers.contains(r#""properties":{"sku":{"type":"string"},"format":{"type":"string","enum":["#), "{offers}");
/// assert_eq!(offered(&offers), None);
/// ```
pub fn offered(tool: &str) -> Option<String> {
    let top = Object::of(tool, &["inputSchema"])?;
    let schema = top.get("inputSchema").filter(|schema| is_free(schema))?;
    let schema = Object::of(schema, &["properties"])?;
    let properties = schema.get("properties").unwrap_or("{}");
    let properties = Object::of(properties, &[NAME])?;
    let properties = properties.edit().put(NAME, SCHEMA).write();
    let schema = schema.edit().put("properties", properties).write();
    Some(top.edit().put("inputSchema", schema).write())
}

/// Whether a listed tool declares an argument of that name, or may accept one.
pub fn has_own(tool: &str) -> bool {
    let tool = Object::of(tool, &["inputSchema"]);
    let schema = tool.as_ref().and_then(|tool| tool.get("inputSchema"));
    schema.is_some_and(|schema| !is_free(schema))
}

/// Whether a schema leaves the name free: the schema does not name it, and refers to no other schema that could.
pub(crate) fn is_free(schema: &str) -> bool {
    let Some(schema) = Object::of(schema, &ELSEWHERE).filter(|_| schema.len() <= MAX_TOOL_BYTES)
    else {
        return false;
    };
    let [properties, elsewhere @ ..] = ELSEWHERE;
    let is_own = schema.get(properties).is_some_and(|properties| {
        Object::of(properties, &[NAME]).is_none_or(|properties| properties.get(NAME).is_some())
    });
    !is_own && elsewhere.iter().all(|name| schema.get(name).is_none())
}

/// The keywords by which a schema can declare properties indirectly.
const ELSEWHERE: [&str; 7] = [
    "properties",
    "patternProperties",
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
];

/// The schema cache does not keep larger tools, so later calls could not be checked against them.
const MAX_TOOL_BYTES: usize = 1 << 20;

/// A result of `tools/list` with the argument added to each tool that is wanted and can have it; `None` if there is no
/// such tool.
pub(crate) fn offered_by(result: &str, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let top = Object::of(result, &["tools"])?;
    let mut all: Vec<Cow<'_, str>> = Vec::new();
    let mut is_any = false;
    each(top.get("tools")?, |tool| {
        let name = Object::of(tool, &["name"]).and_then(|tool| tool.text("name"));
        let offers = name
            .filter(|name| is_wanted(name))
            .and_then(|_| offered(tool));
        is_any |= offers.is_some();
        all.push(offers.map_or(Cow::Borrowed(tool), Cow::Owned));
    })?;
    let list = format!("[{}]", all.join(","));
    is_any.then(|| top.edit().put("tools", list).write())
}

/// The format a call chooses, and its arguments without it; `None` if the call does not choose.
///
/// ```
/// use breakfall::wire::Format;
/// use breakfall_gateway::reply::format::taken;
///
/// let (format, arguments) = taken(r#"{"sku":1e400,"format":"json"}"#).expect("it chooses");
/// assert_eq!((format.ok(), &*arguments), (Some(Format::Json), r#"{"sku":1e400}"#));
/// ```
pub fn taken(arguments: &str) -> Option<(Result<Format, Fault>, String)> {
    let object = Object::of(arguments, &[NAME])?;
    object.get(NAME)?;
    let word = object.text(NAME).unwrap_or_default();
    let words: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
    let format = Format::from_word(&word).ok_or_else(|| Fault::invalid_enum(NAME, &words));
    Some((format, object.edit().drop(NAME).write()))
}

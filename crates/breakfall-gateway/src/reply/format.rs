//! The argument by which a caller chooses the blocks of a failure, where an operator offers it: it is added to what a tool
//! says of its arguments, and taken out of a call before the server gets it. A tool that has an argument of that name keeps
//! it.

use breakfall::Fault;
use breakfall::wire::Format;

use crate::envelope::splice::Object;

/// What the argument is called.
pub const NAME: &str = "format";

/// What a list of tools says of it.
const SCHEMA: &str = r#"{"type":"string","enum":["markdown","json","both"],"default":"markdown","description":"How a failure is told: markdown for words, json for a JSON object, both for words and then the object."}"#;

/// An item of a list of tools that offers the argument; nothing if it cannot: it has one of that name already, or says
/// nothing of its arguments.
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
    let schema = top.get("inputSchema").filter(|_| !has_own(tool))?;
    let schema = Object::of(schema, &["properties"])?;
    let properties = schema.get("properties").unwrap_or("{}");
    let properties = Object::of(properties, &[NAME])?;
    let properties = properties.edit().put(NAME, SCHEMA).write();
    let schema = schema.edit().put("properties", properties).write();
    Some(top.edit().put("inputSchema", schema).write())
}

/// Whether a tool, as a list has it, has an argument of that name itself.
pub fn has_own(tool: &str) -> bool {
    let inner = |object: &str, name: &'static str| {
        let object = Object::of(object, &[name])?;
        object.get(name).map(str::to_owned)
    };
    let properties = inner(tool, "inputSchema").and_then(|schema| inner(&schema, "properties"));
    properties.is_some_and(|properties| inner(&properties, NAME).is_some())
}

/// What a call chooses, and its arguments without it; nothing if it does not choose.
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

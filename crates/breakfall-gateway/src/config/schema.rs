//! The JSON Schema of the file, for editors and for whoever generates one.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::file::File;

/// The JSON Schema (2020-12) of the file: what its keys are, what they mean, what may stand there. A file that passes
/// [`Config::parse`](super::Config::parse) is valid by it; not everything that is valid passes.
///
/// ```
/// let schema = breakfall_gateway::config::schema();
/// assert_eq!(schema["$id"], "urn:breakfall:schema:config");
/// assert!(schema["properties"]["upstreams"]["description"].is_string());
/// ```
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<File>();
    schema.insert("$id".to_owned(), "urn:breakfall:schema:config".into());
    schema.insert("title".to_owned(), "Breakfall configuration".into());
    schema.to_value()
}

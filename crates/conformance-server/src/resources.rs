//! The resources.

use rmcp::model::{ErrorData, ReadResourceResult, ResourceContents};
use serde_json::json;

use crate::tools::content::PNG;

/// What is at that address.
///
/// # Errors
/// When nothing is.
pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        "test://static-text" => {
            ResourceContents::text("This is the content of the static text resource.", uri)
                .with_mime_type("text/plain")
        }
        "test://static-binary" => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
        _ => templated(uri).ok_or_else(|| nothing(uri))?,
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

fn templated(uri: &str) -> Option<ResourceContents> {
    let id = uri
        .strip_prefix("test://template/")?
        .strip_suffix("/data")?;
    let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
    Some(ResourceContents::text(data.to_string(), uri).with_mime_type("application/json"))
}

/// The SDK chooses the code that the caller's era has for it.
fn nothing(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("resource not found", Some(json!({"uri": uri})))
}

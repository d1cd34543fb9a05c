//! The kinds of harmless text: redacting one makes an error message worse and nothing safer.

mod code;
mod ids;
mod numbers;
mod prose;
mod web;

use super::plant::Form;
use super::random::Random;

/// A text that must stay as it is, and where it can stand.
#[derive(Debug)]
pub(crate) struct Harmless {
    pub(crate) text: String,
    pub(crate) form: Form,
}

impl Harmless {
    fn word(text: String) -> Self {
        Self {
            text,
            form: Form::Word,
        }
    }

    fn line(text: String) -> Self {
        Self {
            text,
            form: Form::Line,
        }
    }

    fn block(text: String) -> Self {
        Self {
            text,
            form: Form::Block,
        }
    }
}

/// A name, and what makes a text of it.
pub(crate) type Kind = (&'static str, fn(&mut Random) -> Harmless);

/// Every kind.
pub(crate) const KINDS: &[Kind] = &[
    ("git-sha", ids::git_sha),
    ("uuid", ids::uuid),
    ("ulid", ids::ulid),
    ("object-id", ids::object_id),
    ("prefixed-id", ids::prefixed),
    ("trace-id", ids::trace_id),
    ("digest", ids::digest),
    ("base64-data", ids::base64_data),
    ("cursor", ids::cursor),
    ("snowflake", ids::snowflake),
    ("pod", ids::pod),
    ("semver", numbers::semver),
    ("version-quad", numbers::version_quad),
    ("timestamp", numbers::timestamp),
    ("duration", numbers::duration),
    ("order-number", numbers::order_number),
    ("money", numbers::money),
    ("coordinates", numbers::coordinates),
    ("measurement", numbers::measurement),
    ("token-count", numbers::token_count),
    ("cron", numbers::cron),
    ("colour", numbers::colour),
    ("catalogue-number", numbers::catalogue_number),
    ("url-path", web::url_path),
    ("public-url", web::public_url),
    ("public-host", web::public_host),
    ("mime", web::mime),
    ("json-pointer", web::pointer),
    ("challenge", web::challenge),
    ("header", web::header),
    ("json-rpc", web::json_rpc),
    ("tool-name", code::tool_name),
    ("module", code::module),
    ("identifier", code::identifier),
    ("pattern", code::pattern),
    ("file-name", code::file_name),
    ("package", code::package),
    ("schema", code::schema),
    ("markdown-table", code::table),
    ("log", code::log),
    ("sql-words", prose::sql_words),
    ("secret-words", prose::secret_words),
    ("english", prose::english),
    ("spanish", prose::spanish),
    ("german", prose::german),
    ("japanese", prose::japanese),
    ("names", prose::names),
];

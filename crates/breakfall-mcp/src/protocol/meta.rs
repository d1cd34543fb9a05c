//! The keys of `_meta`: those of the protocol, and those of this gateway.

/// The version of the protocol, in every request of clients of 2026-07-28.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The name and version of the client.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// What the client can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The lowest level of log messages for a request.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The subscription a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The task a message belongs to.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// The token of the progress of a request.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// The name and version of the server.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The extension for tasks, which modern versions no longer have in the core protocol; a key of `extensions`.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";
/// What the keys of the protocol begin with.
pub const PROTOCOL_PREFIX: &str = "io.modelcontextprotocol/";

/// The dialect of a request's failure.
pub const DIALECT: &str = "dev.breakfall/dialect";
/// Which blocks `tool-error` writes.
pub const FORMAT: &str = "dev.breakfall/format";
/// The language of the caller, as in `Accept-Language`.
pub const LOCALE: &str = "dev.breakfall/locale";
/// Whether the dialect is held to the letter.
pub const STRICT: &str = "dev.breakfall/strict";
/// A question of the gateway to the user, among those of the server.
pub const INPUT: &str = "dev.breakfall/ask";
/// The server a message of many comes from.
pub const UPSTREAM: &str = "dev.breakfall/upstream";
/// Unknown members of the results of many servers, by server.
pub const UPSTREAMS: &str = "dev.breakfall/upstreams";
/// The structured content of a failure, which breaks the output schema of its tool.
pub const STRUCTURED_CONTENT: &str = "dev.breakfall/structured_content";
/// Marks a schema that was cut because it nests too deeply.
pub const SCHEMA_CUT: &str = "dev.breakfall/schema_cut";

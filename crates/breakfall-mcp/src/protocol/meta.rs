//! The keys of `_meta`.

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

//! The error codes that MCP adds to those of JSON-RPC.

/// A resource that does not exist, up to 2025-11-25.
pub const RESOURCE_NOT_FOUND: i32 = -32002;
/// A header that is missing or differs from the body, from 2026-07-28 on.
pub const HEADER_MISMATCH: i32 = -32020;
/// A capability that the client did not declare, from 2026-07-28 on. `data.requiredCapabilities` names it.
pub const MISSING_CAPABILITY: i32 = -32021;
/// A version that is not supported, from 2026-07-28 on. `data.supported` lists those that are.
pub const UNSUPPORTED_VERSION: i32 = -32022;
/// A user has to open a URL first. `data.elicitations` holds it.
pub const URL_ELICITATION_REQUIRED: i32 = -32042;

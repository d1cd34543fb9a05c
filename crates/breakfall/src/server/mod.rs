//! Inside a server on the official SDK.

//! A gateway for MCP servers others wrote: nothing is lost on the wire, and every request is answered.

pub mod config;
pub mod demo;
pub mod envelope;
pub mod front;
pub mod peer;
pub mod relay;
pub mod upstream;

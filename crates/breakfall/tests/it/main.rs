//! Integration tests of the library.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod boundary;
#[cfg(test)]
mod carried;
#[cfg(test)]
mod catalog;
#[cfg(test)]
mod classify;
#[cfg(test)]
mod confirm;
#[cfg(test)]
mod derive;
#[cfg(test)]
mod dialects_page;
#[cfg(test)]
mod redact;
#[cfg(test)]
mod error_model;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod ext;
#[cfg(test)]
mod fault;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod http;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod leaks;
#[cfg(test)]
mod lock;
#[cfg(test)]
mod mcp_error;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod native_text;
#[cfg(test)]
mod module_order;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod reader;
#[cfg(test)]
mod response_v2;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod server;
#[cfg(test)]
mod tool_error;
#[cfg(test)]
mod validate;
#[cfg(test)]
mod wild;

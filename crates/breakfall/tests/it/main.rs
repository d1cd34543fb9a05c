//! Integration tests of the library.
mod catalog;
#[cfg(test)]
mod derive;
#[cfg(test)]
mod fault;
mod dialects_page;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod wild;
#[cfg(test)]
mod envelope;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod gating;
#[cfg(test)]
mod reader;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod ui;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod lock;

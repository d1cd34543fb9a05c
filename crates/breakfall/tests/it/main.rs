//! Integration tests of the library.

#[cfg(test)]
mod boundary;
#[cfg(test)]
mod catalog;
#[cfg(test)]
mod derive;
#[cfg(test)]
mod dialects_page;
#[cfg(test)]
mod envelope;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod fault;
#[cfg(test)]
mod gating;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod lock;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod reader;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod ui;
#[cfg(test)]
mod wild;

//! Integration tests of the library.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod boundary;
#[cfg(test)]
mod catalog;
#[cfg(test)]
mod classified;
#[cfg(test)]
mod derive;
#[cfg(test)]
mod dialects_page;
#[cfg(test)]
mod disclosed;
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
mod http;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod leaks;
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
mod rules;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod served;
#[cfg(test)]
mod ui;
#[cfg(test)]
mod validated;
#[cfg(test)]
mod wild;

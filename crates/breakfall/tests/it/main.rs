//! Integration tests of the library.
mod catalog;
mod dialects_page;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod wild;
#[cfg(test)]
mod sample;

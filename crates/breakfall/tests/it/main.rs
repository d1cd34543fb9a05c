//! Integration tests of the library.
mod catalog;
mod dialects_page;

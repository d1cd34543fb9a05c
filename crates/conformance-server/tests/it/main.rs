//! The server against the official suite, and over stdio.

mod stdio;
mod suite;

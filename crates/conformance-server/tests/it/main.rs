//! The server against the official suite, with the official clients, and over stdio.

mod clients;
mod stdio;
mod suite;

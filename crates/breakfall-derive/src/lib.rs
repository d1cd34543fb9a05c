//! `#[derive(Fault)]` for the `breakfall` crate.

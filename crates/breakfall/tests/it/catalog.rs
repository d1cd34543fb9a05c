//! The catalogue against the registries it promises to hold: what `catalog.lock` and the lints do not say.

mod own;
mod registries;
mod templates;
mod warnings;

use breakfall::catalog::by_name;
use breakfall::code::Entry;

/// The row of a native name.
fn row(name: &str) -> &'static Entry {
    by_name(name).expect(name).entry()
}

/// The lines of a table written as text, cut into cells.
fn cells(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split_whitespace().collect())
}

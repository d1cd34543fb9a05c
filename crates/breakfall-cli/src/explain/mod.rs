//! `breakfall explain`: a code or warning of any format → its page, or a list of them; a correlation id → what happened.

mod describe;
mod happened;
mod json;
mod list;
mod lookup;
mod page;
mod said;
mod unknown;

use crate::args::Explain;
use crate::report::{Body, Problem, Report};

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;

pub(crate) fn run(args: &Explain, terminal: Option<usize>) -> Result<Report, Problem> {
    let query = args.code.as_deref().map(str::trim);
    if args.list {
        return list::run(query, &args.filter, args.json, terminal);
    }
    let query = query.unwrap_or_default();
    let width = terminal.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let meanings = lookup::look_up(query);
    if meanings.is_empty() {
        return happened::run(query, args, width)?.ok_or_else(|| unknown::problem(query));
    }
    Ok(Report::new(if args.json {
        Body::Exact(json::answer(query, &meanings, args.language))
    } else {
        Body::Page(page::answer(query, &meanings, args.language, width))
    }))
}

//! `breakfall explain`: a code or warning of any format → its page, or a list of them; a correlation id → its failure; the latest failures; a
//! tool → what the gate does with its calls.

mod describe;
mod exceptions;
mod incident;
mod json;
mod list;
mod lookup;
mod page;
mod tool;
mod translation;
mod unknown_code;

use crate::args::ExplainArgs;
use crate::report::{CommandError, CommandReport, ReportBody};

/// The widest text, and its width when no terminal says otherwise.
const MAX_WIDTH: usize = 100;

pub(crate) fn run(
    args: &ExplainArgs,
    terminal: Option<usize>,
) -> Result<CommandReport, CommandError> {
    let query = args.code.as_deref().map(str::trim);
    if args.list {
        return list::run(query, &args.filter, args.json, terminal);
    }
    if let Some(tool) = &args.tool {
        let width = terminal.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
        return tool::run(tool, args, width);
    }
    if let Some(count) = args.last {
        return incident::latest(count, args, terminal);
    }
    let width = terminal.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let query = query.unwrap_or_default();
    let meanings = lookup::look_up(query);
    if meanings.is_empty() {
        return incident::run(query, args, width)?.ok_or_else(|| unknown_code::error(query));
    }
    Ok(CommandReport::new(if args.json {
        ReportBody::Exact(json::answer(query, &meanings, args.language))
    } else {
        ReportBody::Page(page::answer(query, &meanings, args.language, width))
    }))
}

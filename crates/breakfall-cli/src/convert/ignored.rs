//! Arguments that mean nothing beside each other: harmless, and worth a word.

use breakfall::wire::Dialect;

use crate::args::{Convert, Shape};
use crate::report::Note;

pub(super) fn notes(args: &Convert) -> Vec<Note> {
    let is_rpc = args.shape == Shape::RpcError;
    let mut notes = Vec::new();
    if is_rpc && !has_rpc_errors(args.to) {
        let to = args.to;
        notes.push(useless(
            &format!("--to {to}"),
            "a JSON-RPC error carries the native object",
        ));
    }
    if args.strict && is_rpc && args.to != Dialect::ErrorModel {
        notes.push(useless(
            "--strict",
            "of JSON-RPC errors only error-model has its own",
        ));
    }
    if args.format.is_some() && (is_rpc || args.to != Dialect::ToolError) {
        let reason = if is_rpc {
            "a JSON-RPC error has no blocks"
        } else {
            "only tool-error has it"
        };
        notes.push(useless("--format", reason));
    }
    notes
}

fn useless(argument: &str, reason: &str) -> Note {
    Note::new("note", format!("{argument} changes nothing here: {reason}"))
}

/// Whether a format says how its failures look as JSON-RPC errors.
const fn has_rpc_errors(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Native | Dialect::ErrorModel => true,
        Dialect::ResponseV2
        | Dialect::McpError
        | Dialect::ToolError
        | Dialect::McpAql
        | Dialect::Problem => false,
    }
}

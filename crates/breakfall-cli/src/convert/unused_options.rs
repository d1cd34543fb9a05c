//! Options that have no effect together: harmless, with a note.

use breakfall::wire::Dialect;

use crate::args::{ConvertArgs, OutputShape};
use crate::report::ReportNote;

pub(super) fn notes(args: &ConvertArgs) -> Vec<ReportNote> {
    let is_rpc = args.shape == OutputShape::RpcError;
    let mut notes = Vec::new();
    if is_rpc && !has_rpc_errors(args.to) {
        let to = args.to;
        notes.push(unused(
            &format!("--to {to}"),
            "a JSON-RPC error carries the native object",
        ));
    }
    if args.strict && is_rpc && args.to != Dialect::ErrorModel {
        notes.push(unused(
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
        notes.push(unused("--format", reason));
    }
    notes
}

fn unused(argument: &str, reason: &str) -> ReportNote {
    ReportNote::new("note", format!("{argument} changes nothing here: {reason}"))
}

/// Whether a format defines its failures as JSON-RPC errors.
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

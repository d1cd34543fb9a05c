//! `schemas/check/documents.ts`: what the encoders really write, for the compiler to hold against the types.

use std::fmt::Write as _;

use breakfall::catalog::CODES;
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, encode};
use breakfall::{Code, Outcome};

use crate::sample::{full_fault, outcomes, sample_fault, stamp};

const FILE: &str = "schemas/check/documents.ts";

fn file() -> String {
    let mut file = String::from(
        "// Documents as the encoders write them. `./check types` compiles this file: a document that does not fit its type fails.\n\
         // Generated; `./check bless` rewrites it.\n\n\
         import type * as breakfall from \"../breakfall\";\n\n\
         /** The one name among these documents that is not built in. */\n\
         type Own = \"ORDERS_STALE\";\n",
    );
    for dialect in Dialect::ALL {
        let (name, of) = names(*dialect);
        write!(file, "\nexport const {name}: breakfall.{of}[] = [\n").expect(INFALLIBLE);
        for document in documents(*dialect) {
            writeln!(file, "  {document},").expect(INFALLIBLE);
        }
        file.push_str("];\n");
    }
    file
}

/// The constant and the type of its elements. Where a success is the bare payload, only failures say something.
const fn names(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Native => ("native", "NativeDocument<breakfall.JsonObject, Own>"),
        Dialect::ResponseV2 => (
            "responseV2",
            "ResponseV2Document<breakfall.JsonObject, Own>",
        ),
        Dialect::McpError => ("mcpError", "McpErrorObject"),
        Dialect::ErrorModel => ("errorModel", "ErrorModelFailure"),
        Dialect::ToolError => ("toolError", "ToolErrorDocument"),
        Dialect::McpAql => ("mcpAql", "McpAqlDocument<breakfall.JsonValue, Own>"),
        Dialect::Problem => ("problem", "Problem"),
    }
}

fn documents(dialect: Dialect) -> Vec<String> {
    let options = Options::new().stamp(stamp());
    let strict = options.clone().strict(true);
    let mut all = Vec::new();
    let mut add = |outcome: &Outcome, options: &Options| {
        if let Ok(document) = encode(unredacted(outcome), dialect, options) {
            all.push(document.to_json());
        }
    };
    let mut seen = Vec::new();
    for code in CODES {
        let name = name_in(dialect, *code);
        if !seen.contains(&name) {
            add(&sample_fault(*code).into(), &options);
            seen.push(name);
        }
    }
    add(&full_fault(CODES[0]).into(), &options);
    add(&full_fault(CODES[0]).into(), &strict);
    let bare = matches!(dialect, Dialect::McpError | Dialect::ErrorModel);
    for (_, outcome) in outcomes() {
        if !bare {
            add(&outcome, &options);
        }
    }
    all
}

/// The name of a code in a dialect; two codes of one name look alike there.
fn name_in(dialect: Dialect, code: Code) -> String {
    let names = &code.entry().names;
    match dialect {
        Dialect::Native | Dialect::Problem => code.name().to_owned(),
        Dialect::ResponseV2 => names.response_v2.to_owned(),
        Dialect::McpError => names.mcp_error.to_owned(),
        Dialect::ErrorModel => names.error_model.to_string(),
        Dialect::ToolError => names.tool_error.to_owned(),
        Dialect::McpAql => names.mcp_aql.to_owned(),
    }
}

const INFALLIBLE: &str = "writing to a string cannot fail";

#[test]
fn the_documents_for_the_compiler_are_fresh() {
    super::assert_fresh(FILE, &file());
}

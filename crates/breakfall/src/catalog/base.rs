//! The row that the rows of every category start from, and how they are written. It has no texts: a lint refuses a row
//! without its own.

use crate::code::{Category, Entry, Grpc, Hint, Names, Origin, Retry, Severity, Status, Text};

/// A row without a name and texts. Every category sets what its rows share.
pub(super) const ENTRY: Entry = Entry {
    name: "",
    category: Category::Internal,
    severity: Severity::Error,
    status: Status::Extension,
    since: "0.1.0",
    meaning: "",
    when: "",
    message: Text::fixed(""),
    sentence: None,
    details: &[],
    remediation: Text::fixed(""),
    user: "",
    retry: Retry::Never,
    actions: &[],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Gateway,
    http: 0,
    rpc: None,
    grpc: Grpc::Unknown,
    names: Names {
        response_v2: "",
        error_type: "",
        mcp_error: "",
        error_model: 0,
        tool_error: "",
        needs_input: None,
        mcp_aql: "",
        mcp_aql_strict: "",
    },
};

impl Entry {
    /// The row under a name, which is also that of MCP-AQL unless the row or its base has another.
    pub(super) const fn named(mut self, name: &'static str, meaning: &'static str) -> Self {
        self.name = name;
        if self.names.mcp_aql.is_empty() {
            self.names.mcp_aql = name;
        }
        self.meaning = meaning;
        self
    }
}

/// The rows of a file as `NAME = "meaning" [keys of its details] { field = value; … }`: what a row does not set is as in the file's
/// `BASE`. Declares the constant of each row, documented by its meaning and its keys, and the list of all of them.
macro_rules! rows {
    (
        $code:ident of $entry:ident with $keys:ident;
        $(
            $name:ident = $meaning:literal
            $([$($presence:ident($key:literal, $shape:ident $(($of:expr))?, $about:literal)),+ $(,)?])?
            { $($($field:ident).+ = $value:expr;)* }
        )+
    ) => {
        $(
            #[doc = $meaning]
            $(
                #[doc = concat!("\n\n", stringify!($keys), ":\n\n")]
                $(#[doc = concat!("- `", $key, "` (", stringify!($shape), rows!(@$presence), "): ", $about)])+
            )?
            pub const $name: $code = {
                static ROW: $entry = {
                    let mut row = BASE.named(stringify!($name), $meaning);
                    $(row.$keys = &[$($crate::catalog::detail::$presence($key, $crate::code::Shape::$shape $(($of))?, $about)),+];)?
                    $(row.$($field).+ = $value;)*
                    row
                };
                $code::new(&ROW)
            };
        )+

        /// Every row of the file, in order.
        pub(super) const ROWS: &[$code] = &[$($name),+];
    };
    (@need) => { ", required" };
    (@may) => { "" };
}
pub(super) use rows;

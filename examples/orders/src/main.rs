//! An order desk as an MCP server, in which everything that can go wrong does: each category of failure is one call
//! away, and so is each kind of warning. `README.md` says which.
//!
//! `cargo run -p orders [-- --dialect NAME]` serves it on standard input and output, with the log and the audit trail on
//! standard error.
//!
//! A call goes through the files in this order: `tools` is what the SDK sees, `ids` checks what came in, `session`
//! says who is calling, `limit` whether they may, `desk` whether a person has agreed, `store`, `carrier` and `summary` do the work, and
//! `error` says what a caller gets when they cannot; `audit` keeps a line of every call.

#![expect(
    unreachable_pub,
    unnameable_types,
    reason = "nothing of a program can be reached from outside"
)]

mod arguments;
mod audit;
mod carrier;
mod demo;
mod desk;
mod error;
mod ids;
mod limit;
mod session;
mod store;
mod summary;
#[cfg(test)]
mod tests;
mod tools;

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use breakfall::redact::Audience;
use breakfall::server::{ArgumentCheck, Guard};
use breakfall::wire::{Dialect, Options};
use breakfall::{Catalog, Timestamp};
use rmcp::ServiceExt;
use rmcp::transport::stdio;

use error::OrderError;
use tools::Orders;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let dialect = dialect(std::env::args().skip(1))?;
    let server = server(dialect, Timestamp::now, |line| {
        // There is nobody to tell that the log is gone.
        let _ = writeln!(io::stderr(), "{line}");
    })?;
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}

/// The tools, and a guard around them that turns every failure into one a caller can act on.
fn server(
    dialect: Dialect,
    now: fn() -> Timestamp,
    log: impl Fn(&str) + Clone + Send + Sync + 'static,
) -> Result<Guard<Orders>, Box<dyn Error>> {
    // Says at once if a code of ours breaks a rule or has the name of another.
    let catalog = Catalog::builtin().with_all::<OrderError>()?;
    let orders = Orders::demo(now)?;
    let (desk, trail) = (orders.clone(), log.clone());
    let server = Guard::new(orders)
        .dialect(dialect)
        .options(Options::new().catalog(catalog))
        .audience(Audience::Client)
        .validate(ArgumentCheck::Reject)
        .deadline(Duration::from_secs(2))
        .on_fault(move |event| log(&event.report()))
        .on_call(move |call| trail(&audit::line(call, &desk)));
    Ok(server)
}

/// The wire format the command line asks for.
fn dialect(mut arguments: impl Iterator<Item = String>) -> Result<Dialect, String> {
    let names = Dialect::ALL.iter().map(|dialect| dialect.as_str());
    let usage = || {
        format!(
            "usage: orders [--dialect {}]",
            names.collect::<Vec<_>>().join("|")
        )
    };
    match (
        arguments.next().as_deref(),
        arguments.next(),
        arguments.next(),
    ) {
        (None, ..) => Ok(Dialect::Native),
        (Some("--dialect"), Some(name), None) => Dialect::from_name(&name).ok_or_else(usage),
        _ => Err(usage()),
    }
}

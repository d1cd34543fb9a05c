//! Serves the issue tracker on standard input and output.

use std::error::Error;
use std::io::{Write, stderr};

use breakfall::locale::Language;
use rmcp::ServiceExt;
use rmcp::transport::stdio;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let is_spanish = std::env::args().nth(1).as_deref() == Some("--spanish");
    let language = if is_spanish {
        Language::Spanish
    } else {
        Language::English
    };
    let server = issues::server(language, |line| {
        // Without a log there is no place to report that either.
        let _ = writeln!(stderr(), "{line}");
    });
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}

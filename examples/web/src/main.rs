//! Serves the orders on port 8080.

use std::io::{self, Write};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let log = Arc::new(|line: &str| {
        // Without a log there is no place to report that either.
        let _ = writeln!(io::stderr(), "{line}");
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, web::app(log)).await
}

//! A server on the official SDK with every tool, resource and prompt the official conformance suite asks for.
//!
//! `conformance-server --http PORT` serves `/mcp` on loopback and prints the address; port 0 takes a free port.
//! `conformance-server --stdio` serves its standard streams. Either speaks both eras of the protocol, unless
//! `--era legacy` or `--era modern` leaves one out.

mod options;
mod lists;
mod listeners;
mod ask;
mod fixture;
mod tools;
mod resources;
mod prompts;
mod handler;
mod http;

use std::error::Error;

use rmcp::ServiceExt as _;

use crate::fixture::Fixture;
use crate::options::{Options, Place};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let fixture = Fixture::new(options.era)?;
    match options.place {
        Place::Http(port) => http::serve(fixture, port).await?,
        Place::Stdio => {
            let server = fixture.serve(rmcp::transport::stdio()).await?;
            server.waiting().await?;
        }
    }
    Ok(())
}

//! A gateway for MCP servers others wrote: nothing is lost on the wire, and every request is answered.
//!
//! A message takes this way, and the modules stand in its order:
//!
//! | module | what happens there |
//! |---|---|
//! | [`config`] | a file, as written → what it means; everything below is told what to do by it |
//! | [`http_server`] | where clients come in |
//! | [`jsonrpc`] | bytes → a frame of JSON-RPC that knows its id, method and body and keeps every byte |
//! | [`connection`] | one end of a connection: requests owed an answer, requests waiting for one, deadlines, a bounded outbox |
//! | `bridge` | where client and server speak different eras of the protocol: a bridge; else nothing |
//! | [`pipeline`] | the life of a call of a tool, stage by stage |
//! | [`session`] | joins a client and a server, keeps the server running, and answers for it when it does not |
//! | [`aggregate`] | joins many servers into one: names, addresses, lists |
//! | [`resilience`] | what is done about a server that fails: how long to wait, whether to try again, when to leave it alone |
//! | [`tools`] | what a server says of its tools; arguments and results held against it |
//! | [`upstream`] | where a server comes from, how it is started, and how it is ended |
//! | [`classify`] | what an answer came to: a success, a question, a failure, and which |
//! | [`reply`] | what the caller is told of it: redacted, in their language, in their format |
//! | [`record`] | what becomes of a call when it is over: log line, counters, audit entry, private report |
//! | [`store`] | where that is kept |
//! | [`serve`] | all of it as a service: what stands at which path, for whom, and what happens when the file changes |
//!
//! ```
//! use breakfall_gateway::jsonrpc::Limits;
//! use breakfall_gateway::session::{Ended, Relay};
//! use breakfall_gateway::upstream::{Origin, Upstream};
//! use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let (client, front) = tokio::io::duplex(1 << 16);
//! let (reader, writer) = tokio::io::split(front);
//! let upstream = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
//! let relay = tokio::spawn(Relay::start(reader, writer, Limits::REQUEST, upstream).run());
//!
//! let (answers, mut requests) = tokio::io::split(client);
//! requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n").await?;
//! let mut answer = String::new();
//! BufReader::new(answers).read_line(&mut answer).await?;
//! assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n");
//!
//! requests.shutdown().await?;
//! assert!(matches!(relay.await, Ok(Ended::Well)));
//! # Ok::<_, std::io::Error>(())
//! # })?;
//! # Ok::<_, std::io::Error>(())
//! ```

pub mod aggregate;
mod bridge;
pub mod classify;
pub mod config;
pub mod pipeline;
pub mod record;
pub mod reply;
pub mod resilience;
pub mod serve;
pub mod session;
pub mod store;
pub mod tools;
pub mod upstream;

//! A gateway for MCP servers others wrote: nothing is lost on the wire, and every request is answered.
//!
//! The modules, foundations first. Each imports only those above it; a test holds the order.
//!
//! | module | |
//! |---|---|
//! | [`classify`] | the answer of a server → a success, a question or a failure, and which one |
//! | [`reply`] | a fault → the result a caller reads: redacted, in its language and format |
//! | [`config`] | the configuration file: settings, defaults, checks |
//! | [`resilience`] | retries, circuit breakers and bulkheads |
//! | [`tools`] | the tools of a server: the list, schemas, validation |
//! | [`store`] | where failures and audit entries are stored |
//! | [`record`] | a finished call → log line, counters, audit entry, private report |
//! | [`upstream`] | a server: where it comes from, how it is started, how its calls are treated |
//! | [`session`] | joins a client and its servers, restarts servers, answers for a server that is gone |
//! | [`pipeline`] | a tool call, stage by stage |
//! | `bridge` | translates between the two eras of the protocol |
//! | [`aggregate`] | many servers as one: names, addresses, lists |
//! | [`assembly`] | what is plugged into what, in which order |
//! | [`serve`] | the gateway as a service: paths, access, reload, shutdown |
//!
//! ```
//! use breakfall_mcp::jsonrpc::FrameLimits;
//! use breakfall_gateway::session::{SessionEnd, Session};
//! use breakfall_gateway::assembly;
//! use breakfall_gateway::upstream::{Origin, Upstream};
//! use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let (client, front) = tokio::io::duplex(1 << 16);
//! let (reader, writer) = tokio::io::split(front);
//! let upstream = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
//! let route = assembly::single(upstream);
//! let session = tokio::spawn(Session::start(reader, writer, FrameLimits::REQUEST, route).run());
//!
//! let (answers, mut requests) = tokio::io::split(client);
//! requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n").await?;
//! let mut answer = String::new();
//! BufReader::new(answers).read_line(&mut answer).await?;
//! assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n");
//!
//! requests.shutdown().await?;
//! assert!(matches!(session.await, Ok(SessionEnd::Well)));
//! # Ok::<_, std::io::Error>(())
//! # })?;
//! # Ok::<_, std::io::Error>(())
//! ```

pub mod classify;
pub mod reply;
pub mod config;
pub mod resilience;
pub mod tools;
pub mod store;
pub mod record;
pub mod upstream;
pub mod session;
pub mod pipeline;
mod bridge;
pub mod aggregate;
pub mod assembly;
pub mod serve;

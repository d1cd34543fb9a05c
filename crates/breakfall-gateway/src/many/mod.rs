//! Many servers as one: what they have stands in one list, and what is asked goes to whoever has it.
//!
//! ```text
//!            Many                          Link (one for each server)
//!  client ─► files__read ── inward ──► read ─► files
//!         ◄─ answer ────── outward ◄────────
//!         ─► tools/list ── to all ───► tools/list ─► files, shop, …
//!         ◄─ one list ──── merge ◄──────────
//! ```
//!
//! | what | from outside |
//! |---|---|
//! | names of tools and prompts | `files__read` ([`Names`]) |
//! | addresses of resources | `breakfall://files/file:///a` (`uris`) |
//! | ids of tasks and elicitations | `files__7` |
//! | cursors, the state of a request | sealed ([`Seal`]) |

mod inward;
mod list;
mod merge;
mod names;
mod outward;
mod seal;
mod uris;

pub use names::{Clash, Names};
pub use seal::Seal;

#[cfg(test)]
mod tests;

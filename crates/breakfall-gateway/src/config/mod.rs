//! The configuration: a file as written → what it means.

mod limits;
mod policy;
mod secret;
mod upstream;

pub use limits::Limits;
pub use policy::{Danger, Metric, Pattern, Policy, Quota, Tools, Trust};
pub use secret::{Secret, Word};
pub use upstream::{Command, Patience, Remote, Restart, Source, Upstream};

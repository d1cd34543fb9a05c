//! Someone else's bare failure → a fault, with the rule that decided it and how sure it is.

pub mod exit;
pub mod http;
#[cfg(feature = "hyper")]
mod hyper;
pub mod io;
pub mod panic;
#[cfg(feature = "reqwest")]
mod reqwest;
pub mod result;
pub mod rpc;
pub mod status;
pub mod text;

//! Someone else's bare failure → a fault, with the rule that decided it and how sure it is.

pub(crate) mod body;
pub(crate) mod constraint;
pub(crate) mod excerpt;
pub mod exit;
pub(crate) mod fold;
pub mod http;
#[cfg(feature = "hyper")]
mod hyper;
pub mod io;
pub(crate) mod moment;
pub mod panic;
#[cfg(feature = "reqwest")]
mod reqwest;
pub mod result;
pub mod rpc;
pub mod status;
pub mod text;

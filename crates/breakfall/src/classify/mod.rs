//! Someone else's bare failure → a fault, with the rule that decided it and how sure it is.

#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the readers of HTTP failures and of tool results come next"
    )
)]
pub(crate) mod body;
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the readers of HTTP failures and of tool results come next"
    )
)]
pub(crate) mod constraint;
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the readers of HTTP failures and of tool results come next"
    )
)]
pub(crate) mod excerpt;
pub mod exit;
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the readers of HTTP failures and of tool results come next"
    )
)]
pub(crate) mod fold;
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

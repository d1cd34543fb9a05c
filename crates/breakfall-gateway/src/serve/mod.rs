//! The gateway as a service: paths, who sits behind them, and for how long.

mod one;
mod single;

pub(crate) use one::One;
pub use single::single;

//! The gateway as a service: paths, who sits behind them, and for how long.

mod one;

pub(crate) use one::One;

//! The demo shop, driven over a stream in memory with the clock stopped.

mod asked;
mod classified;
mod client;
mod failing;
mod hostile;
mod legacy;
mod lists;
mod modern;
mod page;
mod random;
mod shopping;
mod toured;
mod watched;

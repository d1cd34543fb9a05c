//! The gateway from outside: real children, real clients, and the relay over transports in memory.

#[cfg(test)]
mod demo;

//! The gateway from outside: the relay over transports in memory and simulated time, and real children.

#[cfg(test)]
mod bridge;
#[cfg(test)]
mod children;
#[cfg(test)]
mod config;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod front;
#[cfg(test)]
mod many;
#[cfg(test)]
mod pipeline;
#[cfg(test)]
mod record;
#[cfg(test)]
mod relay;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod reply;
#[cfg(test)]
mod resilience;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod store;
#[cfg(test)]
mod tools;

//! The demo shop, driven over a stream in memory with the clock stopped.

#[cfg(test)]
mod asked;
#[cfg(test)]
mod classified;
#[cfg(test)]
mod client;
#[cfg(test)]
mod failing;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod legacy;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod modern;
#[cfg(test)]
mod page;
#[cfg(test)]
mod random;
#[cfg(test)]
mod shopping;
#[cfg(test)]
mod toured;
#[cfg(test)]
mod watched;

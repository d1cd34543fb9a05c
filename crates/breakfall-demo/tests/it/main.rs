//! The demo shop, driven over a stream in memory with the clock stopped.

#[cfg(test)]
mod elicitation;
#[cfg(test)]
mod classification;
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
mod tools;
#[cfg(test)]
mod tour;
#[cfg(test)]
mod subscriptions;

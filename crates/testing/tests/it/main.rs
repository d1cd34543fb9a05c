//! Runs the tools of this crate as they are run by `./check`.

// The attribute tells clippy that helpers in there are tests too.
#[cfg(test)]
mod architecture;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod faulty;
#[cfg(test)]
mod faulty_http;
#[cfg(test)]
mod http;
#[cfg(test)]
mod requirements;

//! Private harness of the workspace's tests. Never a dependency of anything that ships.

mod behaviours;
mod board;
pub mod built;
pub mod ending;
pub mod wire;
pub mod http;
pub mod clients;
pub mod servers;
pub mod compare;
pub mod conformance;
pub mod inspector;
pub mod corpus;
pub mod faulty;
pub mod faulty_http;
pub mod module_order;
pub mod requirements;

/// Lets this process have as many open files as the system allows it: connections are files.
///
/// # Panics
/// When the system refuses its own maximum.
pub fn many_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).expect("up to the maximum is allowed");
}

/// How many files this process may open.
pub fn most_files() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX)
}

/// Names the requirements a test proves. A no-op when it runs; the `requirements` tool reads the source.
///
/// Name an id only where removing the behaviour turns the test red.
#[macro_export]
macro_rules! proves {
    ($($id:literal),+ $(,)?) => {
        const _: &[&str] = &[$($id),+];
    };
}

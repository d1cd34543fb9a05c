//! Private harness of the workspace's tests. Never a dependency of anything that ships.

pub mod built;
pub mod clients;
pub mod compare;
pub mod conformance;
pub mod corpus;
pub mod faulty;
pub mod faulty_http;
pub mod http;
pub mod requirements;
pub mod servers;
pub mod wire;

/// Names the requirements a test proves. A no-op when it runs; the `requirements` tool reads the source.
///
/// Name an id only where removing the behaviour turns the test red.
#[macro_export]
macro_rules! proves {
    ($($id:literal),+ $(,)?) => {
        const _: &[&str] = &[$($id),+];
    };
}

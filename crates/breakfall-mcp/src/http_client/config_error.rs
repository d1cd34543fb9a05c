//! Why an upstream cannot be used as it is configured.

use std::fmt;
use std::path::Path;

/// An upstream that cannot be used as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamConfigError(Box<str>);

impl UpstreamConfigError {
    /// A kind of upstream that this version does not support.
    pub fn planned(kind: &str) -> Self {
        Self(format!("a server with `{kind}` is planned, not in this version").into())
    }

    /// Names the upstream.
    #[must_use]
    pub fn of(self, name: &str) -> Self {
        Self(format!("the server '{name}': {}", self.0).into())
    }

    pub(super) fn url(url: &str) -> Self {
        // Credentials in the URL must not show.
        let shown = if url.contains('@') { "it" } else { url };
        Self(format!("`url` is not the address of an HTTP server: {shown}").into())
    }

    pub(super) fn header(name: &str) -> Self {
        Self(format!("the header '{name}' cannot be sent").into())
    }

    pub(super) fn certificates(file: &Path, why: &str) -> Self {
        Self(format!("`ca` cannot be used: {}: {why}", file.display()).into())
    }

    pub(super) fn proxy(scheme: &str) -> Self {
        Self(
            format!("the proxy from the environment has the unsupported scheme '{scheme}': use http or https, or exclude the host with NO_PROXY")
                .into(),
        )
    }
}

impl fmt::Display for UpstreamConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UpstreamConfigError {}

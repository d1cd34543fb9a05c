//! The trusted certificates: those of the system, and those of the `ca` file.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::{ClientConfig, RootCertStore};

use super::UpstreamConfigError;

/// The configuration of TLS. Without it, for a server over plain HTTP, no certificate is loaded.
pub(super) fn tls(is_secure: bool, ca: Option<&Path>) -> Result<ClientConfig, UpstreamConfigError> {
    let roots = if is_secure {
        roots(ca)?
    } else {
        Arc::new(RootCertStore::empty())
    };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows the versions it comes with")
        .with_root_certificates(roots)
        .with_no_client_auth())
}

fn roots(ca: Option<&Path>) -> Result<Arc<RootCertStore>, UpstreamConfigError> {
    let Some(file) = ca else {
        return Ok(Arc::clone(&SYSTEM));
    };
    let unusable = |why: &str| UpstreamConfigError::certificates(file, why);
    let mut roots = RootCertStore::clone(&SYSTEM);
    let certificates =
        CertificateDer::pem_file_iter(file).map_err(|error| unusable(&describe(error)))?;
    let before = roots.len();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| unusable(&describe(error)))?;
        roots
            .add(certificate)
            .map_err(|_| unusable("one of its certificates cannot be used to check others"))?;
    }
    if roots.len() == before {
        return Err(unusable("there is no certificate in it"));
    }
    Ok(Arc::new(roots))
}

fn describe(error: pem::Error) -> String {
    if let pem::Error::Io(error) = error {
        error.to_string()
    } else {
        "it is not a PEM file".to_owned()
    }
}

/// The certificates of the system. Read once: they are some hundred files.
static SYSTEM: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!("a system certificate cannot be read: {error}");
    }
    let mut roots = RootCertStore::empty();
    // Invalid ones are skipped.
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        tracing::warn!("no system certificates found; set `ca` to the certificates to trust");
    }
    Arc::new(roots)
});

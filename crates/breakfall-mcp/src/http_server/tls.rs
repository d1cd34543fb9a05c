//! The certificate of the server, read from files and read again when they change.

use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

use crate::sync::Mutex;
use memchr::memmem;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{InconsistentKeys, ServerConfig};

/// A certificate and its key.
#[derive(Debug)]
pub struct TlsCertificate {
    cert: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
    seen: Mutex<FileStamps>,
}

/// Modification time and size of both files.
type FileStamps = [Option<(SystemTime, u64)>; 2];

impl TlsCertificate {
    /// Reads both files.
    ///
    /// # Errors
    /// When they cannot be read, or do not match.
    ///
    /// ```
    /// use breakfall_mcp::http_server::TlsCertificate;
    ///
    /// let error = TlsCertificate::load("no/server.pem", "no/server.key").expect_err("there are no such files");
    /// assert!(error.to_string().starts_with("cannot read the certificate 'no/server.pem'"));
    /// ```
    pub fn load(cert: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, TlsError> {
        let (cert, key) = (cert.into(), key.into());
        let seen = [stamp(&cert), stamp(&key)];
        let config = read(&cert, &key)?;
        Ok(Self {
            cert,
            key,
            config: RwLock::new(Arc::new(config)),
            seen: Mutex::new(seen),
        })
    }

    /// Reads the files again if they have changed, and returns whether they have. Open connections stay.
    ///
    /// # Errors
    /// When the new files cannot be used; then the old certificate stays.
    ///
    /// # Panics
    /// Never: the locks are not held across a panic.
    pub fn renew(&self) -> Result<bool, TlsError> {
        let now = [stamp(&self.cert), stamp(&self.key)];
        {
            let mut seen = self.seen.lock();
            if *seen == now {
                return Ok(false);
            }
            *seen = now;
        }
        let config = Arc::new(read(&self.cert, &self.key)?);
        *self.config.write().expect("the lock is never poisoned") = config;
        Ok(true)
    }

    pub(super) fn config(&self) -> Arc<ServerConfig> {
        let config = self.config.read().expect("the lock is never poisoned");
        Arc::clone(&config)
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn read(cert: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    let unusable = |path: &Path, what| TlsError(path.to_owned(), what);
    let bytes = contents(cert).map_err(|error| unusable(cert, TlsErrorKind::Certificate(error)))?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let chain = chain.map_err(|_| unusable(cert, TlsErrorKind::NoCertificate))?;
    if chain.is_empty() {
        return Err(unusable(cert, TlsErrorKind::NoCertificate));
    }
    let bytes = contents(key).map_err(|error| unusable(key, TlsErrorKind::Key(error)))?;
    let secret = PrivateKeyDer::from_pem_slice(&bytes).map_err(|_| {
        let is_locked = memmem::find(&bytes, b"ENCRYPTED").is_some();
        unusable(
            key,
            if is_locked {
                TlsErrorKind::Locked
            } else {
                TlsErrorKind::NoKey
            },
        )
    })?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(cert, TlsErrorKind::Unfit(error)))?;
    let config = builder
        .with_no_client_auth()
        .with_single_cert(chain, secret);
    let mut config = config.map_err(|error| {
        if error == rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) {
            unusable(key, TlsErrorKind::Mismatch)
        } else {
            unusable(cert, TlsErrorKind::Unfit(error))
        }
    })?;
    config.alpn_protocols = vec![ALPN_HTTP2.to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The contents of a regular file: a device might never end.
fn contents(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        let what = "it is no plain file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(MAX_FILE_BYTES)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

const MAX_FILE_BYTES: u64 = 4 << 20;

/// HTTP/2 in ALPN.
pub(super) const ALPN_HTTP2: &[u8] = b"h2";

/// A certificate that cannot be used.
#[derive(Debug)]
pub struct TlsError(PathBuf, TlsErrorKind);

#[derive(Debug)]
enum TlsErrorKind {
    Certificate(io::Error),
    NoCertificate,
    Key(io::Error),
    NoKey,
    Locked,
    Mismatch,
    Unfit(rustls::Error),
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.0.display();
        match &self.1 {
            TlsErrorKind::Certificate(error) => {
                write!(f, "cannot read the certificate '{path}': {error}")
            }
            TlsErrorKind::NoCertificate => write!(
                f,
                "there is no certificate in '{path}'; it has to be PEM, with a line '-----BEGIN CERTIFICATE-----'"
            ),
            TlsErrorKind::Key(error) => write!(f, "cannot read the key '{path}': {error}"),
            TlsErrorKind::NoKey => write!(
                f,
                "there is no private key in '{path}'; it has to be PEM, with a line '-----BEGIN PRIVATE KEY-----'"
            ),
            TlsErrorKind::Locked => write!(
                f,
                "the key '{path}' is locked by a password; unlock it with `openssl pkey -in {path} -out FILE`"
            ),
            TlsErrorKind::Mismatch => {
                write!(f, "the key '{path}' does not belong to the certificate")
            }
            TlsErrorKind::Unfit(error) => {
                write!(f, "the certificate '{path}' cannot be used: {error}")
            }
        }
    }
}

impl std::error::Error for TlsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.1 {
            TlsErrorKind::Certificate(error) | TlsErrorKind::Key(error) => Some(error),
            TlsErrorKind::Unfit(error) => Some(error),
            TlsErrorKind::NoCertificate
            | TlsErrorKind::NoKey
            | TlsErrorKind::Locked
            | TlsErrorKind::Mismatch => None,
        }
    }
}

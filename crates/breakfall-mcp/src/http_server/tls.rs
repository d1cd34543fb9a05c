//! The certificate of the gateway, read from files and read again when they change.

use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};
use std::time::SystemTime;

use memchr::memmem;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{InconsistentKeys, ServerConfig};

/// A certificate and its key, as clients see them now.
#[derive(Debug)]
pub struct Tls {
    cert: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
    seen: Mutex<Looks>,
}

/// What a change of the files shows by.
type Looks = [Option<(SystemTime, u64)>; 2];

impl Tls {
    /// Reads both files.
    ///
    /// # Errors
    /// When they cannot be read, or do not go together.
    ///
    /// ```
    /// use breakfall_mcp::http_server::Tls;
    ///
    /// let error = Tls::load("no/server.pem", "no/server.key").expect_err("there are no such files");
    /// assert!(error.to_string().starts_with("cannot read the certificate 'no/server.pem'"));
    /// ```
    pub fn load(cert: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, BadTls> {
        let (cert, key) = (cert.into(), key.into());
        let seen = [looks(&cert), looks(&key)];
        let config = read(&cert, &key)?;
        Ok(Self {
            cert,
            key,
            config: RwLock::new(Arc::new(config)),
            seen: Mutex::new(seen),
        })
    }

    /// Reads the files again if they have changed, and says whether they have. Whoever is connected stays so.
    ///
    /// # Errors
    /// When the new ones are no good; then the old ones are kept.
    ///
    /// # Panics
    /// Never: nobody panics while holding the locks.
    pub fn renew(&self) -> Result<bool, BadTls> {
        let now = [looks(&self.cert), looks(&self.key)];
        {
            let mut seen = self.seen.lock().expect("nobody panics while holding it");
            if *seen == now {
                return Ok(false);
            }
            *seen = now;
        }
        let config = Arc::new(read(&self.cert, &self.key)?);
        *self.config.write().expect("nobody panics while holding it") = config;
        Ok(true)
    }

    pub(super) fn config(&self) -> Arc<ServerConfig> {
        let config = self.config.read().expect("nobody panics while holding it");
        Arc::clone(&config)
    }
}

fn looks(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn read(cert: &Path, key: &Path) -> Result<ServerConfig, BadTls> {
    let bad = |path: &Path, what| BadTls(path.to_owned(), what);
    let bytes = contents(cert).map_err(|error| bad(cert, Bad::Certificate(error)))?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let chain = chain.map_err(|_| bad(cert, Bad::NoCertificate))?;
    if chain.is_empty() {
        return Err(bad(cert, Bad::NoCertificate));
    }
    let bytes = contents(key).map_err(|error| bad(key, Bad::Key(error)))?;
    let secret = PrivateKeyDer::from_pem_slice(&bytes).map_err(|_| {
        let is_locked = memmem::find(&bytes, b"ENCRYPTED").is_some();
        bad(key, if is_locked { Bad::Locked } else { Bad::NoKey })
    })?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(cert, Bad::Unfit(error)))?;
    let config = builder
        .with_no_client_auth()
        .with_single_cert(chain, secret);
    let mut config = config.map_err(|error| {
        if error == rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) {
            bad(key, Bad::Mismatch)
        } else {
            bad(cert, Bad::Unfit(error))
        }
    })?;
    config.alpn_protocols = vec![HTTP2.to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// What is in a file, if it is one: a device never ends.
fn contents(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        let what = "it is no plain file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Longer chains of certificates are not read to their end, in bytes.
const MOST: u64 = 4 << 20;

/// How HTTP/2 is called in the handshake.
pub(super) const HTTP2: &[u8] = b"h2";

/// A certificate that cannot be shown.
#[derive(Debug)]
pub struct BadTls(PathBuf, Bad);

#[derive(Debug)]
enum Bad {
    Certificate(io::Error),
    NoCertificate,
    Key(io::Error),
    NoKey,
    Locked,
    Mismatch,
    Unfit(rustls::Error),
}

impl fmt::Display for BadTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.0.display();
        match &self.1 {
            Bad::Certificate(error) => write!(f, "cannot read the certificate '{path}': {error}"),
            Bad::NoCertificate => write!(
                f,
                "there is no certificate in '{path}'; it has to be PEM, with a line '-----BEGIN CERTIFICATE-----'"
            ),
            Bad::Key(error) => write!(f, "cannot read the key '{path}': {error}"),
            Bad::NoKey => write!(
                f,
                "there is no private key in '{path}'; it has to be PEM, with a line '-----BEGIN PRIVATE KEY-----'"
            ),
            Bad::Locked => write!(
                f,
                "the key '{path}' is locked by a password; unlock it with `openssl pkey -in {path} -out FILE`"
            ),
            Bad::Mismatch => write!(f, "the key '{path}' does not belong to the certificate"),
            Bad::Unfit(error) => write!(f, "the certificate '{path}' cannot be used: {error}"),
        }
    }
}

impl std::error::Error for BadTls {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.1 {
            Bad::Certificate(error) | Bad::Key(error) => Some(error),
            Bad::Unfit(error) => Some(error),
            Bad::NoCertificate | Bad::NoKey | Bad::Locked | Bad::Mismatch => None,
        }
    }
}

//! TLS under a connection.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

pub(super) fn stream(
    mut tcp: TcpStream,
    name: &str,
    authority: &str,
) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(authority.as_bytes()).expect("a certificate");
    roots.add(authority).expect("a certificate that can vouch");
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider has what the versions need")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(name.to_owned()).expect("a name of a server");
    let session = ClientConnection::new(Arc::new(config), name);
    let mut session = session.map_err(io::Error::other)?;
    while session.is_handshaking() {
        session.complete_io(&mut tcp)?;
    }
    Ok(StreamOwned::new(session, tcp))
}

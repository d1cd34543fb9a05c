//! TLS, with certificates good and bad.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, Error, IsCa, Issuer, KeyPair, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use super::behaviour::Behaviour;

/// Who vouches for the server, and what it shows.
#[derive(Debug)]
pub(super) struct Tls {
    /// The certificate of who vouches, for clients to trust.
    pub(super) authority: String,
    pub(super) config: Arc<ServerConfig>,
}

impl Tls {
    /// What a behaviour of the start needs; none if it is not about TLS.
    pub(super) fn of(behaviour: Behaviour) -> Option<Self> {
        use Behaviour as B;
        let is_wanted = [
            B::Tls,
            B::SelfSigned,
            B::Expired,
            B::WrongName,
            B::TlsStalls,
            B::TlsCut,
            B::GoAway,
            B::StreamRefused,
            B::StreamFailed,
        ];
        is_wanted
            .contains(&behaviour)
            .then(|| Self::made(behaviour).expect("parameters of our own make a certificate"))
    }

    fn made(behaviour: Behaviour) -> Result<Self, Error> {
        let mut authority = CertificateParams::new(Vec::new())?;
        let name = &mut authority.distinguished_name;
        name.push(DnType::CommonName, "who vouches");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority_key = KeyPair::generate()?;
        let signed = authority.self_signed(&authority_key)?;
        let issuer = Issuer::new(authority, authority_key);
        let is_wrong = behaviour == Behaviour::WrongName;
        let name = if is_wrong {
            "elsewhere.test"
        } else {
            "127.0.0.1"
        };
        let mut params = CertificateParams::new(vec![name.to_owned()])?;
        if behaviour == Behaviour::Expired {
            params.not_before = date_time_ymd(2000, 1, 1);
            params.not_after = date_time_ymd(2001, 1, 1);
        }
        let key = KeyPair::generate()?;
        let certificate = if behaviour == Behaviour::SelfSigned {
            params.self_signed(&key)?
        } else {
            params.signed_by(&key, &issuer)?
        };
        let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
        Ok(Self {
            authority: signed.pem(),
            config: config(certificate.der().clone(), key, is_http2(behaviour)),
        })
    }
}

pub(super) fn is_http2(behaviour: Behaviour) -> bool {
    let all = [
        Behaviour::GoAway,
        Behaviour::StreamRefused,
        Behaviour::StreamFailed,
    ];
    all.contains(&behaviour)
}

fn config(
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
    is_http2: bool,
) -> Arc<ServerConfig> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has what the versions need")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("the key is that of the certificate");
    let protocol: &[u8] = if is_http2 { b"h2" } else { b"http/1.1" };
    config.alpn_protocols = vec![protocol.to_vec()];
    Arc::new(config)
}

//! The TLS certificates of receivers (`receiver.rs`), and the certificate authority that signs them.

use std::sync::{Arc, OnceLock};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// The certificate and the TLS versions of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A valid certificate.
    Good,
    /// A certificate for another host.
    OtherName,
    Expired,
    /// A certificate that an unknown authority signed.
    UnknownAuthority,
    /// A valid certificate with TLS 1.2 at most.
    Tls12,
    /// No TLS at all.
    Plain,
}

struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

fn authority() -> &'static Authority {
    static AUTHORITY: OnceLock<Authority> = OnceLock::new();
    AUTHORITY.get_or_init(new_authority)
}

fn new_authority() -> Authority {
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.not_after = date_time_ymd(2050, 1, 1);
    Authority { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
}

/// Returns the PEM certificate of the authority, for the file of the setting `extra_ca_file`. This authority signs all
/// certificates except that of [`Identity::UnknownAuthority`].
pub fn authority_pem() -> String {
    authority().issuer.pem()
}

/// Returns a TLS acceptor for this identity and these host names.
pub fn tls(identity: Identity, names: &[&str]) -> TlsAcceptor {
    let other_authority = new_authority();
    let authority = if identity == Identity::UnknownAuthority { &other_authority } else { authority() };
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    if identity == Identity::OtherName {
        names = vec!["other.example".to_owned()];
    }
    let mut params = CertificateParams::new(names).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(if identity == Identity::Expired { 2021 } else { 2050 }, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, &authority.issuer).unwrap();
    let versions: &[&rustls::SupportedProtocolVersion] = match identity {
        Identity::Tls12 => &[&rustls::version::TLS12],
        _ => rustls::ALL_VERSIONS,
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from(certificate.der().to_vec())],
            PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
        )
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

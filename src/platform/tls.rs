//! The default TLS cryptography provider of the process, and the inspection of a server's certificate.
//!
//! `switchboard doctor` uses the inspection to report whether a certificate is trusted and when it expires. The
//! inspection completes the handshake with any certificate, so that it can report a problem of the certificate. It
//! sends no data after the handshake.

use std::{
    fmt, io,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rustls_platform_verifier::Verifier;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    rustls::{
        CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, ProtocolVersion,
        RootCertStore, SignatureScheme,
        client::{
            WebPkiServerVerifier,
            danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        },
        crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
        pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
    },
};

use crate::domain::time::Timestamp;

/// A time after the expiry of practically every certificate: the beginning of the year 2200. A validation at this time
/// fails, and its error contains the expiry date.
const FAR_AHEAD: Duration = Duration::from_secs(7_258_118_400);

/// Certificate authorities could not be loaded.
#[derive(Debug, Error)]
#[error("certificate authorities cannot be read: {0}")]
pub struct NoTrust(String);

/// Trusted certificate authorities.
#[derive(Clone)]
pub struct Trust {
    provider: Arc<CryptoProvider>,
    verifier: Arc<dyn ServerCertVerifier>,
}

/// The result of inspecting a server: the TLS version of the handshake, and the state of the server's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsReport {
    /// The negotiated TLS version, such as `TLSv1.3`.
    pub version: String,
    /// Why the certificate is not trusted; `None` if the certificate is trusted.
    pub problem: Option<CertificateProblem>,
    /// When the certificate expires; `None` if the verifier does not report the expiry, or if the certificate expires
    /// in the year 2200 or later.
    pub valid_until: Option<Timestamp>,
}

/// Why a certificate is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateProblem {
    /// The certificate of the server or of an authority has expired.
    Expired,
    /// The certificate of the server or of an authority is not valid yet, or this machine's clock is slow.
    NotYetValid,
    /// The certificate is for another host.
    OtherName,
    /// The certificate is not signed by a trusted authority, or an intermediate certificate is missing.
    UnknownIssuer,
    /// Any other problem, in the words of rustls.
    Other(String),
}

impl fmt::Display for CertificateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => f.write_str("the certificate has expired"),
            Self::NotYetValid => f.write_str("the certificate is not valid yet"),
            Self::OtherName => f.write_str("the certificate is for another name"),
            Self::UnknownIssuer => f.write_str("the certificate's authority is not trusted"),
            Self::Other(why) => write!(f, "the certificate is not accepted: {why}"),
        }
    }
}

/// Makes ring the default cryptography provider of this process, unless the process already has a default provider.
/// The TLS clients of reqwest use the default provider: reqwest is built without a provider of its own, because that
/// provider would add a second cryptography library.
pub fn install_provider() {
    // fails if the process already has a default provider
    let _ = ring::default_provider().install_default();
}

impl Trust {
    /// Loads the system's authorities, and the authorities of the PEM file `extra` if it is set.
    ///
    /// # Errors
    /// If the PEM file contains an invalid certificate, or if there are no authorities at all.
    pub fn new(extra: Option<&[u8]>) -> Result<Self, NoTrust> {
        let fail = |error: &dyn fmt::Display| NoTrust(error.to_string());
        let extra: Vec<CertificateDer<'static>> = match extra {
            Some(pem) => {
                CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|e| fail(&e))?
            }
            None => Vec::new(),
        };
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new_with_extra_roots(extra, Arc::clone(&provider)).map_err(|e| fail(&e))?;
        Ok(Self { provider, verifier: Arc::new(verifier) })
    }

    /// Loads the authorities of the PEM file `pem`, without those of the system.
    ///
    /// # Errors
    /// If the file contains an invalid certificate, or no certificate.
    pub fn only(pem: &[u8]) -> Result<Self, NoTrust> {
        let fail = |error: &dyn fmt::Display| NoTrust(error.to_string());
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            roots.add(certificate.map_err(|e| fail(&e))?).map_err(|e| fail(&e))?;
        }
        let provider = Arc::new(ring::default_provider());
        let built =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build();
        Ok(Self { provider, verifier: built.map_err(|e| fail(&e))? })
    }

    /// Performs a TLS handshake on `socket`, and validates the server's certificate chain for the name `host` at the
    /// time `now`. If `host` is an IPv6 address, it has no brackets.
    ///
    /// # Errors
    /// If `host` is neither a valid DNS name nor an IP address, or if the handshake fails, for example because the
    /// connection is closed or there is no common protocol version.
    pub async fn inspect(&self, socket: TcpStream, host: &str, now: Timestamp) -> io::Result<TlsReport> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let accept_any =
            Arc::new(AcceptAnyChain { provider: Arc::clone(&self.provider), chain: OnceLock::new() });
        let config = ClientConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&accept_any) as Arc<dyn ServerCertVerifier>)
            .with_no_client_auth();
        let stream = TlsConnector::from(Arc::new(config)).connect(name.clone(), socket).await?;
        let version = match stream.get_ref().1.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => "TLSv1.2".to_owned(),
            Some(ProtocolVersion::TLSv1_3) => "TLSv1.3".to_owned(),
            other => format!("{other:?}"),
        };
        let chain = accept_any.chain.get().map_or(&[][..], Vec::as_slice);
        Ok(TlsReport {
            version,
            problem: self.validate(chain, &name, now).err(),
            valid_until: self.valid_until(chain, &name),
        })
    }

    /// Validates a chain for a host name at the time `at`. The chain begins with the server's certificate.
    fn validate(
        &self,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        at: Timestamp,
    ) -> Result<(), CertificateProblem> {
        let at = Duration::from_secs(u64::try_from(at.seconds()).unwrap_or(0));
        self.verify(chain, name, at).map_err(|error| match error {
            TlsError::InvalidCertificate(
                CertificateError::Expired | CertificateError::ExpiredContext { .. },
            ) => CertificateProblem::Expired,
            TlsError::InvalidCertificate(
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. },
            ) => CertificateProblem::NotYetValid,
            TlsError::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            ) => CertificateProblem::OtherName,
            // if the issuer has the name of a trusted authority but another key, the signature is invalid
            TlsError::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::BadSignature,
            ) => CertificateProblem::UnknownIssuer,
            other => CertificateProblem::Other(other.to_string()),
        })
    }

    /// Returns the expiry of the server's certificate. The expiry is part of the error that a validation at
    /// [`FAR_AHEAD`] returns. Returns `None` if the validation returns another error or no error.
    fn valid_until(&self, chain: &[CertificateDer<'_>], name: &ServerName<'_>) -> Option<Timestamp> {
        match self.verify(chain, name, FAR_AHEAD) {
            Err(TlsError::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. })) => {
                i64::try_from(not_after.as_secs()).ok().map(Timestamp::from_seconds)
            }
            _ => None,
        }
    }

    fn verify(
        &self,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        at: Duration,
    ) -> Result<(), TlsError> {
        let (leaf, intermediates) =
            chain.split_first().ok_or_else(|| TlsError::General("no certificate".to_owned()))?;
        let at = UnixTime::since_unix_epoch(at);
        self.verifier.verify_server_cert(leaf, intermediates, name, &[], at).map(drop)
    }
}

/// Accepts every chain and stores the chain for the report. This is safe, because no data is sent after the handshake.
#[derive(Debug)]
struct AcceptAnyChain {
    provider: Arc<CryptoProvider>,
    chain: OnceLock<Vec<CertificateDer<'static>>>,
}

impl ServerCertVerifier for AcceptAnyChain {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let chain = std::iter::once(end_entity).chain(intermediates);
        // each handshake has its own `AcceptAnyChain`, so the cell is still empty
        let _ = self.chain.set(chain.map(|certificate| certificate.clone().into_owned()).collect());
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};

    use super::*;

    /// 2026-11-20.
    const NOW: Timestamp = Timestamp::from_seconds(1_795_132_800);

    fn authority() -> CertifiedIssuer<'static, KeyPair> {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2050, 1, 1);
        CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
    }

    fn leaf(authority: &CertifiedIssuer<'static, KeyPair>, from: i32, to: i32) -> CertificateDer<'static> {
        let mut params = CertificateParams::new(vec!["chat.example.com".to_owned()]).unwrap();
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(to, 1, 1);
        let made = params.signed_by(&KeyPair::generate().unwrap(), authority).unwrap();
        CertificateDer::from(made.der().to_vec())
    }

    #[test]
    fn a_chain_is_validated_by_time_name_and_authority() {
        let (known, stranger) = (authority(), authority());
        let trust = Trust::only(known.pem().as_bytes()).unwrap();
        let name = |text: &str| ServerName::try_from(text.to_owned()).unwrap();
        let validate = |certificate: CertificateDer<'static>, host: &str| {
            trust.validate(&[certificate], &name(host), NOW)
        };
        let host = "chat.example.com";
        assert_eq!(validate(leaf(&known, 2025, 2030), host), Ok(()));
        assert_eq!(validate(leaf(&known, 2020, 2021), host), Err(CertificateProblem::Expired));
        assert_eq!(validate(leaf(&known, 2030, 2031), host), Err(CertificateProblem::NotYetValid));
        assert_eq!(
            validate(leaf(&known, 2025, 2030), "other.example.com"),
            Err(CertificateProblem::OtherName)
        );
        assert_eq!(validate(leaf(&stranger, 2025, 2030), host), Err(CertificateProblem::UnknownIssuer));
        assert!(matches!(trust.validate(&[], &name(host), NOW), Err(CertificateProblem::Other(_))));
    }

    #[test]
    fn the_expiry_is_reported() {
        let known = authority();
        let trust = Trust::only(known.pem().as_bytes()).unwrap();
        let name = ServerName::try_from("chat.example.com").unwrap();
        let until = trust.valid_until(&[leaf(&known, 2025, 2030)], &name);
        assert_eq!(until.map(Timestamp::to_rfc3339).as_deref(), Some("2030-01-01T00:00:00.000Z"));
    }

    #[test]
    fn files_without_a_valid_certificate_are_rejected() {
        assert!(Trust::only(b"").is_err());
        assert!(Trust::new(Some(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")).is_err());
    }
}
